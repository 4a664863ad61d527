import { invalid } from './contact.ts'

export const partyKinds = ['person', 'organisation'] as const
export type PartyKind = (typeof partyKinds)[number]

/** The name of a party: given and family name of a person, or the name of an organization. */
export interface PartyName {
  givenName: string | null
  familyName: string | null
  organisationName: string | null
}

/**
 * The name of a party of this kind. Rejects with VALIDATION_FAILED a name that does not fit the
 * kind.
 */
export function requireName(kind: PartyKind, name: Partial<PartyName>): PartyName {
  const { givenName = null, familyName = null, organisationName = null } = name
  if (kind === 'person') {
    if (organisationName)
      throw invalid(
        '/organisationName',
        'NAME_INVALID',
        'A person must not have an organization name.',
      )
    if (givenName === null && familyName === null) {
      throw invalid(
        '/familyName',
        'NAME_REQUIRED',
        'A person must have a given name or a family name.',
      )
    }
  } else {
    if (givenName)
      throw invalid('/givenName', 'NAME_INVALID', 'An organization must not have a given name.')
    if (familyName)
      throw invalid('/familyName', 'NAME_INVALID', 'An organization must not have a family name.')
    if (organisationName === null) {
      throw invalid('/organisationName', 'NAME_REQUIRED', 'An organization must have a name.')
    }
  }
  return { givenName, familyName, organisationName }
}
