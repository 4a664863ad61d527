import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { TermDepositState } from '../model/enumerations.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import { Problem } from './problems.ts'
import { isRunning, termDepositTransitions } from './term-deposit.ts'
import type { TermInputs } from './term-end.ts'

/** An early withdrawal of a term deposit. */
export interface Withdrawal {
  termDepositId: string
  /** Why the bank waives the penalty and the notice; null if both apply. */
  waiverReason: string | null
}

/** Checks that a deposit has not ended. Throws INVALID_STATE_TRANSITION. */
export function requireRunning({ termDepositId, state, endedOn }: TermDeposit): void {
  if (!isRunning({ state })) throw notPossible(termDepositId, state, `It ended on ${endedOn}.`)
}

/** Checks that the last day of a deposit has not come. Throws INVALID_STATE_TRANSITION. */
export function requireBeforeEnd({ termDepositId, state, endsOn }: TermDeposit, today: LocalDate) {
  if (today >= endsOn) throw notPossible(termDepositId, state, `Its term ended on ${endsOn}.`)
}

function notPossible(resourceId: string, state: TermDepositState, reason: string): Problem {
  return new Problem('INVALID_STATE_TRANSITION', {
    detail: `${resourceId} is ${state}. ${reason}`,
    resourceId,
    currentState: state,
    allowedStates: termDepositTransitions[state],
  })
}

/**
 * Checks that a deposit can be withdrawn and returns the days of notice that it needs. After a notice,
 * only a waiver withdraws it earlier. Throws INVALID_STATE_TRANSITION, EARLY_WITHDRAWAL_NOT_ALLOWED.
 */
export function requireWithdrawable(deposit: TermDeposit, waiverReason: string | null): number {
  const { termDepositId, state, earlyWithdrawal, endsOn, maturesOn } = deposit
  requireRunning(deposit)
  if (waiverReason !== null) return 0
  if (state === 'notice-given') {
    throw notPossible(termDepositId, state, `It will be paid out on ${endsOn}.`)
  }
  if (earlyWithdrawal !== null) return earlyWithdrawal.noticeDays
  throw notWithdrawable(termDepositId, `It can be withdrawn on ${maturesOn}.`)
}

/** Returns the problem that a deposit cannot be withdrawn now. */
export function notWithdrawable(resourceId: string, reason: string): Problem {
  const detail = `${resourceId} cannot be withdrawn now. ${reason}`
  return new Problem('EARLY_WITHDRAWAL_NOT_ALLOWED', { detail, resourceId })
}

/**
 * Returns a deposit after the notice of its withdrawal. It ends after `noticeDays` days, counted from
 * `today`. If its maturity is not later, it ends then, without a penalty, and is paid out.
 */
export function withNotice(
  before: TermDeposit,
  waiverReason: string | null,
  today: LocalDate,
  noticeDays: number,
): TermDeposit {
  const { startsOn, maturesOn } = before
  const firstDay = today > startsOn ? today : startsOn
  const endsOn = addDays(firstDay, noticeDays)
  const noticed = { ...before, noticeGivenOn: before.noticeGivenOn ?? today, waiverReason }
  return endsOn < maturesOn
    ? { ...noticed, state: 'notice-given', endsOn }
    : { ...noticed, maturityInstruction: 'pay-out' }
}

/**
 * Returns what the running deposit of an account ends by if it is withdrawn on a day without further
 * notice. Throws INVALID_STATE_TRANSITION, EARLY_WITHDRAWAL_NOT_ALLOWED.
 */
export function withdrawn(
  term: TermInputs | null,
  { termDepositId, waiverReason }: Withdrawal,
  today: LocalDate,
): TermInputs {
  if (term?.deposit.termDepositId !== termDepositId) {
    throw notWithdrawable(termDepositId, 'It has ended meanwhile.')
  }
  requireWithdrawable(term.deposit, waiverReason)
  return { ...term, deposit: withNotice(term.deposit, waiverReason, today, 0) }
}
