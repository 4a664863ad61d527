import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { declareConsumer } from '../../../kernel/writing/consumer.ts'
import type { Write } from '../../../kernel/writing/writes.ts'

/** An interaction event, as read from the event log. */
export interface InteractionEventRecord {
  position: string
  type: string
  interactionId: string
  caseId: string | null
  status: string
  agentId: string | null
  queueId: string | null
}

export const followedTypes = [
  'channels.interaction.received',
  'channels.interaction.assigned',
  'channels.interaction.requeued',
] as const

const consumer = declareConsumer('casework.follow-searches', followedTypes)

/** Whether there are interaction events that were not processed yet. */
export const areSearchesBehindSql = `exists (select from kernel.event e
  where e.type in (${followedTypes.map((type) => `'${type}'`).join(', ')})
    and e.position > coalesce((select c.position from kernel.consumer c where c.name = '${consumer}'), 0))`

const nextSql = `
  select e.position::text, e.type, e.data->>'interactionId' as "interactionId",
    e.data->>'caseId' as "caseId", e.data->>'status' as status,
    e.data->>'agentId' as "agentId", e.data->>'queueId' as "queueId"
  from kernel.event e
  where e.type = any($2)
    and e.position > coalesce((select c.position from kernel.consumer c where c.name = $1), 0)
  order by e.position limit 200`

/**
 * Returns the next unprocessed event about a case. If none of the next 200 interaction events is
 * about a case, returns the last of them, so that all of them are skipped. Returns null if there
 * are no new events.
 */
export async function nextInteractionEvent({
  bank,
}: Context): Promise<InteractionEventRecord | null> {
  const events = await readRows<InteractionEventRecord & Record<string, string | null>>(
    bank,
    nextSql,
    [consumer, followedTypes],
  )
  return events.find(({ caseId }) => caseId !== null) ?? events.at(-1) ?? null
}

/**
 * Returns the write that stores the position of a processed event. If two workers process the same
 * event, the write of one of them changes no row, so its commit fails.
 */
export function markFollowed({ position }: InteractionEventRecord): Write {
  return {
    sql:
      'insert into kernel.consumer as c (name, position) select $1::text, $2::bigint from claim ' +
      'on conflict (name) do update set position = excluded.position ' +
      'where c.position < excluded.position returning 1',
    values: [consumer, position],
    rows: 1,
  }
}
