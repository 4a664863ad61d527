import { missingReference } from '../../../kernel/domain/problem.ts'
import { subjectOf, type DataSubject } from '../domain/data-subject.ts'
import { Problem } from '../domain/problems.ts'

/**
 * Returns the person that a request names by `partyId` or `username`. Throws VALIDATION_FAILED
 * unless it names exactly one.
 */
export function requireSubject(request: {
  partyId: string | null
  username: string | null
}): DataSubject {
  if ((request.partyId === null) !== (request.username === null)) return subjectOf(request)
  const detail = 'Give either partyId or username.'
  const errors = [{ pointer: '/partyId', code: 'VALIDATION_FAILED', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}

/** Creates the problem for a person who does not exist. */
export const missingSubject = ({ kind, id }: DataSubject): Problem =>
  kind === 'party'
    ? missingReference('PARTY_NOT_FOUND', id, '/partyId')
    : missingReference('EMPLOYEE_NOT_FOUND', id, '/username')
