import type { Context } from '../environment/context.ts'
import type { DomainEvent } from '../events/events.ts'
import { readFacts } from '../writing/facts.ts'

/** The subject of the fact with the joint holders of an account. */
export const accountHoldersSubject = (arrangementId: string) => `account-holders/${arrangementId}`

/**
 * Returns the parties that hold accounts jointly with their customers, in the order of the accounts;
 * none for an account that is null.
 */
export async function readHolders(
  context: Context,
  arrangementIds: readonly (string | null)[],
): Promise<(readonly string[])[]> {
  const facts = await readFacts(
    context,
    arrangementIds.map((id) => accountHoldersSubject(id ?? '')),
  )
  return facts.map((fact) => (fact?.['partyIds'] ?? []) as string[])
}

/** Returns events about accounts for the joint holders of the accounts as well. */
export async function withHolders(
  context: Context,
  arrangementIds: readonly (string | null)[],
  events: readonly DomainEvent[],
): Promise<DomainEvent[]> {
  const holders = (await readHolders(context, arrangementIds)).flat()
  if (holders.length === 0) return [...events]
  return events.map((event) => ({
    ...event,
    parties: [...new Set([...event.parties, ...holders])],
  }))
}
