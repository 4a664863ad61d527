import { blocksDebits } from '../../../ledger/domain/block.ts'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { availableOf, balanceAmountsOf, type Balance } from '../../../ledger/domain/balance.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { Overdraft } from '../model/overdraft.ts'
import type { OverdraftWriteOff } from '../model/overdraft-write-off.ts'
import { limitOn } from './overdraft.ts'
import { Problem } from './problems.ts'

/** Whether no overdraft applies with a limit on `today` or any later day. */
export function isWithdrawn(approved: readonly Overdraft[], today: LocalDate): boolean {
  // The limit changes only on a first day, or on the day after a last one.
  const changes = approved.flatMap(({ validFrom, validTo }) => [
    validFrom,
    ...(validTo === null ? [] : [addDays(validTo, 1)]),
  ])
  const days = [today, ...changes.filter((day) => day > today)]
  return days.every((day) => limitOn(approved, day) === 0n)
}

/**
 * Returns what an account owes, in minor units, if its overdraft can be written off. Throws
 * OVERDRAFT_STILL_IN_USE.
 */
export function writeOffAmount(
  { arrangementId: resourceId, overdraftLimitMinor, blockedFor }: Arrangement,
  approved: readonly Overdraft[],
  balance: Balance,
  today: LocalDate,
): bigint {
  const refuse = (detail: string) => new Problem('OVERDRAFT_STILL_IN_USE', { detail, resourceId })
  if (!blocksDebits(blockedFor)) {
    throw refuse(`${resourceId} is not blocked for debits. Call blockAccountArrangement first.`)
  }
  if (overdraftLimitMinor > 0n || !isWithdrawn(approved, today)) {
    throw refuse(`${resourceId} has an overdraft limit, now or later. Withdraw it first.`)
  }
  const { committedMinor, pendingInMinor, pendingOutMinor } = balanceAmountsOf(balance)
  if (pendingInMinor !== 0n || pendingOutMinor !== 0n) {
    throw refuse(`${resourceId} has open authorizations. Settle or cancel them first.`)
  }
  if (committedMinor >= 0n) throw refuse(`${resourceId} is not overdrawn.`)
  return -committedMinor
}

/**
 * Checks that an account does not owe more than two people have seen. Throws OVERDRAFT_STILL_IN_USE.
 */
export function requireNotMore(proposal: OverdraftWriteOff, amountMinor: bigint): void {
  if (amountMinor <= proposal.amountMinor) return
  const detail =
    'The account owes more than when the write-off was proposed. Reject the proposal, and propose again.'
  throw new Problem('OVERDRAFT_STILL_IN_USE', { detail, resourceId: proposal.arrangementId })
}

/** Returns what was written off and not recovered, in minor units. */
export function unrecoveredOf({ state, amountMinor, recoveredMinor }: OverdraftWriteOff): bigint {
  return state === 'approved' ? amountMinor - recoveredMinor : 0n
}

/**
 * Returns a write-off after a recovery from the balance of its account. Throws
 * INVALID_STATE_TRANSITION unless it is approved, INVALID_AMOUNT if the amount is not positive or less
 * is left to recover, and INSUFFICIENT_FUNDS if the account has less.
 */
export function recoverWriteOff(
  before: OverdraftWriteOff,
  amountMinor: bigint,
  balance: Balance,
): OverdraftWriteOff {
  const { overdraftWriteOffId: resourceId, state, currency } = before
  if (state !== 'approved') {
    const detail = `${resourceId} is ${state}, so that nothing was written off.`
    throw new Problem('INVALID_STATE_TRANSITION', { detail, resourceId, currentState: state })
  }
  const refuse = (detail: string) => {
    const code = 'INVALID_AMOUNT'
    return new Problem(code, { detail, errors: [{ pointer: '/amount', code, detail }] })
  }
  if (amountMinor <= 0n) throw refuse('The amount must be greater than zero.')
  const left = unrecoveredOf(before)
  const money = (minor: bigint) => `${formatAmount(minor, currency)} ${currency}`
  if (amountMinor > left) {
    const detail = `The amount is ${money(amountMinor)}; only ${money(left)} is left to recover.`
    throw refuse(detail)
  }
  // The posting ignores the block of the account, so the ledger does not check the balance.
  const available = availableOf(balance) - balance.overdraftLimitMinor
  if (amountMinor > available) {
    const detail = `The account has ${money(available)}; the amount is ${money(amountMinor)}.`
    throw new Problem('INSUFFICIENT_FUNDS', { detail, resourceId: before.arrangementId })
  }
  return { ...before, recoveredMinor: before.recoveredMinor + amountMinor }
}
