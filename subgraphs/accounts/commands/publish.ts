import { withHolders } from '../../../kernel/authorization/holders.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { lifecycleOf } from '../domain/arrangement.ts'
import { arrangementSnapshot, type ArrangementEvent } from '../events.ts'
import type { Arrangement } from '../model/arrangement.ts'

/** Returns the event and the fact of an account that changed. */
export function publish(arrangement: Arrangement, type: ArrangementEvent) {
  const subject = `arrangement/${arrangement.arrangementId}`
  const data = arrangementSnapshot(arrangement)
  const { version, partyId } = arrangement
  const event = { type, subject, version, data, parties: [partyId] }
  const lifecycle = lifecycleOf(arrangement)
  return { events: [event], facts: [{ subject, data: { ...data, lifecycle } }] }
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
