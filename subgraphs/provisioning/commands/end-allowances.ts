import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { endAllowance } from '../domain/provision.ts'
import { provisionEvent } from '../events.ts'
import type { Provision, ProvisionItem } from '../model/provision.ts'
import { findEnded, insertItems, provisions, putProvisions } from '../store/provision.ts'
import { bookAsBank, endPosting } from './postings.ts'
import { readChargedOff } from './risk-facilities.ts'

const batchSize = 50

/**
 * Ends the allowances of facilities that no longer have an exposure: a charge-off uses the
 * allowance, and anything else releases it. Returns how many were ended.
 */
export function endAllowances(context: Context): Promise<number> {
  return command(context, 'endAllowances', {}, async () => {
    const facilityIds = await findEnded(context, batchSize)
    if (facilityIds.length === 0) return { result: 0 }
    const [found, chargedOff] = await Promise.all([
      provisions.loadMany(context, facilityIds),
      readChargedOff(context, facilityIds),
    ])
    const now = context.now()
    const endings = found.map((provision, at) => ({
      before: provision!,
      ...endAllowance(provision!.allowanceMinor, chargedOff[at]!),
    }))
    const booked = await bookAsBank(
      context,
      endings.map(({ before, ...parts }) => ({
        facilityId: before.facilityId,
        posting: endPosting(now, before.provisionId, parts, before.currency),
      })),
    )
    const items = endings.map(({ before, usedMinor }, at) =>
      itemOf(context, before, usedMinor, booked.records[at]!.postingInstructionId),
    )
    const after = endings.map(({ before }) => ({
      ...before,
      exposureMinor: 0n,
      allowanceMinor: 0n,
      version: before.version + 1,
      updatedAt: now,
    }))
    const ended = after.map((each) => provisionEvent(each, 'provisioning.provision.ended'))
    return {
      result: endings.length,
      writes: [...insertItems(items), ...putProvisions(after), ...booked.writes],
      events: [...ended, ...booked.events],
    }
  })
}

function itemOf(
  context: Context,
  { provisionId, facilityId, partyId, segment, currency, stage, reasons, ...before }: Provision,
  usedMinor: bigint,
  postingInstructionId: string,
): ProvisionItem {
  const now = context.now()
  return {
    provisionId,
    facilityId,
    partyId,
    segment,
    currency,
    stage,
    reasons,
    itemId: context.newId('provisionItem'),
    provisioningRunId: null,
    monthEnd: dateOf(now),
    daysPastDue: 0,
    pdPct: '0',
    lgdPct: '0',
    isDryRun: false,
    exposureMinor: 0n,
    expectedLossMinor: 0n,
    beforeMinor: before.allowanceMinor,
    allowanceMinor: 0n,
    usedMinor,
    postingInstructionId,
    createdAt: now,
  }
}
