import type { Context } from '../environment/context.ts'
import type { ValidationError } from '../domain/problem-members.ts'
import { findFacts, type FactReference } from '../writing/facts.ts'

/**
 * Returns the records of an entity that refer to a record and are not settled, one fault each. With
 * `open`, records that are about to end do not count.
 */
export async function openReferences(
  context: Context,
  entity: string,
  reference: FactReference,
  id: string,
  fault: Required<Pick<ValidationError, 'pointer' | 'code'>>,
  lifecycles: readonly ['open'] | readonly ['open', 'ending'] = ['open', 'ending'],
): Promise<ValidationError[]> {
  const found = await findFacts(context, entity, reference, id, lifecycles)
  return found.map(({ subject, data }) => {
    const resourceId = subject.slice(entity.length + 1)
    const detail = `${resourceId} is ${(data['state'] ?? data['status']) as string}.`
    return { ...fault, detail, resourceId }
  })
}
