import { Decimal } from 'decimal.js'
import { hasAtMost } from '../../../kernel/domain/text-length.ts'
import { Problem } from './problems.ts'

/** A parameter of a product, from the product's published fact. */
export interface OfferedParameter {
  name: string
  type: 'amount' | 'decimal' | 'integer' | 'boolean' | 'text'
  minimum: string | null
  maximum: string | null
  default: string | null
}

export type ParameterValue = string | boolean

const maxTextLength = 200

/**
 * Returns the parameters of an account: the chosen values, and the product's defaults for all other
 * parameters. Numbers are stored as decimal strings. Throws PARAMETER_OUT_OF_RANGE with all
 * validation errors: unknown names, values of the wrong type, and values out of range.
 */
export function chooseParameters(
  offeredParameters: readonly OfferedParameter[],
  chosenValues: Readonly<Record<string, unknown>>,
): Record<string, ParameterValue> {
  const names = offeredParameters.map(({ name }) => name)
  const unknownNames = Object.keys(chosenValues).filter((name) => !names.includes(name))
  const faults = unknownNames.map((name) => [
    name,
    `The parameters of the product: ${names.join(', ') || 'none'}.`,
  ])
  const entries: [string, ParameterValue][] = []
  for (const parameter of offeredParameters) {
    const { name, type, default: fallback } = parameter
    const providedValue = Object.hasOwn(chosenValues, name) ? chosenValues[name] : null
    const value =
      providedValue ?? (type === 'boolean' && fallback !== null ? fallback === 'true' : fallback)
    if (value === null) continue
    const storedValue = readValue(parameter, value)
    if (storedValue === null) faults.push([name, expectedValue(parameter)])
    else entries.push([name, storedValue])
  }
  if (faults.length === 0) return Object.fromEntries(entries)
  throw new Problem('PARAMETER_OUT_OF_RANGE', {
    errors: faults.map(([name, detail]) => ({
      pointer: `/parameters/${name!.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`,
      code: 'PARAMETER_OUT_OF_RANGE',
      detail: detail!,
    })),
  })
}

/** Returns the value in its stored form; null if it is invalid for the parameter. */
function readValue(parameter: OfferedParameter, value: unknown): ParameterValue | null {
  const { type } = parameter
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  if (type === 'text') {
    return typeof value === 'string' && hasAtMost(maxTextLength, value) ? value : null
  }
  const text = typeof value === 'number' ? String(value) : value
  const pattern = type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,10})?$/
  if (typeof text !== 'string' || !pattern.test(text)) return null
  return isWithin(parameter, text) ? text : null
}

/** Whether a decimal string is within a parameter's bounds. */
export function isWithin({ minimum, maximum }: OfferedParameter, value: string): boolean {
  const number = new Decimal(value)
  return (minimum === null || number.gte(minimum)) && (maximum === null || number.lte(maximum))
}

function expectedValue({ type, minimum, maximum }: OfferedParameter): string {
  const bounds = [minimum && `at least ${minimum}`, maximum && `at most ${maximum}`]
  return `A value of type ${[type, ...bounds.filter(Boolean)].join(', ')}.`
}
