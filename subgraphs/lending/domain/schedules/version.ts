import type { Holiday } from '../../model/schedules/schedule.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../problems.ts'
import type {
  Disbursement,
  ExtraPayment,
  Installment,
  Loan,
  RateChange,
  Reduction,
  Schedule,
  TermExtension,
} from './loan.ts'
import { scheduleOf } from './schedule.ts'

/** The events of a loan that can be reversed. */
export type ScheduleEvent =
  | { kind: 'disbursement'; disbursement: Disbursement }
  | { kind: 'rate-change'; rateChange: RateChange }
  | { kind: 'payment-holiday'; holiday: Holiday }
  | { kind: 'extra-payment'; extraPayment: ExtraPayment }

/** Hardship relief other than a payment holiday. It cannot be reversed. */
export interface Relief {
  rateChange?: RateChange
  extension?: TermExtension
  reduction?: Reduction
  /** The arrears that are added to the principal. */
  capitalized?: Disbursement
}

/** The causes of a new schedule version. */
export type Amendment =
  | ScheduleEvent
  | { kind: 'reversal'; of: ScheduleEvent }
  /** The early end of a payment holiday: `to` replaces `of`. */
  | { kind: 'holiday-shortened'; of: Holiday; to: Holiday }
  | { kind: 'hardship-relief'; relief: Relief }
export const amendmentKinds = [
  'disbursement',
  'rate-change',
  'payment-holiday',
  'extra-payment',
  'reversal',
  'holiday-shortened',
  'hardship-relief',
] as const satisfies readonly Amendment['kind'][]

/** An immutable schedule with its cause. All versions are retained. */
export interface ScheduleVersion {
  version: number
  /**
   * The change that caused this version. Null for the schedule of a revolving limit before its
   * first drawdown, and for a version that was computed from the facility.
   */
  cause: Amendment | null
  loan: Loan
  schedule: Schedule
}

/** The effect of a new schedule version on the borrower. */
export interface AmendmentEffect {
  before: ScheduleFigures
  after: ScheduleFigures
  additionalInterestMinor: bigint
}

export interface ScheduleFigures {
  /** The amount of the next installment that is not due yet; 0 if none is left. */
  installmentMinor: bigint
  maturityDate: LocalDate
  totalInterestMinor: bigint
}

export function firstVersion(loan: Loan, currency: string): ScheduleVersion {
  return { version: 1, cause: null, loan, schedule: scheduleOf(loan, currency) }
}

/**
 * Creates the next version of a schedule. The preview and the commit use this function, so their
 * results cannot differ. Throws INSTALMENT_ALREADY_PAID if an installment that has become due would
 * change, and whatever `scheduleOf` throws.
 */
export function amend(
  current: ScheduleVersion,
  cause: Amendment,
  billedInstallments: number,
  currency: string,
): ScheduleVersion {
  const loan = withAmendment(current.loan, cause)
  const schedule = scheduleOf(loan, currency)
  const changed = current.schedule.installments
    .slice(0, billedInstallments)
    .find((billed, place) => !isSameInstallment(billed, schedule.installments[place]))
  if (changed) {
    const detail = `Installment ${changed.number} is paid and would change.`
    throw new Problem('INSTALMENT_ALREADY_PAID', { detail })
  }
  return { version: current.version + 1, cause, loan, schedule }
}

function isSameInstallment(one: Installment, other: Installment | undefined): boolean {
  return (
    one.dueDate === other?.dueDate &&
    one.paymentMinor === other.paymentMinor &&
    one.interestMinor === other.interestMinor &&
    one.principalMinor === other.principalMinor
  )
}

/**
 * Compares two versions for the borrower: installment amount, maturity date and total interest,
 * before and after the change.
 */
export function effectOf(
  before: ScheduleVersion,
  after: ScheduleVersion,
  billedInstallments: number,
): AmendmentEffect {
  const [previous, next] = [before.schedule, after.schedule].map((schedule) =>
    figuresOf(schedule, billedInstallments),
  )
  return {
    before: previous!,
    after: next!,
    additionalInterestMinor: next!.totalInterestMinor - previous!.totalInterestMinor,
  }
}

function figuresOf(
  { installments, totalInterestMinor }: Schedule,
  billedInstallments: number,
): ScheduleFigures {
  return {
    installmentMinor: installments[billedInstallments]?.paymentMinor ?? 0n,
    maturityDate: installments.at(-1)!.dueDate,
    totalInterestMinor,
  }
}

function withAmendment(loan: Loan, cause: Amendment): Loan {
  switch (cause.kind) {
    case 'disbursement':
      return { ...loan, disbursements: [...loan.disbursements, cause.disbursement] }
    case 'rate-change':
      return { ...loan, rateChanges: [...loan.rateChanges, cause.rateChange] }
    case 'payment-holiday':
      return { ...loan, holidays: [...loan.holidays, cause.holiday] }
    case 'extra-payment':
      return { ...loan, extraPayments: [...loan.extraPayments, cause.extraPayment] }
    case 'reversal':
      return withoutAmendment(loan, cause.of)
    case 'holiday-shortened': {
      const { of, to } = cause
      const holidays = loan.holidays.map((each) => (hasEqualMembers(each, of) ? to : each))
      return { ...loan, holidays }
    }
    case 'hardship-relief':
      return withRelief(loan, cause.relief)
  }
}

function withRelief(loan: Loan, { rateChange, extension, reduction, capitalized }: Relief): Loan {
  const { rateChanges, extensions = [], reductions = [], disbursements } = loan
  return {
    ...loan,
    rateChanges: rateChange ? [...rateChanges, rateChange] : rateChanges,
    extensions: extension ? [...extensions, extension] : extensions,
    reductions: reduction ? [...reductions, reduction] : reductions,
    disbursements: capitalized ? [...disbursements, capitalized] : disbursements,
  }
}

/**
 * Removes an event from a loan. Identical events have the same effect on the schedule, so the last
 * of them is removed.
 */
function withoutAmendment(loan: Loan, of: ScheduleEvent): Loan {
  switch (of.kind) {
    case 'disbursement':
      return { ...loan, disbursements: withoutItem(loan.disbursements, of.disbursement) }
    case 'rate-change':
      return { ...loan, rateChanges: withoutItem(loan.rateChanges, of.rateChange) }
    case 'payment-holiday':
      return { ...loan, holidays: withoutItem(loan.holidays, of.holiday) }
    case 'extra-payment':
      return { ...loan, extraPayments: withoutItem(loan.extraPayments, of.extraPayment) }
  }
}

function withoutItem<Item extends object>(items: readonly Item[], removed: Item): Item[] {
  const place = items.findLastIndex((item) => hasEqualMembers(item, removed))
  return items.filter((_, index) => index !== place)
}

function hasEqualMembers(one: object, other: object): boolean {
  const members = Object.entries(one) as [string, unknown][]
  return members.every(([name, value]) => {
    const otherValue = (other as Record<string, unknown>)[name]
    return typeof value === 'object'
      ? hasEqualMembers(value as object, otherValue as object)
      : value === otherValue
  })
}
