import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type {
  Disbursement,
  ExtraPayment,
  Holiday,
  Instalment,
  Loan,
  RateChange,
  Reduction,
  Schedule,
  TermExtension,
} from './loan.ts'
import { scheduleOf } from './schedule.ts'

/** What may happen to a loan, and be taken back. */
export type Happened =
  | { kind: 'disbursement'; disbursement: Disbursement }
  | { kind: 'rate-change'; rateChange: RateChange }
  | { kind: 'payment-holiday'; holiday: Holiday }
  | { kind: 'extra-payment'; extraPayment: ExtraPayment }

/** What a borrower in hardship is given beside a payment holiday; nothing of it is taken back. */
export interface Relief {
  rateChange?: RateChange
  extension?: TermExtension
  reduction?: Reduction
  /** What was due and not paid, repaid with the rest from now on. */
  capitalised?: Disbursement
}

/** What makes a new version of a schedule. */
export type Amendment =
  | Happened
  | { kind: 'reversal'; of: Happened }
  /** A holiday that is over before its time. */
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

/** A schedule as it stood, and why it came to be. Every version is kept. */
export interface ScheduleVersion {
  version: number
  /** Null for the first. */
  cause: Amendment | null
  loan: Loan
  schedule: Schedule
}

/** What a version changes for the borrower. */
export interface AmendmentEffect {
  before: ScheduleFigures
  after: ScheduleFigures
  additionalInterestMinor: bigint
}

export interface ScheduleFigures {
  /** The next instalment that is not paid. */
  instalmentMinor: bigint
  maturityDate: LocalDate
  totalInterestMinor: bigint
}

export function firstVersion(loan: Loan, currency: string): ScheduleVersion {
  return { version: 1, cause: null, loan, schedule: scheduleOf(loan, currency) }
}

/**
 * The next version of a schedule. The same function previews and commits, so they cannot differ.
 * Refuses with INSTALMENT_ALREADY_PAID what would change one of the paid instalments, and with what
 * `scheduleOf` refuses.
 */
export function amend(
  current: ScheduleVersion,
  cause: Amendment,
  paidInstalments: number,
  currency: string,
): ScheduleVersion {
  const loan = withAmendment(current.loan, cause)
  const schedule = scheduleOf(loan, currency)
  const changed = current.schedule.instalments
    .slice(0, paidInstalments)
    .find((paid, place) => !isSame(paid, schedule.instalments[place]))
  if (changed) {
    const detail = `Instalment ${changed.number} is paid and would change.`
    throw new Problem('INSTALMENT_ALREADY_PAID', { detail })
  }
  return { version: current.version + 1, cause, loan, schedule }
}

function isSame(one: Instalment, other: Instalment | undefined): boolean {
  return (
    one.dueDate === other?.dueDate &&
    one.paymentMinor === other.paymentMinor &&
    one.interestMinor === other.interestMinor &&
    one.principalMinor === other.principalMinor
  )
}

/** What the borrower wants to know before agreeing: instalment, maturity and cost, before and after. */
export function effectOf(
  before: ScheduleVersion,
  after: ScheduleVersion,
  paidInstalments: number,
): AmendmentEffect {
  const [was, is] = [before.schedule, after.schedule].map((it) => figuresOf(it, paidInstalments))
  return {
    before: was!,
    after: is!,
    additionalInterestMinor: is!.totalInterestMinor - was!.totalInterestMinor,
  }
}

function figuresOf({ instalments, totalInterestMinor }: Schedule, paid: number): ScheduleFigures {
  return {
    instalmentMinor: instalments[paid]?.paymentMinor ?? 0n,
    maturityDate: instalments.at(-1)!.dueDate,
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
      const holidays = loan.holidays.map((each) => (isAlike(each, cause.of) ? cause.to : each))
      return { ...loan, holidays }
    }
    case 'hardship-relief':
      return withRelief(loan, cause.relief)
  }
}

function withRelief(loan: Loan, { rateChange, extension, reduction, capitalised }: Relief): Loan {
  const { rateChanges, extensions = [], reductions = [], disbursements } = loan
  return {
    ...loan,
    rateChanges: rateChange ? [...rateChanges, rateChange] : rateChanges,
    extensions: extension ? [...extensions, extension] : extensions,
    reductions: reduction ? [...reductions, reduction] : reductions,
    disbursements: capitalised ? [...disbursements, capitalised] : disbursements,
  }
}

/** The loan as if it had not happened. Two that are alike are the same to a schedule: the last goes. */
function withoutAmendment(loan: Loan, of: Happened): Loan {
  switch (of.kind) {
    case 'disbursement':
      return { ...loan, disbursements: without(loan.disbursements, of.disbursement) }
    case 'rate-change':
      return { ...loan, rateChanges: without(loan.rateChanges, of.rateChange) }
    case 'payment-holiday':
      return { ...loan, holidays: without(loan.holidays, of.holiday) }
    case 'extra-payment':
      return { ...loan, extraPayments: without(loan.extraPayments, of.extraPayment) }
  }
}

function without<Item extends object>(items: readonly Item[], gone: Item): Item[] {
  const place = items.findLastIndex((item) => isAlike(item, gone))
  return items.filter((_, at) => at !== place)
}

function isAlike(one: object, other: object): boolean {
  const members = Object.entries(one) as [string, unknown][]
  return members.every(([name, value]) => {
    const its = (other as Record<string, unknown>)[name]
    return typeof value === 'object' ? isAlike(value as object, its as object) : value === its
  })
}
