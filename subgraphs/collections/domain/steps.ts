import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { CollectionsPauseReason } from '../model/enumerations.ts'
import type { CollectionsStrategy, CollectionsStrategyStep } from '../model/strategy.ts'
import type { LateContract } from './contract.ts'

/** The part of a strategy on which the steps depend. */
export type Strategy = Pick<CollectionsStrategy, 'steps' | 'daysBetweenLetters' | 'minimumAmounts'>

/** A step of the episode that was decided before. */
export interface FormerStep {
  code: string
  action: CollectionsStrategyStep['action']
  decidedOn: LocalDate
}

export interface Pause {
  reason: CollectionsPauseReason
  /** The last day; null if it is not known. */
  until: LocalDate | null
}

/** What a nightly run does for a contract. */
export interface Evaluation {
  pause: Pause | null
  steps: CollectionsStrategyStep[]
  /** The step that follows, after `steps`; its day is null during a pause. */
  next: { code: string; on: LocalDate | null } | null
}

/**
 * Decides what a nightly run does for a contract in arrears. A step is due from its number of days
 * past due on, and only if its code is not in the history. An episode has at most one case, also if a
 * later strategy opens it with another code. All cases are opened and escalated that are due, but at
 * most one letter is sent: letters keep their order and their distance, so that a borrower whose
 * arrears are found late does not get three letters in one night (as the dunning levels and the
 * dunning interval of SAP do). Nothing is due during a pause.
 */
export function evaluate(
  strategy: Strategy,
  contract: LateContract,
  history: readonly FormerStep[],
  today: LocalDate,
): Evaluation {
  const pause = pauseOf(strategy, contract, today)
  const schedule = scheduleOf(strategy, contract.daysPastDue, history, today)
  if (pause) {
    const [first] = schedule
    return { pause, steps: [], next: first ? { code: first.step.code, on: null } : null }
  }
  const [following] = schedule.filter(({ on }) => on > today)
  return {
    pause,
    steps: schedule.filter(({ on }) => on <= today).map(({ step }) => step),
    next: following ? { code: following.step.code, on: following.on } : null,
  }
}

/** Whether an episode begins: the strategy pursues the amount, and its first step is due. */
export function isEpisodeDue(strategy: Strategy, contract: LateContract): boolean {
  const [first] = strategy.steps
  return (
    first !== undefined &&
    contract.daysPastDue >= first.fromDaysPastDue &&
    contract.arrearsMinor >= minimumOf(strategy, contract.currency)
  )
}

/** Returns the steps that are left with their first days, in the order of these days. */
function scheduleOf(
  { steps, daysBetweenLetters }: Strategy,
  daysPastDue: number,
  history: readonly FormerStep[],
  today: LocalDate,
) {
  const former = new Set(history.map(({ code }) => code))
  const hasCase = history.some(({ action }) => action === 'open-case')
  let lastLetterOn = history
    .filter(({ action }) => action === 'send-letter')
    .map(({ decidedOn }) => decidedOn)
    .toSorted()
    .at(-1)
  const schedule = steps
    .filter(({ code, action }) => !former.has(code) && !(hasCase && action === 'open-case'))
    .map((step) => {
      const dueOn = addDays(today, Math.max(0, step.fromDaysPastDue - daysPastDue))
      if (step.action !== 'send-letter') return { step, on: dueOn }
      const earliest = lastLetterOn ? addDays(lastLetterOn, daysBetweenLetters) : dueOn
      const on = earliest > dueOn ? earliest : dueOn
      lastLetterOn = on
      return { step, on }
    })
  return schedule.toSorted((one, other) => (one.on < other.on ? -1 : one.on > other.on ? 1 : 0))
}

/** Returns why nothing is done for a contract; null if steps are taken. */
function pauseOf(strategy: Strategy, contract: LateContract, today: LocalDate): Pause | null {
  const earlier = pauseBeforeDispute(contract, today)
  if (earlier) return earlier
  const { holds, currency, arrearsMinor } = contract
  if (holds.isDisputed) return { reason: 'dispute', until: null }
  if (holds.promiseUntil !== null && holds.promiseUntil >= today) {
    return { reason: 'promise-to-pay', until: holds.promiseUntil }
  }
  if (arrearsMinor < minimumOf(strategy, currency)) return { reason: 'below-minimum', until: null }
  return null
}

/** Returns the pause that applies whether or not the contract is disputed; null if there is none. */
export function pauseBeforeDispute({ holds }: LateContract, today: LocalDate): Pause | null {
  if (holds.isDeceased) return { reason: 'deceased', until: null }
  if (holds.isRestricted) return { reason: 'processing-restricted', until: null }
  if (holds.hasHardshipRequest) return { reason: 'hardship-request', until: null }
  if (holds.reliefUntil !== null && holds.reliefUntil >= today) {
    return { reason: 'relief', until: holds.reliefUntil }
  }
  return null
}

function minimumOf({ minimumAmounts }: Strategy, currency: string): bigint {
  const minimum = minimumAmounts.find((each) => each.currency === currency)
  return minimum ? parseAmount(minimum.amount, currency) : 0n
}
