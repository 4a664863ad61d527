import type { Context } from '../../_kernel/context.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import type { Write } from '../../_kernel/writes.ts'

const follower = 'casework.follow-searches'

/** An event of an interaction. */
export interface InteractionNews {
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

const nextSql = `
  select e.position::text, e.type, e.data->>'interactionId' as "interactionId",
    e.data->>'caseId' as "caseId", e.data->>'status' as status,
    e.data->>'agentId' as "agentId", e.data->>'queueId' as "queueId"
  from kernel.event e
  where e.type = any($2)
    and e.position > coalesce((select c.position from kernel.consumer c where c.name = $1), 0)
  order by e.position limit 200`

/**
 * The next unprocessed event about a case. If none of the events read is about a case, the last of
 * them is returned, so that they are skipped. Null at the end of the event log.
 */
export async function nextNews({ bank }: Context): Promise<InteractionNews | null> {
  const news = await readRows<InteractionNews & Record<string, string | null>>(bank, nextSql, [
    follower,
    followedTypes,
  ])
  return news.find(({ caseId }) => caseId !== null) ?? news.at(-1) ?? null
}

/**
 * Stores the position of a processed event. If two workers process the same event, one of them
 * updates no row.
 */
export function markFollowed({ position }: InteractionNews): Write {
  return {
    sql:
      'insert into kernel.consumer as c (name, position) select $1::text, $2::bigint from claim ' +
      'on conflict (name) do update set position = excluded.position ' +
      'where c.position < excluded.position returning 1',
    values: [follower, position],
    rows: 1,
  }
}
