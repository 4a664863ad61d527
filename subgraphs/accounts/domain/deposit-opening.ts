import type { LocalDate } from '../../../kernel/domain/dates.ts'
import {
  fixedTermsOn,
  requireAgreedTerm,
  type AgreedTerm,
} from '../../../kernel/domain/fixed-terms.ts'
import { parseAmount, type AmountSent } from '../../../kernel/domain/money.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import { productClassName } from '../../../kernel/domain/product-class.ts'
import type { Lifecycle } from '../../../kernel/domain/states.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { OpenDepositInput } from '../model/deposit-opening.ts'
import type { ProductFact } from './opening.ts'
import { Problem } from './problems.ts'

/** The published fact of the account that funds a deposit. */
export interface FundingFact {
  arrangementId: string
  partyId: string
  currency: string
  lifecycle: Lifecycle
}

/** The money with which a deposit begins. */
export interface Funding {
  fundingArrangementId: string
  amountMinor: bigint
}

function problemAt(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/**
 * Returns the money with which a new account begins; null if it begins empty. Throws
 * VALIDATION_FAILED, CURRENCY_MISMATCH, INVALID_AMOUNT.
 */
export function fundingOf(
  { fundingArrangementId, amount }: Pick<OpenDepositInput, 'fundingArrangementId' | 'amount'>,
  currency: string,
): Funding | null {
  if (!fundingArrangementId && !amount) return null
  if (!fundingArrangementId || !amount) {
    const missing = amount ? 'fundingArrangementId' : 'amount'
    const detail = 'Send fundingArrangementId and amount together, or neither of them.'
    const errors = [{ pointer: `/${missing}`, code: 'REQUIRED' as const, detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return { fundingArrangementId, amountMinor: amountOf(amount, currency) }
}

function amountOf(sent: AmountSent, currency: string): bigint {
  if (sent.currency && sent.currency !== currency) {
    const detail = `The amount must be in ${currency}, the currency of the account.`
    throw problemAt('CURRENCY_MISMATCH', '/amount/currency', detail)
  }
  const amountMinor = parseAmount(sent.amount, currency, '/amount/amount')
  if (amountMinor > 0n) return amountMinor
  throw problemAt('INVALID_AMOUNT', '/amount/amount', 'The amount must be greater than zero.')
}

/**
 * Checks that an account can fund a deposit. An account that does not exist is rejected like an
 * account of others. Throws FUNDING_ACCOUNT_NOT_ALLOWED.
 */
export function requireFundingAccount(
  { fundingArrangementId }: Funding,
  funding: FundingFact | null,
  { partyId, currency }: Arrangement,
): void {
  const isAllowed =
    funding?.partyId === partyId && funding.currency === currency && funding.lifecycle === 'open'
  if (isAllowed) return
  const detail = `${fundingArrangementId} is not another open account of the same customer in ${currency}.`
  throw problemAt('FUNDING_ACCOUNT_NOT_ALLOWED', '/fundingArrangementId', detail)
}

/**
 * Returns the term that is agreed with an opening; null for a savings account. Throws
 * PRODUCT_CLASS_NOT_OPENABLE, TERM_DEPOSIT_NOT_OFFERED, VALIDATION_FAILED.
 */
export function termOf(
  { months, maturityInstruction }: Pick<OpenDepositInput, 'months' | 'maturityInstruction'>,
  { productId, versions }: ProductFact,
  funding: Funding | null,
  today: LocalDate,
): AgreedTerm | null {
  const version = versions.find(({ status }) => status === 'active')!
  const productClass = productClassName(version.productClass)
  if (productClass === 'savings-account') {
    const sent = months ? 'months' : maturityInstruction ? 'maturityInstruction' : null
    if (sent === null) return null
    throw invalid(`/${sent}`, 'NOT_ALLOWED', `A savings account has no term; omit ${sent}.`)
  }
  if (productClass !== 'term-deposit') {
    const detail = `${productId} is a ${productClass}; only savings accounts and term deposits can be opened as deposits.`
    throw problemAt('PRODUCT_CLASS_NOT_OPENABLE', '/productId', detail)
  }
  if (!months) throw invalid('/months', 'REQUIRED', 'A term deposit needs the length of its term.')
  if (!funding) throw invalid('/amount', 'REQUIRED', 'A term deposit needs an amount.')
  return requireAgreedTerm(fixedTermsOn({ versions }, today), months, funding.amountMinor)
}

function invalid(pointer: string, code: 'REQUIRED' | 'NOT_ALLOWED', detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
