import { Decimal } from 'decimal.js'
import type { Fee } from '../../_kernel/domain/fee.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import { feeFaults, wantedOfFee } from './fee-terms.ts'

export const parameterTypes = ['amount', 'decimal', 'integer', 'boolean', 'text'] as const
export type ParameterType = (typeof parameterTypes)[number]

/** A term that is chosen for each arrangement of the product, with its bounds. */
export interface ProductParameter {
  name: string
  type: ParameterType
  minimum: string | null
  maximum: string | null
  default: string | null
}

/** The interest rate, as the sum of base rate and margin, in percent per year. */
export interface ProductInterest {
  basePct: string
  marginPct: string
  referenceRate: string | null
}

/** The default terms of a version, on which quotes and arrangements are based. */
export interface ProductTerms {
  currencies: string[]
  parameters: ProductParameter[]
  fees: Fee[]
  interest: ProductInterest | null
  maxPerCustomer: number | null
}

/** Checks that terms are consistent. Rejects with VALIDATION_FAILED; `errors` lists all faults. */
export function requireConsistent(terms: ProductTerms): void {
  const { currencies, parameters, fees, maxPerCustomer } = terms
  const faults = [
    ...currencyFaults(currencies),
    ...duplicates(parameters.map(({ name }) => name)).map((at) => `/parameters/${at}/name`),
    ...parameters.flatMap((parameter, at) => parameterFaults(parameter, `/parameters/${at}`)),
    ...duplicates(fees.map(({ code }) => code)).map((at) => `/fees/${at}/code`),
    ...fees.flatMap((fee, at) => feeFaults(fee, currencies, `/fees/${at}`)),
    ...(maxPerCustomer !== null && maxPerCustomer < 1 ? ['/maxPerCustomer'] : []),
  ]
  if (faults.length === 0) return
  throw new Problem('VALIDATION_FAILED', { errors: faults.map(fault) })
}

function fault(pointer: string): Fault {
  return { pointer, code: 'VALUE_INVALID', detail: wanted(pointer) }
}

function wanted(pointer: string): string {
  const member = pointer.split('/').at(-1)!
  const texts: Record<string, string> = {
    name: 'The name of a parameter must be unique within the product version.',
    code: 'The code of a fee must be unique within the product version.',
    minimum: 'The minimum requires a numeric type and must not be above the maximum.',
    maximum: 'The maximum requires a numeric type.',
    default: 'The default must have the type of the parameter and be within its bounds.',
    maxPerCustomer: 'The maximum per customer must be at least 1.',
  }
  if (pointer.startsWith('/fees/') && member !== 'code') return wantedOfFee(member)
  return texts[member] ?? 'A product must have at least one currency, and each only once.'
}

function currencyFaults(currencies: readonly string[]): string[] {
  if (currencies.length === 0) return ['/currencies']
  return duplicates(currencies).map((at) => `/currencies/${at}`)
}

/** The indexes of repeated values. */
function duplicates(values: readonly string[]): number[] {
  return values.flatMap((value, at) => (values.indexOf(value) < at ? [at] : []))
}

function parameterFaults(parameter: ProductParameter, pointer: string): string[] {
  const { type, minimum, maximum, default: fallback } = parameter
  const isNumber = type === 'amount' || type === 'decimal' || type === 'integer'
  if (!isNumber) {
    return [
      ...(minimum !== null ? [`${pointer}/minimum`] : []),
      ...(maximum !== null ? [`${pointer}/maximum`] : []),
      ...(type === 'boolean' && fallback !== null && !/^(true|false)$/.test(fallback)
        ? [`${pointer}/default`]
        : []),
    ]
  }
  const crossed = minimum !== null && maximum !== null && new Decimal(minimum).gt(maximum)
  const fits = (value: string) =>
    (type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,10})?$/).test(value) &&
    (minimum === null || new Decimal(value).gte(minimum)) &&
    (maximum === null || new Decimal(value).lte(maximum))
  return [
    ...(crossed ? [`${pointer}/minimum`] : []),
    ...(fallback !== null && !crossed && !fits(fallback) ? [`${pointer}/default`] : []),
  ]
}
