import { requireSelfService } from '../../../kernel/authorization/self-service.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { fixedTermsOn, requireAgreedTerm } from '../../../kernel/domain/fixed-terms.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { isOnSale } from '../../../kernel/domain/product-sale.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { deposits } from '../commands/book.ts'
import { readProducts } from '../commands/read-facts.ts'
import { amountOf } from '../domain/amount.ts'
import { openPosition } from '../domain/open-position.ts'
import {
  endOf,
  previewEarlyEnd,
  previewOpening,
  type NewDeposit,
} from '../domain/opening-preview.ts'
import { Problem } from '../domain/problems.ts'
import type { ProductFact } from '../domain/terms.ts'
import type { DepositOpeningPreview, PreviewDepositOpeningInput } from '../model/deposit-preview.ts'

/**
 * Returns what a deposit that is opened today would earn. Throws SELF_SERVICE_NOT_ALLOWED,
 * PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE, INTEREST_NOT_FOUND, TERM_DEPOSIT_NOT_OFFERED,
 * EARLY_WITHDRAWAL_NOT_ALLOWED, INVALID_DATE_RANGE, CURRENCY_MISMATCH, VALIDATION_FAILED.
 */
export async function previewDepositOpening(
  context: Context,
  request: PreviewDepositOpeningInput,
): Promise<DepositOpeningPreview> {
  const { productId } = request
  const product = (await readProducts(context, [productId])).get(productId)
  if (!product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  await requireSelfService(context, productId)
  const deposit = await readNewDeposit(context, request, product)
  const { inputs, term, principalMinor, startsOn } = deposit
  const { currency, productVersion } = inputs.position
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  const { grossMinor, taxMinor } = previewOpening(deposit)
  return {
    productVersion,
    startsOn,
    endsOn: endOf(deposit),
    annualRatePct: term?.annualRatePct ?? null,
    amount: money(principalMinor),
    gross: money(grossMinor),
    taxWithheld: money(taxMinor),
    net: money(grossMinor - taxMinor),
    earlyWithdrawal: request.withdrawnOn ? earlyWithdrawalOf(deposit, request.withdrawnOn) : null,
  }
}

async function readNewDeposit(
  context: Context,
  { productId, amount, months }: PreviewDepositOpeningInput,
  product: ProductFact,
): Promise<NewDeposit> {
  const now = context.now()
  const startsOn = dateOf(now)
  const { version: productVersion, currencies = [] } = requireOnSale(product, startsOn)
  const { currency } = amount
  requireOfferedCurrency(currencies, currency)
  const account = {
    arrangementId: '',
    partyId: '',
    productId,
    productVersion,
    currency,
    state: 'active',
    blockedFor: null,
    lifecycle: 'open' as const,
    overdraftLimitMinor: '0',
    openedAt: now.toISOString(),
  }
  const position = openPosition(account, true, now)
  const principalMinor = amountOf(amount, currency, 'amount')
  if (!deposits.isBearing(product, productVersion)) throw new Problem('INTEREST_NOT_FOUND')
  const [terms] = await deposits.readTerms(context, [position])
  const { termsOn, isExemptOn } = terms!
  const offered = fixedTermsOn(product, startsOn)
  const term = offered || months ? requireAgreedTerm(offered, months ?? 0, principalMinor) : null
  return { inputs: { position, termsOn, isExemptOn }, term, principalMinor, startsOn }
}

/** Checks that accounts of the product are opened in a currency. Throws CURRENCY_MISMATCH. */
function requireOfferedCurrency(currencies: readonly string[], currency: string): void {
  if (currencies.includes(currency)) return
  const code = 'CURRENCY_MISMATCH'
  const detail = `The amount is in ${currency}; the product is offered in ${currencies.join(', ')}.`
  throw new Problem(code, { detail, errors: [{ pointer: '/amount/currency', code, detail }] })
}

/** Returns the version on sale. Throws PRODUCT_NOT_ACTIVE. */
function requireOnSale({ productId, versions }: ProductFact, today: LocalDate) {
  const onSale = versions.find((version) => isOnSale(version, today))
  if (onSale) return onSale
  const code = 'PRODUCT_NOT_ACTIVE'
  const detail = `${productId} is not on sale today.`
  throw new Problem(code, { detail, errors: [{ pointer: '/productId', code, detail }] })
}

function earlyWithdrawalOf(deposit: NewDeposit, withdrawnOn: LocalDate) {
  const { term, startsOn, inputs } = deposit
  const { currency, productId } = inputs.position
  if (!term?.earlyWithdrawal) {
    const detail = `A deposit of ${productId} cannot be withdrawn before its maturity.`
    throw new Problem('EARLY_WITHDRAWAL_NOT_ALLOWED', { detail })
  }
  const maturesOn = endOf(deposit)
  if (withdrawnOn <= startsOn || withdrawnOn >= maturesOn) {
    const code = 'INVALID_DATE_RANGE'
    const detail = `withdrawnOn, ${withdrawnOn}, must be after ${startsOn} and before ${maturesOn}.`
    throw new Problem(code, { detail, errors: [{ pointer: '/withdrawnOn', code, detail }] })
  }
  const ended = previewEarlyEnd(deposit, term, withdrawnOn)
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    withdrawnOn,
    interest: money(ended.interestMinor!),
    penalty: money(ended.penaltyMinor!),
    paidOut: money(ended.paidOutMinor!),
  }
}
