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

/** An identifier in an external register or system. */
export interface Identifier {
  scheme: IdentifierScheme
  value: string
}

/**
 * Schemes whose identifiers are not unique: many owners hold the same security, and `other` is
 * unspecified.
 */
const shared: readonly IdentifierScheme[] = ['isin', 'other']
const mostIdentifiers = 20

/** An identifier that only one collateral can have while it is held. */
export interface UniqueName {
  scheme: IdentifierScheme
  /** The normalized value: letters and digits in upper case. */
  name: string
}

/**
 * Throws VALIDATION_FAILED for more than 20, for duplicates, and for one without a letter or digit.
 */
export function identifiersOf(asked: readonly Identifier[]): Identifier[] {
  if (asked.length > mostIdentifiers) {
    const detail = `A collateral can have at most ${mostIdentifiers} identifiers.`
    throw invalid('/identifiers', 'TOO_MANY', detail)
  }
  const known = new Set<string>()
  asked.forEach((identifier, at) => {
    const name = `${identifier.scheme}:${nameOf(identifier)}`
    const pointer = `/identifiers/${at}/value`
    if (nameOf(identifier) === '') {
      const detail = 'An identifier needs at least one letter or digit.'
      throw invalid(pointer, 'IDENTIFIER_INVALID', detail)
    }
    if (known.has(name)) {
      throw invalid(pointer, 'DUPLICATE', `${identifier.value} is listed twice; list it once.`)
    }
    known.add(name)
  })
  return asked.map(({ scheme, value }) => ({ scheme, value }))
}

/** The normalized identifiers that only one collateral can have. */
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
 * Throws COLLATERAL_IDENTIFIER_IN_USE if another collateral has an identifier: the same asset would
 * be pledged twice. The problem does not disclose the other collateral.
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
  const detail = `Another collateral that is held has this ${identifiers[at]!.scheme}.`
  const code = 'COLLATERAL_IDENTIFIER_IN_USE'
  throw new Problem(code, {
    detail,
    errors: [{ pointer: `/identifiers/${at}/value`, code, detail }],
  })
}
