import type { Fee, FeeWaiver, WaiverKind } from '../../_kernel/domain/fee.ts'
import { parseAmount, type Money } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { moneyOut, type MoneyInput, type MoneyType } from '../../_kernel/graph/money.types.ts'
import type { ProductFeeInput, ProductFeeWaiverInput } from './fee.inputs.ts'
import type { ProductFee, ProductFeeWaiver } from './fee.types.ts'

/** Converts a fee of the domain to GraphQL. */
export function feeOut(fee: Fee): ProductFee {
  const { tiers, waivers } = fee
  return {
    ...fee,
    amount: moneyOrNone(fee.amount),
    minimum: moneyOrNone(fee.minimum),
    maximum: moneyOrNone(fee.maximum),
    tiers: tiers.map(({ upTo, amount, percent }) => ({
      upTo: moneyOrNone(upTo),
      amount: moneyOrNone(amount),
      percent,
    })),
    waivers: waivers.map(waiverOut),
  }
}

function moneyOrNone(money: Money | null): MoneyType | null {
  return money && moneyOut(money)
}

function waiverOut(waiver: FeeWaiver): ProductFeeWaiver {
  const none = {
    minimumBalance: null,
    segment: null,
    months: null,
    campaignCode: null,
    from: null,
    to: null,
  }
  if (waiver.kind !== 'minimum-balance') return { ...none, ...waiver }
  return { ...none, kind: waiver.kind, minimumBalance: moneyOut(waiver.amount) }
}

/**
 * Converts a fee input to the domain. Rejects with VALIDATION_FAILED a waiver that does not have
 * exactly the fields of its kind.
 */
export function feeIn(fee: ProductFeeInput, at: string): Fee {
  const { code, name = null, frequency, percent = null, tiers, waivers } = fee
  return {
    code,
    name,
    frequency,
    amount: moneyIn(fee.amount, `${at}/amount`),
    percent,
    tiers: (tiers ?? []).map((tier, index) => ({
      upTo: moneyIn(tier.upTo, `${at}/tiers/${index}/upTo`),
      amount: moneyIn(tier.amount, `${at}/tiers/${index}/amount`),
      percent: tier.percent ?? null,
    })),
    minimum: moneyIn(fee.minimum, `${at}/minimum`),
    maximum: moneyIn(fee.maximum, `${at}/maximum`),
    waivers: (waivers ?? []).map((waiver, index) => waiverIn(waiver, `${at}/waivers/${index}`)),
  }
}

function moneyIn(money: MoneyInput | null | undefined, pointer: string): Money | null {
  if (!money) return null
  const { amount, currency } = money
  return { amountMinor: parseAmount(amount, currency, pointer), currency }
}

const membersOf: Record<WaiverKind, readonly (keyof ProductFeeWaiverInput)[]> = {
  'minimum-balance': ['minimumBalance'],
  'customer-segment': ['segment'],
  'account-age': ['months'],
  campaign: ['campaignCode', 'from', 'to'],
}

function waiverIn(waiver: ProductFeeWaiverInput, pointer: string): FeeWaiver {
  const { kind, minimumBalance, ...members } = waiver
  const wanted = membersOf[kind]
  const names = Object.keys(waiver) as (keyof ProductFeeWaiverInput)[]
  const given = names.filter((name) => name !== 'kind' && (waiver[name] ?? null) !== null)
  if (given.length !== wanted.length || !wanted.every((name) => given.includes(name))) {
    const detail = `A waiver of kind ${kind} must have exactly these fields: ${wanted.join(', ')}.`
    const errors = [{ pointer, code: 'VALUE_INVALID', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  if (kind === 'minimum-balance') {
    return { kind, amount: moneyIn(minimumBalance, `${pointer}/minimumBalance`)! }
  }
  const own = wanted.map((name) => [name, members[name as keyof typeof members]])
  return { kind, ...Object.fromEntries(own) } as FeeWaiver
}
