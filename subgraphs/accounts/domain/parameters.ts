import { Decimal } from 'decimal.js'
import { Problem } from '../../_kernel/domain/problem.ts'

/** What a product lets an arrangement choose, as the product's owner publishes it. */
export interface OfferedParameter {
  name: string
  type: 'amount' | 'decimal' | 'integer' | 'boolean' | 'text'
  minimum: string | null
  maximum: string | null
  default: string | null
}

export type ParameterValue = string | boolean

const mostTextLength = 200

/**
 * The parameters of an arrangement: what was chosen, and the product's defaults for the rest.
 * Numbers are kept as decimal strings.
 * Refuses with PARAMETER_OUT_OF_RANGE, all at once, names the product does not offer, values of
 * another type, and values out of bounds.
 */
export function chooseParameters(
  offered: readonly OfferedParameter[],
  chosen: Readonly<Record<string, unknown>>,
): Record<string, ParameterValue> {
  const names = offered.map(({ name }) => name)
  const strange = Object.keys(chosen).filter((name) => !names.includes(name))
  const faults = strange.map((name) => [name, `The product offers ${names.join(', ') || 'none'}.`])
  const entries: [string, ParameterValue][] = []
  for (const parameter of offered) {
    const { name, type, default: fallback } = parameter
    const given = Object.hasOwn(chosen, name) ? chosen[name] : null
    const value =
      given ?? (type === 'boolean' && fallback !== null ? fallback === 'true' : fallback)
    if (value === null) continue
    const read = readValue(parameter, value)
    if (read === null) faults.push([name, wanted(parameter)])
    else entries.push([name, read])
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

/** The value as it is kept; null when the parameter cannot have it. */
function readValue(parameter: OfferedParameter, value: unknown): ParameterValue | null {
  const { type } = parameter
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  if (type === 'text') {
    return typeof value === 'string' && value.length <= mostTextLength ? value : null
  }
  const text = typeof value === 'number' ? String(value) : value
  const form = type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,10})?$/
  if (typeof text !== 'string' || !form.test(text)) return null
  return isWithin(parameter, text) ? text : null
}

/** Whether a decimal string is within a parameter's bounds. */
export function isWithin({ minimum, maximum }: OfferedParameter, value: string): boolean {
  const number = new Decimal(value)
  return (minimum === null || number.gte(minimum)) && (maximum === null || number.lte(maximum))
}

function wanted({ type, minimum, maximum }: OfferedParameter): string {
  const bounds = [minimum && `at least ${minimum}`, maximum && `at most ${maximum}`]
  return `A value of type ${[type, ...bounds.filter(Boolean)].join(', ')}.`
}
