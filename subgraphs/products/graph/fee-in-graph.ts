import type { Fee, FeeWaiver, WaiverKind } from '../../../kernel/domain/fee.ts'
import { parseAmount, type Money } from '../../../kernel/domain/money.ts'
import { Problem } from '../domain/problems.ts'
import { moneyOut, type MoneyInput, type MoneyType } from '../../../kernel/graph/money.types.ts'
import type { ProductFeeInput, ProductFeeWaiverInput } from '../model/fee-inputs.ts'
import type { ProductFee, ProductFeeWaiver } from '../model/fee.ts'

/** Converts a fee to its GraphQL type. */
export function feeOut(fee: Fee): ProductFee {
  const { tiers, waivers } = fee
  return {
    ...fee,
    trigger: fee.trigger ?? null,
    thirdParty: fee.thirdParty ?? null,
    amount: moneyOrNull(fee.amount),
    minimum: moneyOrNull(fee.minimum),
    maximum: moneyOrNull(fee.maximum),
    tiers: tiers.map(({ upTo, amount, percent }) => ({
      upTo: moneyOrNull(upTo),
      amount: moneyOrNull(amount),
      percent,
    })),
    waivers: waivers.map(waiverOut),
  }
}

function moneyOrNull(money: Money | null): MoneyType | null {
  return money && moneyOut(money)
}

function waiverOut(waiver: FeeWaiver): ProductFeeWaiver {
  const emptyFields = {
    minimumBalance: null,
    segment: null,
    months: null,
    campaignCode: null,
    from: null,
    to: null,
  }
  if (waiver.kind !== 'minimum-balance') return { ...emptyFields, ...waiver }
  return { ...emptyFields, kind: waiver.kind, minimumBalance: moneyOut(waiver.amount) }
}

/**
 * Converts a fee input to a fee. `pointer` is the JSON pointer of the fee in the request. Throws
 * VALIDATION_FAILED if an amount is invalid, or if a waiver does not have exactly the fields of its
 * kind.
 */
export function feeIn(fee: ProductFeeInput, pointer: string): Fee {
  const { code, name = null, frequency, percent = null, tiers, waivers } = fee
  return {
    code,
    name,
    frequency,
    amount: moneyIn(fee.amount, `${pointer}/amount`),
    percent,
    tiers: (tiers ?? []).map((tier, index) => ({
      upTo: moneyIn(tier.upTo, `${pointer}/tiers/${index}/upTo`),
      amount: moneyIn(tier.amount, `${pointer}/tiers/${index}/amount`),
      percent: tier.percent ?? null,
    })),
    minimum: moneyIn(fee.minimum, `${pointer}/minimum`),
    maximum: moneyIn(fee.maximum, `${pointer}/maximum`),
    waivers: (waivers ?? []).map((waiver, index) =>
      waiverIn(waiver, `${pointer}/waivers/${index}`),
    ),
    ...(fee.trigger && { trigger: fee.trigger }),
    ...(fee.thirdParty && { thirdParty: fee.thirdParty }),
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
  const requiredNames = membersOf[kind]
  const names = Object.keys(waiver) as (keyof ProductFeeWaiverInput)[]
  const providedNames = names.filter((name) => name !== 'kind' && (waiver[name] ?? null) !== null)
  if (
    providedNames.length !== requiredNames.length ||
    !requiredNames.every((name) => providedNames.includes(name))
  ) {
    const detail = `A waiver of kind ${kind} must have exactly these fields: ${requiredNames.join(', ')}.`
    const errors = [{ pointer, code: 'VALUE_INVALID', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  if (kind === 'minimum-balance') {
    return { kind, amount: moneyIn(minimumBalance, `${pointer}/minimumBalance`)! }
  }
  const entries = requiredNames.map((name) => [name, members[name as keyof typeof members]])
  return { kind, ...Object.fromEntries(entries) } as FeeWaiver
}
