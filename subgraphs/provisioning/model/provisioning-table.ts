import {
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  integer,
  list,
  money,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { ImpairmentStage, ProvisioningSegment, ProvisioningTableStatus } from './enumerations.ts'

const stageRiskFields = {
  stage: oneOf(ImpairmentStage, 'The stage to which the rates apply.'),
  pdPct: decimal(
    'The probability of default in percent, from 0 to 100: within twelve months for stage 1, over ' +
      'the lifetime for stages 2 and 3.',
  ),
  lgdPct: decimal(
    'The loss given default of the part of an exposure that collateral does not cover, in percent ' +
      'from 0 to 100. It includes the time value of money.',
  ),
  securedLgdPct: decimal(
    'The loss given default of the part that collateral covers, in percent from 0 to 100.',
  ),
}

const segmentFields = {
  segment: oneOf(ProvisioningSegment, 'The segment to which the parameters apply.'),
  stage2AfterDays: integer('A facility that is more days past due is in stage 2; usually 30.'),
  stage3AfterDays: integer('A facility that is more days past due is in stage 3; usually 90.'),
  cureDays: integer(
    'The number of days for which a facility must qualify for a better stage before it returns to it.',
  ),
  creditConversionPct: decimal(
    'The part of an undrawn limit that is expected to be drawn before a default, in percent from 0 ' +
      'to 100.',
  ),
  overlayPct: decimal(
    'The management overlay in percent of each expected credit loss, from -100 to 1000; 0 for none.',
  ),
  overlayAmount: money(
    'The management overlay as an amount for the whole segment, greater than zero; null for none.',
  ).orNull(),
  overlayReason: text('The reason for the management overlay; null if there is none.').orNull(),
}

export const StageRisk = shape('StageRisk', 'The risk parameters of one stage.', stageRiskFields)
export const StageRiskInput = input(
  'StageRiskInput',
  'The risk parameters of one stage.',
  stageRiskFields,
)

export const SegmentRisk = shape(
  'SegmentRisk',
  'The parameters from which the expected credit losses of a segment are computed.',
  { ...segmentFields, stages: list(object(StageRisk), 'The risk parameters of the three stages.') },
)
export type SegmentRisk = TypeOf<typeof SegmentRisk>

export const SegmentRiskInput = input(
  'SegmentRiskInput',
  'The parameters from which the expected credit losses of a segment are computed.',
  {
    ...segmentFields,
    stage2AfterDays: integer(segmentFields.stage2AfterDays.description).defaultsTo(30),
    stage3AfterDays: integer(segmentFields.stage3AfterDays.description).defaultsTo(90),
    cureDays: integer(segmentFields.cureDays.description).defaultsTo(90),
    creditConversionPct: decimal(segmentFields.creditConversionPct.description).defaultsTo('0'),
    overlayPct: decimal(segmentFields.overlayPct.description).defaultsTo('0'),
    stages: list(
      object(StageRiskInput),
      'The risk parameters of the three stages, each exactly once.',
    ),
  },
)
export type SegmentRiskInput = TypeOf<typeof SegmentRiskInput>

export const ProvisioningTable = entity(
  'ProvisioningTable',
  'provisioningTableId',
  'A version of the parameters from which expected credit losses are computed.',
  {
    provisioningTableId: id('The ID of the table, such as `pvt_…`.').inEvents(),
    effectiveFrom: date(
      'The first month end to which the table applies, once approved.',
    ).inEvents(),
    status: oneOf(ProvisioningTableStatus, 'Whether the table has been approved.').inEvents(),
    segments: list(object(SegmentRisk), 'The parameters of each segment.'),
    reason: text('Why the parameters were changed.'),
    proposedBy: string('Who proposed the table.').inEvents(),
    decidedBy: string('Who approved or rejected the table; null while it is proposed.')
      .orNull()
      .inEvents(),
    decidedAt: instant('When the table was decided, in UTC; null while it is proposed.').orNull(),
    createdAt: instant('When the table was proposed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type ProvisioningTable = TypeOf<typeof ProvisioningTable>

const decided = ({ now, subject }: { now: Date; subject: string }) => ({
  decidedBy: subject,
  decidedAt: now,
})

export const provisioningTableStates = stateMachine(ProvisioningTable, 'status', {
  approveProvisioningTable: {
    description:
      'Approves a proposed provisioning table. The person who proposed it cannot approve it.',
    scope: 'provisioning:approve',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: ['provisioning.table.approved', 'A provisioning table was approved.'],
    set: decided,
  },
  rejectProvisioningTable: {
    description:
      'Rejects a proposed provisioning table. The person who proposed it cannot reject it.',
    scope: 'provisioning:approve',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: ['provisioning.table.rejected', 'A provisioning table was rejected.'],
    set: decided,
  },
})

export const ProposeProvisioningTableInput = input(
  'ProposeProvisioningTableInput',
  'A new version of the parameters, which another person has to approve.',
  {
    provisioningTableId: id(
      'The ID of the table, chosen by the client. Generated if omitted.',
    ).orNull(),
    effectiveFrom: date('The first month end to which the table applies, once approved.'),
    segments: list(object(SegmentRiskInput), 'The parameters of each segment, each at most once.'),
    reason: text('Why the parameters change.'),
  },
)
export type ProposeProvisioningTableInput = TypeOf<typeof ProposeProvisioningTableInput>
