import { Decimal } from 'decimal.js'
import type { LocalDate } from './dates.ts'
import type { Money } from './money.ts'

/**
 * When a fee is charged. An `upfront` fee is charged once, when the account is opened or the loan
 * is paid out. A `per-event` fee is charged monthly, for each payment made from the account in the
 * month. A `per-late-installment` fee is charged once for each late installment of a loan. An
 * `on-event` fee is charged each time its trigger happens on the account. An `on-request` fee is
 * charged by an employee, for a service.
 */
export const feeFrequencies = [
  'upfront',
  'monthly',
  'quarterly',
  'yearly',
  'per-event',
  'per-late-installment',
  'on-event',
  'on-request',
] as const
export type FeeFrequency = (typeof feeFrequencies)[number]

/** What happens on an account when an `on-event` fee is charged. */
export const feeTriggers = ['payment-sent', 'payment-returned', 'standing-order-missed'] as const
export type FeeTrigger = (typeof feeTriggers)[number]

/** The names of third parties. Each has an account of its own in the ledger. */
export const thirdPartyPattern = /^[a-z0-9][a-z0-9-]{0,39}$/

/**
 * One tier of a fee. It applies to a basis up to and including `upTo`; if `upTo` is null, the basis
 * has no upper bound.
 */
export interface FeeTier {
  upTo: Money | null
  amount: Money | null
  percent: string | null
}

export const waiverKinds = [
  'minimum-balance',
  'customer-segment',
  'account-age',
  'campaign',
] as const
export type WaiverKind = (typeof waiverKinds)[number]

/**
 * A condition under which a fee is waived. An `account-age` waiver applies while the account is
 * younger than `months`. A `campaign` waiver applies to fee periods that start between `from` and
 * `to`, both inclusive.
 */
export type FeeWaiver =
  | { kind: 'minimum-balance'; amount: Money }
  | { kind: 'customer-segment'; segment: string }
  | { kind: 'account-age'; months: number }
  | {
      kind: 'campaign'
      campaignCode: string
      from: LocalDate
      to: LocalDate
      /**
       * The customer segments to which the waiver applies. If empty or missing, it applies to all
       * segments.
       */
      segments?: readonly string[]
    }

/**
 * The definition of a fee in a product: an amount, a percentage of a basis, or tiers with an amount
 * or a percentage each. All amounts of a fee have the same currency, and the fee is charged only in
 * this currency. A fee without amounts, such as a percentage without a minimum or maximum, is
 * charged in any currency. `trigger` is set for an `on-event` fee only. `thirdParty` is set if the
 * bank charges the fee on behalf of a third party, to which it then owes the amount.
 */
export interface Fee {
  code: string
  name: string | null
  frequency: FeeFrequency
  amount: Money | null
  percent: string | null
  tiers: FeeTier[]
  minimum: Money | null
  maximum: Money | null
  waivers: FeeWaiver[]
  trigger?: FeeTrigger | null
  thirdParty?: string | null
}

/**
 * The input for computing a fee. `basisMinor` is the priced amount, the balance of the account or,
 * for a `per-event` fee, the total of the payments; null if there is no basis. It is in minor units
 * of `currency`, the currency in which the fee is charged. `events` is the number of payments for a
 * `per-event` fee, and 1 for any other fee.
 */
export interface FeeBasis {
  basisMinor: bigint | null
  events: number
  currency: string
}

/**
 * Returns the fee in minor units of the currency, rounded half up. A negative basis counts as zero.
 * Returns null if the fee cannot be computed: its amounts are in another currency, or it depends on
 * a basis and there is none.
 */
export function feeAmount(fee: Fee, { basisMinor, events, currency }: FeeBasis): bigint | null {
  const feeCurrency = currencyOf(fee)
  if (feeCurrency !== null && feeCurrency !== currency) return null
  if (fee.amount === null && basisMinor === null) return null
  if (events === 0) return 0n
  const basis = basisMinor !== null && basisMinor > 0n ? basisMinor : 0n
  const { amount, percent } = tierOf(fee, basis)
  const minor = amount ? amount.amountMinor * BigInt(events) : shareOf(basis, percent!)
  return clamp(minor, fee.minimum?.amountMinor ?? null, fee.maximum?.amountMinor ?? null)
}

/** Whether fee runs do not charge the fee, but its trigger or an employee does. */
export function isChargedSingly({ frequency }: Pick<Fee, 'frequency'>): boolean {
  return frequency === 'on-event' || frequency === 'on-request'
}

/** Returns the currency of the amounts of a fee; null if the fee has no amounts. */
export function currencyOf(fee: Fee): string | null {
  return moneyOf(fee)[0]?.currency ?? null
}

/** Returns every amount in the definition of a fee, including its tiers and waivers. */
export function moneyOf({ amount, minimum, maximum, tiers, waivers }: Fee): Money[] {
  const tierAmounts = tiers.flatMap((tier) => [tier.upTo, tier.amount])
  const waiverAmounts = waivers.map((waiver) => ('amount' in waiver ? waiver.amount : null))
  const amounts = [amount, minimum, maximum, ...tierAmounts, ...waiverAmounts]
  return amounts.filter((money) => money !== null)
}

function tierOf({ amount, percent, tiers }: Fee, basis: bigint): Omit<FeeTier, 'upTo'> {
  if (tiers.length === 0) return { amount, percent }
  return tiers.find(({ upTo }) => upTo === null || basis <= upTo.amountMinor)!
}

function shareOf(basis: bigint, percent: string): bigint {
  const share = new Decimal(basis.toString()).mul(percent).div(100)
  return BigInt(share.toFixed(0, Decimal.ROUND_HALF_UP))
}

function clamp(amount: bigint, min: bigint | null, max: bigint | null): bigint {
  if (min !== null && amount < min) return min
  return max !== null && amount > max ? max : amount
}

/** A fee as rows and published facts store it: amounts in minor units are strings. */
export type FeeInJson = { [Member in keyof Fee]?: unknown }

export function feeToJson(fee: Fee): FeeInJson {
  return JSON.parse(
    JSON.stringify(fee, (_member, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  ) as FeeInJson
}

/** Converts the result of `feeToJson` back to a fee. */
export function feeFromJson(json: FeeInJson): Fee {
  return withBigInts(json) as Fee
}

function withBigInts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withBigInts)
  const members = Object.entries(value).map(([name, item]) =>
    name === 'amountMinor' ? [name, BigInt(item as string)] : [name, withBigInts(item)],
  )
  return Object.fromEntries(members)
}
