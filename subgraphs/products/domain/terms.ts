import type { Product, ProductParameter } from '../model/product.ts'
import { Decimal } from 'decimal.js'
import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { depositInterestFaults, depositInterestRuleFor } from './deposit-interest-terms.ts'
import { rateResetFaults, rateResetRuleFor } from './rate-reset-terms.ts'
import { overdraftFaults, overdraftRuleFor } from './overdraft-terms.ts'
import { feeFaults, feeRuleFor } from './fee-terms.ts'
import { fixedTermRuleFor } from './fixed-terms.ts'

/** The default terms of a product version. Quotes and arrangements are based on them. */
export type ProductTerms = Pick<
  Product,
  | 'currencies'
  | 'parameters'
  | 'fees'
  | 'interest'
  | 'depositInterest'
  | 'overdraft'
  | 'maxPerCustomer'
>

/** Checks that terms are consistent. Throws VALIDATION_FAILED; `errors` lists all faults. */
export function requireConsistent(terms: ProductTerms & Pick<Product, 'productClass'>): void {
  const { currencies, parameters, fees, depositInterest, overdraft, maxPerCustomer } = terms
  const faults = [
    ...currencyFaults(currencies),
    ...duplicateIndexes(parameters.map(({ name }) => name)).map(
      (index) => `/parameters/${index}/name`,
    ),
    ...parameters.flatMap((parameter, index) => parameterFaults(parameter, `/parameters/${index}`)),
    ...duplicateIndexes(fees.map(({ code }) => code)).map((index) => `/fees/${index}/code`),
    ...fees.flatMap((fee, index) => feeFaults(fee, currencies, `/fees/${index}`)),
    ...depositInterestFaults(depositInterest, terms),
    ...overdraftFaults(overdraft, terms),
    ...rateResetFaults(terms),
    ...(maxPerCustomer !== null && maxPerCustomer < 1 ? ['/maxPerCustomer'] : []),
  ]
  if (faults.length === 0) return
  throw new Problem('VALIDATION_FAILED', { errors: faults.map(faultAt) })
}

function faultAt(pointer: string): ValidationError {
  return { pointer, code: 'VALUE_INVALID', detail: ruleFor(pointer) }
}

function ruleFor(pointer: string): string {
  const member = pointer.split('/').at(-1)!
  const rules: Record<string, string> = {
    name: 'The name of a parameter must be unique within the product version.',
    code: 'The code of a fee must be unique within the product version.',
    minimum: 'The minimum requires a numeric type and must not be above the maximum.',
    maximum: 'The maximum requires a numeric type.',
    default: 'The default must have the type of the parameter and be within its bounds.',
    maxPerCustomer: 'The maximum per customer must be at least 1.',
  }
  if (pointer.startsWith('/fees/') && member !== 'code') return feeRuleFor(member)
  if (pointer.startsWith('/interest/')) return rateResetRuleFor(member)
  if (pointer.startsWith('/overdraft')) return overdraftRuleFor(member)
  if (pointer.startsWith('/depositInterest/fixedTerms')) return fixedTermRuleFor(member)
  if (pointer.startsWith('/depositInterest') || member === 'productClass') {
    return depositInterestRuleFor(member)
  }
  return (
    rules[member] ??
    'A product must have at least one currency, and must list each currency only once.'
  )
}

function currencyFaults(currencies: readonly string[]): string[] {
  if (currencies.length === 0) return ['/currencies']
  return duplicateIndexes(currencies).map((index) => `/currencies/${index}`)
}

/** Returns the indexes of values that occur earlier in the list. */
function duplicateIndexes(values: readonly string[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []))
}

function parameterFaults(parameter: ProductParameter, pointer: string): string[] {
  const { type, minimum, maximum, default: defaultValue } = parameter
  const isNumber = type === 'amount' || type === 'decimal' || type === 'integer'
  if (!isNumber) {
    return [
      ...(minimum !== null ? [`${pointer}/minimum`] : []),
      ...(maximum !== null ? [`${pointer}/maximum`] : []),
      ...(type === 'boolean' && defaultValue !== null && !/^(true|false)$/.test(defaultValue)
        ? [`${pointer}/default`]
        : []),
    ]
  }
  const areBoundsReversed = minimum !== null && maximum !== null && new Decimal(minimum).gt(maximum)
  const isWithinBounds = (value: string) =>
    (type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,10})?$/).test(value) &&
    (minimum === null || new Decimal(value).gte(minimum)) &&
    (maximum === null || new Decimal(value).lte(maximum))
  return [
    ...(areBoundsReversed ? [`${pointer}/minimum`] : []),
    ...(defaultValue !== null && !areBoundsReversed && !isWithinBounds(defaultValue)
      ? [`${pointer}/default`]
      : []),
  ]
}
