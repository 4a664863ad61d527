import { parseAmount, type AmountSent } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'

/**
 * Returns an amount in the currency of an account, in minor units. `name` is the argument that has it.
 * Throws CURRENCY_MISMATCH, VALIDATION_FAILED.
 */
export function amountOf(
  { amount, currency }: AmountSent,
  currencyOfAccount: string,
  name: string,
): bigint {
  if (currency !== null && currency !== currencyOfAccount) {
    const detail = `The ${name} must be in ${currencyOfAccount}, the currency of the account.`
    const errors = [{ pointer: `/${name}/currency`, code: 'CURRENCY_MISMATCH', detail }]
    throw new Problem('CURRENCY_MISMATCH', { detail, errors })
  }
  return parseAmount(amount, currencyOfAccount, `/${name}/amount`)
}
