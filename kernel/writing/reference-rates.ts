import { referenceRateSubject, type ReferenceRateFact } from '../domain/reference-rate.ts'
import type { Context } from '../environment/context.ts'
import { readFacts } from './facts.ts'

/** Reads the published reference rates with these IDs, by ID; null for one without fixings. */
export async function readReferenceRates(
  context: Context,
  referenceRateIds: readonly string[],
): Promise<Map<string, ReferenceRateFact | null>> {
  const ids = [...new Set(referenceRateIds)]
  if (ids.length === 0) return new Map()
  const facts = await readFacts(context, ids.map(referenceRateSubject))
  return new Map(ids.map((id, index) => [id, facts[index] as unknown as ReferenceRateFact | null]))
}
