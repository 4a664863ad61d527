import { Decimal } from 'decimal.js'
import type { LocalDate } from './dates.ts'
import type { Money } from './money.ts'

/**
 * When a fee is charged: `upfront` once, when the account is opened or the loan is paid out;
 * `per-event` by the month, for each payment the account made in it.
 */
export const feeFrequencies = ['upfront', 'monthly', 'quarterly', 'yearly', 'per-event'] as const
export type FeeFrequency = (typeof feeFrequencies)[number]

/** One step of a tiered fee, for bases up to `upTo`, which is in it; the last step has no end. */
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

/** What a fee is waived for. A campaign waives periods that begin on one of its days. */
export type FeeWaiver =
  | { kind: 'minimum-balance'; amount: Money }
  | { kind: 'customer-segment'; segment: string }
  | { kind: 'account-age'; months: number }
  | {
      kind: 'campaign'
      campaignCode: string
      from: LocalDate
      to: LocalDate
      /** None, or absent: everybody. */
      segments?: readonly string[]
    }

/**
 * A fee as a product defines it: an amount, a percentage of a basis, or tiers of either. All its
 * amounts are in one currency, and it is charged in no other; a percentage without bounds is
 * charged in any.
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
}

/**
 * What a fee is computed on, in minor units of the currency it is charged in. The basis is the
 * amount that is priced, the balance of the account or, per event, what its payments came to; null
 * when there is none. `events` counts the payments, and is 1 for all other fees.
 */
export interface FeeBasis {
  basisMinor: bigint | null
  events: number
  currency: string
}

/**
 * The fee in minor units of the currency, rounded half up; a basis below nothing counts as
 * nothing. Null when the fee has no price there: its amounts are in another currency, or it is a
 * share of something and there is nothing to take it of.
 */
export function feeAmount(fee: Fee, { basisMinor, events, currency }: FeeBasis): bigint | null {
  const own = currencyOf(fee)
  if (own !== null && own !== currency) return null
  if (fee.amount === null && basisMinor === null) return null
  if (events === 0) return 0n
  const basis = basisMinor !== null && basisMinor > 0n ? basisMinor : 0n
  const { amount, percent } = stepOf(fee, basis)
  const minor = amount ? amount.amountMinor * BigInt(events) : shareOf(basis, percent!)
  return within(minor, fee.minimum?.amountMinor ?? null, fee.maximum?.amountMinor ?? null)
}

/** Whether the fee depends on a balance, or on payments, and not on its own terms alone. */
export function needsBasis({ amount, frequency }: Fee): boolean {
  return amount === null || frequency === 'per-event'
}

/** The one currency of the amounts of a fee; null when it has none. */
export function currencyOf(fee: Fee): string | null {
  return moneyOf(fee)[0]?.currency ?? null
}

/** Every amount in the terms of a fee. */
export function moneyOf({ amount, minimum, maximum, tiers, waivers }: Fee): Money[] {
  const inTiers = tiers.flatMap((tier) => [tier.upTo, tier.amount])
  const inWaivers = waivers.map((waiver) => ('amount' in waiver ? waiver.amount : null))
  const all = [amount, minimum, maximum, ...inTiers, ...inWaivers]
  return all.filter((money) => money !== null)
}

function stepOf({ amount, percent, tiers }: Fee, basis: bigint): Omit<FeeTier, 'upTo'> {
  if (tiers.length === 0) return { amount, percent }
  return tiers.find(({ upTo }) => upTo === null || basis <= upTo.amountMinor)!
}

function shareOf(basis: bigint, percent: string): bigint {
  const share = new Decimal(basis.toString()).mul(percent).div(100)
  return BigInt(share.toFixed(0, Decimal.ROUND_HALF_UP))
}

function within(amount: bigint, least: bigint | null, most: bigint | null): bigint {
  if (least !== null && amount < least) return least
  return most !== null && amount > most ? most : amount
}

/** What decides whether a fee is waived for an account in a period that begins on `from`. */
export interface WaiverPremises {
  balanceMinor: bigint | null
  segment: string | null
  openedOn: LocalDate
  from: LocalDate
}

/** The first of its waivers that holds, or null. Segments are compared without case. */
export function waiverOf({ waivers }: Fee, premises: WaiverPremises): FeeWaiver | null {
  return waivers.find((waiver) => holds(waiver, premises)) ?? null
}

function holds(waiver: FeeWaiver, { balanceMinor, segment, openedOn, from }: WaiverPremises) {
  switch (waiver.kind) {
    case 'minimum-balance':
      return balanceMinor !== null && balanceMinor >= waiver.amount.amountMinor
    case 'customer-segment':
      return isOf(segment, [waiver.segment])
    case 'account-age':
      return ageInMonths(openedOn, from) < waiver.months
    case 'campaign':
      return waiver.from <= from && from <= waiver.to && isMeant(segment, waiver.segments ?? [])
  }
}

function isMeant(segment: string | null, segments: readonly string[]): boolean {
  return segments.length === 0 || isOf(segment, segments)
}

function isOf(segment: string | null, segments: readonly string[]): boolean {
  return segments.some((each) => each.toLowerCase() === segment?.toLowerCase())
}

/** Whole months from one day to another; below 0 when it is before. */
function ageInMonths(since: LocalDate, on: LocalDate): number {
  const [year, month, day] = since.split('-').map(Number) as [number, number, number]
  const [toYear, toMonth, toDay] = on.split('-').map(Number) as [number, number, number]
  return (toYear - year) * 12 + toMonth - month - (toDay < day ? 1 : 0)
}

/** A fee as JSON keeps it, in rows and in published facts: amounts are text in minor units. */
export type FeeInJson = { [Member in keyof Fee]?: unknown }

export function feeToJson(fee: Fee): FeeInJson {
  return JSON.parse(
    JSON.stringify(fee, (_member, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  ) as FeeInJson
}

/** The fee that `feeToJson` was given. */
export function feeFromJson(json: FeeInJson): Fee {
  return revived(json) as Fee
}

function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revived)
  const members = Object.entries(value).map(([name, item]) =>
    name === 'amountMinor' ? [name, BigInt(item as string)] : [name, revived(item)],
  )
  return Object.fromEntries(members)
}
