import type { Context } from '../../_kernel/context.ts'
import type { Write } from '../../_kernel/writes.ts'

/** The records counted per client. */
export type Counted = 'subscriptions' | 'endpoints'

/**
 * Whether the client of the endpoint `p` may receive events: a registered client must be enabled
 * and have the scope to subscribe. For other clients, only their tokens decide.
 */
export const mayHearSql = `
  not exists (select from kernel.fact f where f.subject = 'oauth-client/' || p.client_id
    and ((f.data->>'isDisabled')::boolean or not f.data->'scopes' ? 'events:subscribe'))`

/** The number of records of a client that are not deleted. */
export async function countOf(context: Context, what: Counted, clientId: string): Promise<number> {
  const row = await context.db.eventClient.findUnique({ where: { clientId } })
  return row?.[what] ?? 0
}

/**
 * Increments the count up to `most`. Of two concurrent commands for the last place, one is decided
 * again and rejected.
 */
export function count(what: Counted, clientId: string, most: number): Write {
  const [subscriptions, endpoints] = what === 'subscriptions' ? [1, 0] : [0, 1]
  return {
    sql:
      'insert into events.client as c (client_id, subscriptions, endpoints) ' +
      `select $1::text, ${subscriptions}, ${endpoints} from claim on conflict (client_id) ` +
      `do update set ${what} = c.${what} + 1 where c.${what} < $2::int returning 1`,
    values: [clientId, most],
    rows: 1,
  }
}

export function uncount(what: Counted, clientId: string): Write {
  return {
    sql: `update events.client c set ${what} = c.${what} - 1 from claim where c.client_id = $1 returning 1`,
    values: [clientId],
    rows: 1,
  }
}
