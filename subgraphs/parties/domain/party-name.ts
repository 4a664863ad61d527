import type { PartyKind } from '../model/enumerations.ts'
import { validationProblem } from './contact.ts'

/** The name of a party: the given and family name of a person, or the name of an organization. */
export interface PartyName {
  givenName: string | null
  familyName: string | null
  organizationName: string | null
}

/**
 * Returns the complete name of a party. Throws VALIDATION_FAILED if the name does not match the
 * kind of party.
 */
export function requireName(kind: PartyKind, name: Partial<PartyName>): PartyName {
  const { givenName = null, familyName = null, organizationName = null } = name
  if (kind === 'person') {
    if (organizationName)
      throw validationProblem(
        '/organizationName',
        'NAME_INVALID',
        'A person must not have an organization name.',
      )
    if (givenName === null && familyName === null) {
      throw validationProblem(
        '/familyName',
        'NAME_REQUIRED',
        'A person must have a given name or a family name.',
      )
    }
  } else {
    if (givenName)
      throw validationProblem(
        '/givenName',
        'NAME_INVALID',
        'An organization must not have a given name.',
      )
    if (familyName)
      throw validationProblem(
        '/familyName',
        'NAME_INVALID',
        'An organization must not have a family name.',
      )
    if (organizationName === null) {
      throw validationProblem(
        '/organizationName',
        'NAME_REQUIRED',
        'An organization must have a name.',
      )
    }
  }
  return { givenName, familyName, organizationName }
}
