import { Problem } from '../../_kernel/domain/problem.ts'
import { invalid } from './refusals.ts'

export const identifierSchemes = [
  'cadastral-number',
  'title-number',
  'vin',
  'serial-number',
  'policy-number',
  'account-number',
  'isin',
  'other',
] as const
export type IdentifierScheme = (typeof identifierSchemes)[number]

/** A name by which the rest of the world knows a thing. */
export interface Identifier {
  scheme: IdentifierScheme
  value: string
}

/** Many hold the same security, and what `other` names need not be one thing. */
const shared: readonly IdentifierScheme[] = ['isin', 'other']
const mostIdentifiers = 20

/** A name that only one collateral can have while it is held. */
export interface UniqueName {
  scheme: IdentifierScheme
  /** The value as it is compared: letters and digits in capitals. */
  name: string
}

/** Refuses with VALIDATION_FAILED too many, the same twice, and one without a letter or a digit. */
export function identifiersOf(asked: readonly Identifier[]): Identifier[] {
  if (asked.length > mostIdentifiers) {
    throw invalid('/identifiers', 'TOO_MANY', `At most ${mostIdentifiers}.`)
  }
  const known = new Set<string>()
  asked.forEach((identifier, at) => {
    const name = `${identifier.scheme}:${nameOf(identifier)}`
    const pointer = `/identifiers/${at}/value`
    if (nameOf(identifier) === '') {
      throw invalid(pointer, 'IDENTIFIER_INVALID', 'At least one letter or digit.')
    }
    if (known.has(name)) throw invalid(pointer, 'DUPLICATE', 'Each identifier once.')
    known.add(name)
  })
  return asked.map(({ scheme, value }) => ({ scheme, value }))
}

/** The names among identifiers that only one collateral can have. */
export function uniqueNames(identifiers: readonly Identifier[]): UniqueName[] {
  return identifiers
    .filter(({ scheme }) => !shared.includes(scheme))
    .map((identifier) => ({ scheme: identifier.scheme, name: nameOf(identifier) }))
}

const nameOf = ({ value }: Identifier) =>
  value
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/**
 * Refuses with COLLATERAL_IDENTIFIER_IN_USE a name that another collateral has: the same thing would
 * be pledged twice. Which one has it is not said.
 */
export function requireUnpledged(
  identifiers: readonly Identifier[],
  taken: readonly UniqueName[],
): void {
  const at = identifiers.findIndex((identifier) =>
    uniqueNames([identifier]).some((own) =>
      taken.some(({ scheme, name }) => scheme === own.scheme && name === own.name),
    ),
  )
  if (at < 0) return
  const detail = `A collateral with this ${identifiers[at]!.scheme} is held already.`
  const code = 'COLLATERAL_IDENTIFIER_IN_USE'
  throw new Problem(code, {
    detail,
    errors: [{ pointer: `/identifiers/${at}/value`, code, detail }],
  })
}
