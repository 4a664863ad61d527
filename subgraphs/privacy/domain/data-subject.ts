/** The person whose data is exported or erased: a party, or an employee by the username. */
export interface DataSubject {
  kind: 'party' | 'employee'
  id: string
}

interface WithSubject {
  partyId: string | null
  username: string | null
}

/** Returns the person that a request names. Throws an Error if it names none. */
export function subjectOf({ partyId, username }: WithSubject): DataSubject {
  if (partyId !== null) return { kind: 'party', id: partyId }
  if (username !== null) return { kind: 'employee', id: username }
  throw new Error('The record names no person.')
}

/** Returns the fields that name a person. */
export const namesOf = ({ kind, id }: DataSubject): WithSubject => ({
  partyId: kind === 'party' ? id : null,
  username: kind === 'employee' ? id : null,
})

/** Returns the subject of the fact about a person. */
export const factSubjectOf = ({ kind, id }: DataSubject): string => `${kind}/${id}`

/** Returns the person whose fact has a subject. */
export function subjectFrom(factSubject: string): DataSubject {
  const slash = factSubject.indexOf('/')
  const kind = factSubject.slice(0, slash) === 'employee' ? 'employee' : 'party'
  return { kind, id: factSubject.slice(slash + 1) }
}
