import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const RepaymentMethod = enumeration('RepaymentMethod', 'How a loan is repaid.', {
  annuity: 'The loan is repaid in equal installments of principal and interest.',
  'equal-principal':
    'The loan is repaid in installments of equal principal, plus the interest of each period.',
  'interest-only':
    'The installments pay interest. The principal is repaid with the last installment.',
  balloon:
    'The loan is repaid in equal installments. A balloon amount is due with the last ' +
    'installment.',
  flat:
    'The loan is repaid in equal installments. During the whole term, their interest is ' +
    'computed on the disbursed amount less extra payments.',
})
export type RepaymentMethod = TypeOf<typeof RepaymentMethod>

export const RepaymentFrequency = enumeration(
  'RepaymentFrequency',
  'How often an installment is due.',
  {
    monthly:
      'An installment is due every month, on the day of the month on which the schedule starts.',
    weekly: 'An installment is due every 7 days.',
    biweekly: 'An installment is due every 14 days.',
    quarterly: 'An installment is due every three months.',
    yearly: 'An installment is due every year.',
    days: 'An installment is due every `everyDays` days.',
  },
)
export type RepaymentFrequency = TypeOf<typeof RepaymentFrequency>

export const DayCount = enumeration(
  'DayCount',
  'The day count convention: how the days of an interest period are counted.',
  {
    'thirty-360':
      'Each full month counts as one twelfth of a year. Each day of a partial month counts as an ' +
      'equal part of that month.',
    'thirty-360-us': '30/360 (bond basis), ISDA 2006 section 4.16 (f).',
    'thirty-e-360': '30E/360 (Eurobond basis), ISDA 2006 section 4.16 (g).',
    'thirty-e-360-isda': '30E/360 (ISDA), ISDA 2006 section 4.16 (h).',
    'act-360': 'Actual days, divided by a year of 360 days.',
    'act-364': 'Actual days, divided by a year of 364 days.',
    'act-365': 'Actual days, divided by a year of 365 days.',
    'act-act': 'Actual days, each divided by the 365 or 366 days of its calendar year (ISDA).',
  },
)
export type DayCount = TypeOf<typeof DayCount>

export const HolidayType = enumeration(
  'PaymentHolidayType',
  'The part of the installments that need not be paid during a payment holiday.',
  {
    full: 'Neither principal nor interest is paid.',
    'principal-only': 'No principal is paid. Interest is paid unless it is waived.',
  },
)
export type HolidayType = TypeOf<typeof HolidayType>

export const InterestTreatment = enumeration(
  'InterestTreatment',
  'What happens to the interest that is not paid because of a payment holiday or a temporary ' +
    'reduction.',
  {
    capitalise: 'The interest is added to the principal.',
    defer:
      'The interest is collected with the first installment after a payment holiday or, for a ' +
      'temporary reduction, within later installments.',
    waive: 'The interest is not charged.',
  },
)
export type InterestTreatment = TypeOf<typeof InterestTreatment>

export const TermTreatment = enumeration(
  'TermTreatment',
  'How the schedule continues after a payment holiday.',
  {
    extend:
      'The installments of the payment holiday are added at the end, so the maturity date moves ' +
      'later.',
    'keep-maturity': 'The maturity date is kept, and the remaining installments increase.',
    'keep-instalment':
      'The installment amount is kept, and the loan ends when everything is repaid.',
  },
)
export type TermTreatment = TypeOf<typeof TermTreatment>

export const ExtraPaymentStrategy = enumeration(
  'ExtraPaymentStrategy',
  'What an extra payment changes in the schedule.',
  {
    'reduce-instalment': 'The remaining installments become smaller. The maturity date is kept.',
    'reduce-term': 'The loan ends earlier. The installment amount is kept.',
    'prepay-next': 'The payment is deducted from the next installments.',
    payoff: 'The payment repays the facility in full.',
  },
)
export type ExtraPaymentStrategy = TypeOf<typeof ExtraPaymentStrategy>

export const DelinquencyStage = enumeration(
  'DelinquencyStage',
  'How late a facility is, measured by the days since the due date of its oldest unpaid ' +
    'installment.',
  {
    current: 'No amount is past due.',
    'past-due': 'The facility is from 1 to 29 days past due.',
    'increased-risk': 'The facility is from 30 to 89 days past due (IFRS 9, 5.5.11).',
    default: 'The facility is 90 or more days past due (Regulation (EU) 575/2013, Article 178).',
  },
)
export type DelinquencyStage = TypeOf<typeof DelinquencyStage>
