import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import { moveFacility, type Facility } from './domain/facility.ts'
import { chargeOff, recover, writeOff } from './domain/loss.ts'
import { startServicing, type Serviced } from './domain/servicing.ts'
import { readAmount } from './drawdown-asked.ts'
import { readSource, requireFacility } from './repayments.ts'
import { commitServiced, readServiced } from './serve-facility.ts'

/** Charges a facility off. Refuses with FACILITY_NOT_FOUND, NOT_FOR_DELEGATED_USERS, INVALID_STATE_TRANSITION. */
export function chargeOffFacility(context: Context, facilityId: string): Promise<Facility> {
  return lose(context, 'chargeOffFacility', { facilityId }, async (facility) => {
    // First whether it may: what is over is not brought to today.
    moveFacility(facility, 'charged-off')
    return chargeOff(await readServiced(context, facility), dateOf(context.now()))
  })
}

/** Gives a charged-off facility up for good. Refuses as `chargeOffFacility`. */
export function writeOffFacility(context: Context, facilityId: string): Promise<Facility> {
  return lose(context, 'writeOffFacility', { facilityId }, async (facility) =>
    writeOff(startServicing(facility, [])),
  )
}

export interface RecoveryAsked {
  facilityId: string
  amount: AmountSent
  sourceArrangementId?: string | null
}

/**
 * Takes in money of a charged-off facility.
 * Refuses as `chargeOffFacility`, and with INVALID_AMOUNT, EXCEEDS_PAYOFF_AMOUNT, ARRANGEMENT_NOT_FOUND,
 * CURRENCY_MISMATCH, INSUFFICIENT_FUNDS.
 */
export function recoverFacility(context: Context, asked: RecoveryAsked): Promise<Facility> {
  return lose(context, 'recoverFacility', asked, async (facility) => {
    moveFacility(facility, 'recovered')
    const amountMinor = readAmount(facility, asked.amount)
    if (amountMinor <= 0n) throw new Problem('INVALID_AMOUNT', { detail: 'More than nothing.' })
    const accountId = await readSource(context, facility, asked.sourceArrangementId)
    const today = dateOf(context.now())
    return recover(startServicing(facility, []), amountMinor, today, accountId)
  })
}

function lose(
  context: Context,
  operation: string,
  input: { facilityId: string },
  decide: (facility: Facility) => Promise<Serviced>,
): Promise<Facility> {
  requireBank(context)
  return command(context, operation, input, async () => {
    const { facilityId } = input
    const before = await requireFacility(context, facilityId)
    const changed = await commitServiced(context, before, await decide(before))
    const { facility, writes, events, facts } = changed
    return { result: facility, resourceId: facilityId, isKeyKept: true, writes, events, facts }
  })
}
