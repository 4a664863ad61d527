import { DefaultInterestBase } from '../../model/late-charges/enumerations.ts'
import { currencyOf, feeFromJson, type Fee, type FeeInJson } from '../../../../kernel/domain/fee.ts'

/** What late payment of a facility costs, as agreed at opening. */
export interface LateChargeTerms {
  /** The fee for each late installment, with the installment as its basis; null if there is none. */
  fee: Fee | null
  /** The annual rate of default interest in percent; `0` if there is none. */
  defaultInterestPct: string
  defaultInterestBase: DefaultInterestBase
  /** The number of days past due after which late charges apply. */
  graceDays: number
  /**
   * The most that the late charges of an installment can be, in percent of its interest and
   * principal; null or absent if nothing was agreed.
   */
  maximumPct?: string | null
  /** Whether a payment covers late charges after the interest and principal of all installments. */
  arePaidLast: boolean
}

/** The published fields of a product version that define late charges. */
export interface LateChargeFields {
  parameters: readonly { name: string; default?: string | null }[]
  fees?: readonly FeeInJson[]
}

/**
 * Returns the late charges of a product version in a currency: its first `per-late-installment`
 * fee that is charged in it, and its parameters `defaultInterestPct`, `defaultInterestBase`,
 * `lateChargeGraceDays`, `maximumLateChargesPct` and `areLateChargesPaidLast`. A parameter that is
 * missing or invalid has the value `0`, `principal`, `0`, none or `false`. Returns null if late
 * payment costs nothing.
 */
export function lateChargesOf(
  { parameters, fees = [] }: LateChargeFields,
  currency: string,
): LateChargeTerms | null {
  const parameter = (name: string) =>
    parameters.find((candidate) => candidate.name === name)?.default ?? ''
  const ratePct = parameter('defaultInterestPct')
  const base = parameter('defaultInterestBase')
  const graceDays = parameter('lateChargeGraceDays')
  const maximumPct = parameter('maximumLateChargesPct')
  const fee = fees
    .map(feeFromJson)
    .filter(({ frequency }) => frequency === 'per-late-installment')
    .find((each) => (currencyOf(each) ?? currency) === currency)
  const terms: LateChargeTerms = {
    fee: fee ?? null,
    defaultInterestPct: isPercentage(ratePct) ? ratePct : '0',
    defaultInterestBase: DefaultInterestBase.values.find((value) => value === base) ?? 'principal',
    graceDays: /^\d{1,3}$/.test(graceDays) ? Number(graceDays) : 0,
    maximumPct: isPercentage(maximumPct) ? maximumPct : null,
    arePaidLast: parameter('areLateChargesPaidLast') === 'true',
  }
  return terms.fee === null && Number(terms.defaultInterestPct) === 0 ? null : terms
}

const isPercentage = (text: string): boolean => /^\d{1,3}(\.\d{1,10})?$/.test(text)
