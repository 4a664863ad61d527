import type { Context } from '../environment/context.ts'
import type { ValidationError } from '../domain/problem-members.ts'
import { findFacts, type FactReference } from '../writing/facts.ts'

/**
 * Returns a validation error for each record of an entity that refers to the record `id` and is not
 * settled, at most 100.
 */
export async function openReferences(
  context: Context,
  entity: string,
  reference: FactReference,
  id: string,
  fault: Required<Pick<ValidationError, 'pointer' | 'code'>>,
): Promise<ValidationError[]> {
  const found = await findFacts(context, entity, reference, id, ['open', 'ending'])
  return found.map(({ subject, data }) => {
    const resourceId = subject.slice(entity.length + 1)
    const detail = `${resourceId} is ${(data['state'] ?? data['status']) as string}.`
    return { ...fault, detail, resourceId }
  })
}
