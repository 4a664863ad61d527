import { withHolders } from '../../../kernel/authorization/holders.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { lifecycleOf } from '../domain/arrangement.ts'
import { arrangementSnapshot, type ArrangementEvent } from '../events.ts'
import type { Arrangement } from '../model/arrangement.ts'

/** Returns the published data of an account. */
export function arrangementFact(
  arrangement: Arrangement,
  snapshot = arrangementSnapshot(arrangement),
) {
  const data = { ...snapshot, lifecycle: lifecycleOf(arrangement) }
  return { subject: `arrangement/${arrangement.arrangementId}`, data }
}

/** Returns the event and the fact of an account that changed. */
export function publish(arrangement: Arrangement, type: ArrangementEvent) {
  const data = arrangementSnapshot(arrangement)
  const fact = arrangementFact(arrangement, data)
  const { version, partyId } = arrangement
  const event = { type, subject: fact.subject, version, data, parties: [partyId] }
  return { events: [event], facts: [fact] }
}

/** Returns the event and the fact of an account that changed; the event is for its joint holders, too. */
export async function publishToHolders(
  context: Context,
  arrangement: Arrangement,
  type: ArrangementEvent,
) {
  const { events, facts } = publish(arrangement, type)
  return { events: await withHolders(context, [arrangement.arrangementId], events), facts }
}
