import type { Money } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'

/** The maximum number of signatories. Every payment under the rule contains all of them. */
export const maxSignatories = 20

/** What a signing rule says. */
export interface SigningRuleContent {
  requiredSignatures: number
  fromAmount: Money | null
  signatoryPartyIds: readonly string[]
}

/**
 * Checks a signing rule for an account in `currency`. Throws VALIDATION_FAILED, INVALID_AMOUNT and
 * CURRENCY_MISMATCH.
 */
export function requireValidRule(
  { requiredSignatures, fromAmount, signatoryPartyIds }: SigningRuleContent,
  currency: string,
): void {
  const count = signatoryPartyIds.length
  if (count > maxSignatories) {
    throw invalid(
      '/signatoryPartyIds',
      `The rule has ${count} signatories; the maximum is ${maxSignatories}.`,
    )
  }
  if (new Set(signatoryPartyIds).size < count) {
    throw invalid('/signatoryPartyIds', 'Each signatory must be listed once.')
  }
  const max = Math.max(count, 1)
  if (requiredSignatures < 1 || requiredSignatures > max) {
    throw invalid(
      '/requiredSignatures',
      `The number of signatures must be from 1 to ${max}; it is ${requiredSignatures}.`,
    )
  }
  if (!fromAmount) return
  if (fromAmount.currency !== currency) {
    throw problemAt(
      'CURRENCY_MISMATCH',
      '/fromAmount/currency',
      `The amount must be in ${currency}, the currency of the account.`,
    )
  }
  if (fromAmount.amountMinor <= 0n) {
    throw problemAt('INVALID_AMOUNT', '/fromAmount/amount', 'The amount must be greater than zero.')
  }
}

function problemAt(
  code: 'CURRENCY_MISMATCH' | 'INVALID_AMOUNT',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'INVALID', detail }]
  return new Problem('VALIDATION_FAILED', { detail, errors })
}
