import type { Identifier } from '../model/collateral.ts'
import type { IdentifierScheme } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import { invalid } from './refusals.ts'

/**
 * Schemes whose identifiers are not unique: many owners can hold the same security (`isin`), and
 * `other` has no defined meaning.
 */
const sharedSchemes: readonly IdentifierScheme[] = ['isin', 'other']
const maxIdentifiers = 20

/**
 * A normalized identifier. Among all collateral that is not in a final status, only one record can
 * have it.
 */
export interface UniqueName {
  scheme: IdentifierScheme
  /** The normalized value: only letters and digits, in upper case. */
  name: string
}

/**
 * Validates identifiers. Throws VALIDATION_FAILED for more than 20 identifiers, for duplicates, and
 * for an identifier without a letter or digit.
 */
export function identifiersOf(request: readonly Identifier[]): Identifier[] {
  if (request.length > maxIdentifiers) {
    const detail = `The collateral can have at most ${maxIdentifiers} identifiers.`
    throw invalid('/identifiers', 'TOO_MANY', detail)
  }
  const seen = new Set<string>()
  request.forEach((identifier, index) => {
    const name = `${identifier.scheme}:${nameOf(identifier)}`
    const pointer = `/identifiers/${index}/value`
    if (nameOf(identifier) === '') {
      const detail = 'The identifier must contain at least one letter or digit.'
      throw invalid(pointer, 'IDENTIFIER_INVALID', detail)
    }
    if (seen.has(name)) {
      throw invalid(pointer, 'DUPLICATE', `${identifier.value} is listed twice; list it once.`)
    }
    seen.add(name)
  })
  return request.map(({ scheme, value }) => ({ scheme, value }))
}

/** Returns the normalized identifiers of the schemes whose identifiers are unique. */
export function uniqueNames(identifiers: readonly Identifier[]): UniqueName[] {
  return identifiers
    .filter(({ scheme }) => !sharedSchemes.includes(scheme))
    .map((identifier) => ({ scheme: identifier.scheme, name: nameOf(identifier) }))
}

const nameOf = ({ value }: Identifier) =>
  value
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/**
 * Checks that no asset is pledged twice. `usedNames` are the identifiers that other collateral
 * already has. Throws COLLATERAL_IDENTIFIER_IN_USE, which does not disclose the other collateral.
 */
export function requireUnpledged(
  identifiers: readonly Identifier[],
  usedNames: readonly UniqueName[],
): void {
  const index = identifiers.findIndex((identifier) =>
    uniqueNames([identifier]).some((uniqueName) =>
      usedNames.some(
        ({ scheme, name }) => scheme === uniqueName.scheme && name === uniqueName.name,
      ),
    ),
  )
  if (index < 0) return
  const detail = `Other collateral of the bank already has this ${identifiers[index]!.scheme}.`
  const code = 'COLLATERAL_IDENTIFIER_IN_USE'
  throw new Problem(code, {
    detail,
    errors: [{ pointer: `/identifiers/${index}/value`, code, detail }],
  })
}
