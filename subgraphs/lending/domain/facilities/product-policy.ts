import { ExtraPaymentStrategy, InterestTreatment } from '../../model/schedules/enumerations.ts'

/** The parameters of a product for extra payments, relief, losses and promises. */
export interface ProductPolicy {
  /** The minimum extra payment, in major units of the facility's currency. */
  extraPaymentMinimum: string
  extraPaymentStrategy: ExtraPaymentStrategy | null
  /**
   * The part of the disbursed amount that can be prepaid within twelve months without a fee, in
   * percent.
   */
  prepaymentFreePct: string
  /** The fee on prepayments above the free part, in percent. */
  prepaymentFeePct: string
  isHolidayApprovalRequired: boolean
  holidaysPerYear: number
  holidayInstallmentsPerYear: number
  /** The minimum number of installments between two payment holidays. */
  holidayGapInstallments: number
  /** The number of installments that must have become due before the first payment holiday. */
  holidaySeasoningInstallments: number
  holidayInterestTreatment: InterestTreatment
  /** The maximum duration of hardship relief, in months. */
  hardshipReliefMonths: number
  /**
   * The number of days in which the bank must decide on a request. The default of 21 days is from
   * the Australian National Credit Code, section 72.
   */
  hardshipDecisionDays: number
  /** The maximum loss that one person may book alone, in major units of the facility's currency. */
  lossApprovalLimit: string
  /** How many days ahead the last day of a promise to pay may be. */
  promiseToPayDays: number
}

/** The values for parameters that a product does not define or that are invalid. */
export const defaultPolicy: ProductPolicy = {
  extraPaymentMinimum: '0',
  extraPaymentStrategy: null,
  prepaymentFreePct: '0',
  prepaymentFeePct: '0',
  isHolidayApprovalRequired: false,
  holidaysPerYear: 3,
  holidayInstallmentsPerYear: 6,
  holidayGapInstallments: 0,
  holidaySeasoningInstallments: 0,
  holidayInterestTreatment: 'defer',
  hardshipReliefMonths: 12,
  hardshipDecisionDays: 21,
  lossApprovalLimit: '1000',
  promiseToPayDays: 30,
}

/** The published fields of a product version that determine its policy. */
export interface ProductVersionFact {
  version: string
  status: string
  parameters: readonly { name: string; default: string | null }[]
}

/**
 * Returns the policy of the agreed product version, or of the active version if none was agreed.
 * Each field is the default value of the product parameter with the same name, or the value in
 * `defaultPolicy` if the parameter is missing or invalid.
 */
export function policyOf(
  versions: readonly ProductVersionFact[],
  productVersion: string | null,
): ProductPolicy {
  const found = versions.find(({ version, status }) =>
    productVersion === null ? status === 'active' : version === productVersion,
  )
  const valueByName = new Map(found?.parameters.map((each) => [each.name, each.default]))
  const read = <Value>(name: keyof ProductPolicy, parse: (text: string) => Value | null): Value => {
    const text = valueByName.get(name)
    const value = text ? parse(text) : null
    return value ?? (defaultPolicy[name] as Value)
  }
  const wholeNumber = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : null)
  const decimal = (text: string) => (/^\d{1,15}(\.\d{1,10})?$/.test(text) ? text : null)
  const oneOf =
    <Value extends string>(values: readonly Value[]) =>
    (text: string) =>
      values.find((value) => value === text) ?? null
  return {
    extraPaymentMinimum: read('extraPaymentMinimum', decimal),
    extraPaymentStrategy: read('extraPaymentStrategy', oneOf(ExtraPaymentStrategy.values)),
    prepaymentFreePct: read('prepaymentFreePct', decimal),
    prepaymentFeePct: read('prepaymentFeePct', decimal),
    isHolidayApprovalRequired: read('isHolidayApprovalRequired', (text) => text === 'true'),
    holidaysPerYear: read('holidaysPerYear', wholeNumber),
    holidayInstallmentsPerYear: read('holidayInstallmentsPerYear', wholeNumber),
    holidayGapInstallments: read('holidayGapInstallments', wholeNumber),
    holidaySeasoningInstallments: read('holidaySeasoningInstallments', wholeNumber),
    holidayInterestTreatment: read('holidayInterestTreatment', oneOf(InterestTreatment.values)),
    hardshipReliefMonths: read('hardshipReliefMonths', wholeNumber),
    hardshipDecisionDays: read('hardshipDecisionDays', wholeNumber),
    lossApprovalLimit: read('lossApprovalLimit', decimal),
    promiseToPayDays: read('promiseToPayDays', wholeNumber),
  }
}
