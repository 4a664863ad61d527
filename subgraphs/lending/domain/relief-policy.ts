import {
  extraPaymentStrategies,
  interestTreatments,
  type ExtraPaymentStrategy,
  type InterestTreatment,
} from './loan.ts'

/** Parameters of a product for extra payments, payment holidays, hardship and losses. */
export interface ReliefPolicy {
  extraPaymentMinimum: string
  extraPaymentStrategy: ExtraPaymentStrategy | null
  /** What of the amount lent may be prepaid in twelve months at no fee, in percent. */
  prepaymentFreePct: string
  /** Of what is prepaid beyond that, in percent. */
  prepaymentFeePct: string
  isHolidayApprovalRequired: boolean
  holidaysPerYear: number
  holidayInstalmentsPerYear: number
  /** Instalments between two holidays. */
  holidayGapInstalments: number
  /** Instalments that came due before the first holiday. */
  holidaySeasoningInstalments: number
  holidayInterestTreatment: InterestTreatment
  /** How long relief in hardship may last, in months. */
  hardshipReliefMonths: number
  /** How long the bank has to decide on a request: 21 days, Australian National Credit Code, section 72. */
  hardshipDecisionDays: number
  /** The largest amount one person charges off or writes off alone, in major units of the facility's currency. */
  lossApprovalLimit: string
}

/** What holds where the product has no parameter of the name. */
export const defaultPolicy: ReliefPolicy = {
  extraPaymentMinimum: '0',
  extraPaymentStrategy: null,
  prepaymentFreePct: '0',
  prepaymentFeePct: '0',
  isHolidayApprovalRequired: false,
  holidaysPerYear: 3,
  holidayInstalmentsPerYear: 6,
  holidayGapInstalments: 0,
  holidaySeasoningInstalments: 0,
  holidayInterestTreatment: 'defer',
  hardshipReliefMonths: 12,
  hardshipDecisionDays: 21,
  lossApprovalLimit: '1000',
}

/** A version of a product, as far as its owner publishes it. */
export interface ProductVersionFact {
  version: string
  status: string
  parameters: readonly { name: string; default: string | null }[]
}

/**
 * The policy of the version that was agreed, or of the active one: each member is the parameter of
 * that name. A parameter that is none of what it could be does not count.
 */
export function policyOf(
  versions: readonly ProductVersionFact[],
  productVersion: string | null,
): ReliefPolicy {
  const found = versions.find(({ version, status }) =>
    productVersion === null ? status === 'active' : version === productVersion,
  )
  const said = new Map(found?.parameters.map((each) => [each.name, each.default]))
  const read = <Value>(name: keyof ReliefPolicy, parse: (text: string) => Value | null): Value => {
    const text = said.get(name)
    const value = text ? parse(text) : null
    return value ?? (defaultPolicy[name] as Value)
  }
  const whole = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : null)
  const decimal = (text: string) => (/^\d{1,15}(\.\d{1,10})?$/.test(text) ? text : null)
  const oneOf =
    <Value extends string>(values: readonly Value[]) =>
    (text: string) =>
      values.find((value) => value === text) ?? null
  return {
    extraPaymentMinimum: read('extraPaymentMinimum', decimal),
    extraPaymentStrategy: read('extraPaymentStrategy', oneOf(extraPaymentStrategies)),
    prepaymentFreePct: read('prepaymentFreePct', decimal),
    prepaymentFeePct: read('prepaymentFeePct', decimal),
    isHolidayApprovalRequired: read('isHolidayApprovalRequired', (text) => text === 'true'),
    holidaysPerYear: read('holidaysPerYear', whole),
    holidayInstalmentsPerYear: read('holidayInstalmentsPerYear', whole),
    holidayGapInstalments: read('holidayGapInstalments', whole),
    holidaySeasoningInstalments: read('holidaySeasoningInstalments', whole),
    holidayInterestTreatment: read('holidayInterestTreatment', oneOf(interestTreatments)),
    hardshipReliefMonths: read('hardshipReliefMonths', whole),
    hardshipDecisionDays: read('hardshipDecisionDays', whole),
    lossApprovalLimit: read('lossApprovalLimit', decimal),
  }
}
