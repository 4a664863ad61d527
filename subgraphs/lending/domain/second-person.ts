import { Problem } from '../../_kernel/domain/problem.ts'

/**
 * The four-eyes rule of this area: a decision is made by another person than the one who asked for it.
 * Rejects with SEGREGATION_OF_DUTIES.
 */
export function requireSecondPerson(decider: string, requester: string, resourceId: string): void {
  if (decider !== requester) return
  const detail = `${requester} created ${resourceId} and cannot decide it; another person has to.`
  throw new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId })
}
