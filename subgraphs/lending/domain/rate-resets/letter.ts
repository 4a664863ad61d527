import { Decimal } from 'decimal.js'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import { applyTransition, type TransitionRequest } from '../../../../kernel/domain/state-machine.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import {
  rateResetLetterStates,
  type RateResetLetter,
} from '../../model/rate-resets/rate-reset-letter.ts'
import type { Facility } from '../facilities/facility.ts'
import type { Installment, Schedule } from '../schedules/loan.ts'
import type { AppliedResets, RateReset } from './rate-reset.ts'

/** Consecutive payments of the same amount. */
export interface EqualPayments {
  count: number
  firstDueDate: LocalDate
  lastDueDate: LocalDate
  amountMinor: bigint
}

/** What a letter about a reset says: the rates, and the payments before and after the change. */
export interface LetterFigures {
  facilityId: string
  currency: string
  reset: RateReset
  /** Such as `monthly` or `every 10 days`. A reset does not change it. */
  frequency: string
  before: RemainingPayments
  after: RemainingPayments
  /** The interest that the reset adds over the remaining term; negative if it saves interest. */
  additionalInterestMinor: bigint
}

/** The payments of a schedule after a day. There is at least one. */
export interface RemainingPayments {
  count: number
  first: Installment
  last: Installment
  groups: readonly EqualPayments[]
}

/**
 * Returns the resets about which letters are sent: those that changed the rate, if payments follow on
 * which they have an effect. Of resets that waited for their fixings and take effect on the same day,
 * only the last one counts, and only if the rate is not the one before all of them.
 */
export function resetsToReport({ resets, changes }: AppliedResets): RateReset[] {
  const schedules = new Map(changes.map(({ version }) => [version.version, version.schedule]))
  const changed = resets.filter(({ scheduleVersion }) => scheduleVersion !== null)
  return changed.filter(({ scheduleVersion, effectiveFrom, ratePct }, index) => {
    if (changed[index + 1]?.effectiveFrom === effectiveFrom) return false
    const first = changed.find((each) => each.effectiveFrom === effectiveFrom)!
    const schedule = schedules.get(scheduleVersion!)!
    return (
      !new Decimal(first.previousRatePct).eq(ratePct) &&
      installmentsAfter(schedule, effectiveFrom).length > 0
    )
  })
}

/** Creates the letter to a party about a reset. It is sent after the commit of the reset. */
export function newLetter(
  { facilityId, resetOn }: RateReset,
  partyId: string,
  base: Versioned & Pick<RateResetLetter, 'rateResetLetterId'>,
): RateResetLetter {
  return {
    ...base,
    facilityId,
    resetOn,
    partyId,
    state: 'due',
    notificationId: null,
    documentId: null,
    failureCode: null,
    acceptedAt: null,
  }
}

/**
 * Returns a letter that failed, to be tried again. One that was sent keeps its notification, so that
 * only its document is stored again.
 */
export function retriedLetter(letter: RateResetLetter, failed: RateResetLetter): RateResetLetter {
  const wasSent = failed.state === 'not-stored'
  return wasSent
    ? { ...letter, state: 'accepted', failureCode: null }
    : { ...letter, notificationId: null, failureCode: null }
}

/** Returns the next version of a letter that failed, to be tried again. */
export function retryOf(failed: RateResetLetter, request: TransitionRequest): RateResetLetter {
  const operation = 'retryRateResetLetter'
  const letter = applyTransition(rateResetLetterStates, operation, failed, request)
  const version = failed.version + 1
  return { ...retriedLetter(letter, failed), version, updatedAt: request.now }
}

/** Returns the figures of a letter from the schedules before and after the reset. */
export function letterFigures(
  { facilityId, currency, loan }: Pick<Facility, 'facilityId' | 'currency' | 'loan'>,
  reset: RateReset,
  before: Schedule,
  after: Schedule,
): LetterFigures {
  const { frequency, everyDays } = loan.terms
  return {
    facilityId,
    currency,
    reset,
    frequency: frequency === 'days' ? `every ${everyDays} days` : frequency,
    before: remainingPayments(before, reset.effectiveFrom),
    after: remainingPayments(after, reset.effectiveFrom),
    additionalInterestMinor: after.totalInterestMinor - before.totalInterestMinor,
  }
}

const installmentsAfter = ({ installments }: Schedule, day: LocalDate): Installment[] =>
  installments.filter(({ dueDate }) => dueDate > day)

/**
 * Returns the payments of a schedule after a day. Installments in which nothing is to be paid, such as
 * those of a payment holiday, are no payments, unless there are no others; the groups contain them.
 */
function remainingPayments(schedule: Schedule, day: LocalDate): RemainingPayments {
  const installments = installmentsAfter(schedule, day)
  const paid = installments.filter(({ paymentMinor }) => paymentMinor > 0n)
  const payments = paid.length > 0 ? paid : installments
  return {
    count: payments.length,
    first: payments[0]!,
    last: payments.at(-1)!,
    groups: groupsOf(installments),
  }
}

function groupsOf(payments: readonly Installment[]): EqualPayments[] {
  const groups: EqualPayments[] = []
  for (const { dueDate, paymentMinor } of payments) {
    const group = groups.at(-1)
    if (group?.amountMinor === paymentMinor) {
      group.count += 1
      group.lastDueDate = dueDate
    } else {
      groups.push({
        count: 1,
        firstDueDate: dueDate,
        lastDueDate: dueDate,
        amountMinor: paymentMinor,
      })
    }
  }
  return groups
}

/**
 * Returns the variables of the template. The guide to reference rates lists them, with those that
 * Directives 2014/17/EU (article 27) and (EU) 2023/2225 (article 24) require.
 */
export function letterValues(
  { facilityId, currency, reset, frequency, before, after, ...figures }: LetterFigures,
  referenceRateName: string,
) {
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    contractId: facilityId,
    currency,
    ratePct: reset.ratePct,
    effectiveFrom: reset.effectiveFrom,
    previousRatePct: reset.previousRatePct,
    referenceRate: referenceRateName,
    referenceRatePct: reset.fixingPct,
    fixedOn: reset.fixedOn,
    payment: money(after.first.paymentMinor),
    paymentFrom: after.first.dueDate,
    previousPayment: money(before.first.paymentMinor),
    lastPayment: money(after.last.paymentMinor),
    lastPaymentOn: after.last.dueDate,
    previousLastPaymentOn: before.last.dueDate,
    payments: after.count,
    previousPayments: before.count,
    frequency,
    additionalInterest: money(figures.additionalInterestMinor),
  }
}
