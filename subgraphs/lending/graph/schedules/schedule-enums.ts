import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { repaymentFrequencies } from '../../domain/schedules/calendar.ts'
import { dayCounts } from '../../domain/schedules/day-count.ts'
import {
  extraPaymentStrategies,
  holidayTypes,
  interestTreatments,
  repaymentMethods,
  termTreatments,
} from '../../domain/schedules/loan.ts'

export const RepaymentMethodEnum = wireEnum(
  'RepaymentMethod',
  repaymentMethods,
  'How a loan is repaid.',
  {
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
  },
)
export const RepaymentFrequencyEnum = wireEnum(
  'RepaymentFrequency',
  repaymentFrequencies,
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
export const DayCountEnum = wireEnum(
  'DayCount',
  dayCounts,
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
export const PaymentHolidayTypeEnum = wireEnum(
  'PaymentHolidayType',
  holidayTypes,
  'The part of the installments that need not be paid during a payment holiday.',
  {
    full: 'Neither principal nor interest is paid.',
    'principal-only': 'No principal is paid. Interest is paid unless it is waived.',
  },
)
export const InterestTreatmentEnum = wireEnum(
  'InterestTreatment',
  interestTreatments,
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
export const TermTreatmentEnum = wireEnum(
  'TermTreatment',
  termTreatments,
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
export const ExtraPaymentStrategyEnum = wireEnum(
  'ExtraPaymentStrategy',
  extraPaymentStrategies,
  'What an extra payment changes in the schedule.',
  {
    'reduce-instalment': 'The remaining installments become smaller. The maturity date is kept.',
    'reduce-term': 'The loan ends earlier. The installment amount is kept.',
    'prepay-next': 'The payment is deducted from the next installments.',
    payoff: 'The payment repays the facility in full.',
  },
)
