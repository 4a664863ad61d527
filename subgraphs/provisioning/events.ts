import { formatAmount } from '../../kernel/domain/money.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  currency,
  date,
  decimal,
  id,
  listOf,
  oneOf,
  record,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import {
  declareRecordEvents,
  declareSubject,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { accountOf } from './domain/overdraft-id.ts'
import { ImpairmentStage, ProvisioningSegment, StageReason } from './model/enumerations.ts'
import { Provision } from './model/provision.ts'
import { ProvisioningRun } from './model/provisioning-run.ts'
import { ProvisioningTable, provisioningTableStates } from './model/provisioning-table.ts'
import { AccountArrangementStub } from './model/references.ts'
import { StageOverride, stageOverrideStates } from './model/stage-override.ts'

export const provisioningTableEvents = declareRecordEvents(
  'provisioning-table',
  ProvisioningTable,
  {
    'provisioning.table.proposed': 'A provisioning table was proposed.',
    ...eventsOf(provisioningTableStates),
  },
)
export type ProvisioningTableEvent = EventTypeOf<typeof provisioningTableEvents>

export const stageOverrideEvents = declareRecordEvents('stage-override', StageOverride, {
  'provisioning.stage-override.set': 'An employee set the lowest stage of a facility.',
  ...eventsOf(stageOverrideStates),
})
export type StageOverrideEvent = EventTypeOf<typeof stageOverrideEvents>

export const provisioningRunEvents = declareRecordEvents('provisioning-run', ProvisioningRun, {
  'provisioning.run.scheduled':
    'A provisioning run was scheduled, or scheduled again after it had failed.',
  'provisioning.run.started': 'The processing of a provisioning run started.',
  'provisioning.run.completed': 'A provisioning run provided for all facilities.',
  'provisioning.run.failed': 'A provisioning run stopped because of an error. It can be resumed.',
})

declareSubject('provision', Provision)

const provisionFields = {
  facilityId: id,
  segment: oneOf(ProvisioningSegment.values),
  stage: oneOf(ImpairmentStage.values),
  reasons: listOf(oneOf(StageReason.values)),
  monthEnd: date,
  allowance: decimal,
  currency,
}
const provisionData = record(provisionFields)

const provisionEvents = declareEvents(
  {
    'provisioning.provision.stage-changed': 'The impairment stage of a facility changed.',
    'provisioning.provision.ended':
      'The loss allowance of a facility without an exposure was used or released.',
  },
  provisionData,
)

declareSubject('overdraft-provision', AccountArrangementStub)

const { facilityId: _, ...commonData } = provisionFields
const overdraftData = record({ arrangementId: id, ...commonData })

declareEvents(
  {
    'provisioning.overdraft-provision.stage-changed':
      'The impairment stage of an overdraft changed.',
    'provisioning.overdraft-provision.ended':
      'The loss allowance of an account without an overdraft exposure was released.',
  },
  overdraftData,
)

/**
 * Creates an event of the provision of a facility or, with the type of the same end, of an overdraft.
 * The bank keeps it to itself.
 */
export function provisionEvent(
  provision: Provision,
  type: keyof typeof provisionEvents,
): DomainEvent {
  const { facilityId, version } = provision
  const common = commonOf(provision)
  const arrangementId = accountOf(facilityId)
  if (arrangementId !== null) {
    const data: Static<typeof overdraftData> = { arrangementId, ...common }
    return {
      type: type.replace('.provision.', '.overdraft-provision.'),
      subject: `overdraft-provision/${arrangementId}`,
      version,
      data,
      parties: [],
    }
  }
  const data: Static<typeof provisionData> = { facilityId: facilityId!, ...common }
  return { type, subject: `provision/${facilityId}`, version, data, parties: [] }
}

function commonOf({ segment, stage, reasons, monthEnd, allowanceMinor, currency }: Provision) {
  return {
    segment,
    stage: stage!,
    reasons: [...reasons],
    monthEnd,
    allowance: formatAmount(allowanceMinor, currency),
    currency,
  }
}
