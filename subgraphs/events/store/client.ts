import { identityRecordEvent } from '../../../kernel/domain/event-filter.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Write } from '../../../kernel/writing/writes.ts'

/** The kinds of records that are counted per client. */
export type Counted = 'subscriptions' | 'endpoints'

/**
 * The SQL condition that the client of the endpoint `p` may receive events. A registered client
 * must be enabled and have the scope `events:subscribe`. A client that is not registered with the
 * bank always may, because only its tokens limit it.
 */
export const mayReceiveSql = `
  not exists (select from kernel.fact f where f.subject = 'oauth-client/' || p.client_id
    and ((f.data->>'isDisabled')::boolean or not f.data->'scopes' ? 'events:subscribe'))`

/**
 * The SQL condition that the subscription `s` may receive the event `e`, if it is one of the audit
 * of identity: its client had the scope `audit:read` when it subscribed and, if it is registered,
 * still has it.
 */
export const mayReceiveAuditSql = `
  (e.type <> '${identityRecordEvent}' or s.may_receive_audit and not exists (
    select from kernel.fact f where f.subject = 'oauth-client/' || s.client_id
      and not f.data->'scopes' ? 'audit:read'))`

/** Returns the number of records of a client that are not deleted. */
export async function countOf(context: Context, kind: Counted, clientId: string): Promise<number> {
  const row = await context.db.eventClient.findUnique({ where: { clientId } })
  return row?.[kind] ?? 0
}

/**
 * Returns the write that increments a client's count of records. The commit fails if the count has
 * reached `max`. If two commands compete for the last record, one of them is decided again and
 * rejected.
 */
export function incrementCount(kind: Counted, clientId: string, max: number): Write {
  const [subscriptions, endpoints] = kind === 'subscriptions' ? [1, 0] : [0, 1]
  return {
    sql:
      'insert into events.client as c (client_id, subscriptions, endpoints) ' +
      `select $1::text, ${subscriptions}, ${endpoints} from claim on conflict (client_id) ` +
      `do update set ${kind} = c.${kind} + 1 where c.${kind} < $2::int returning 1`,
    values: [clientId, max],
    rows: 1,
  }
}

/** Returns the write that decrements a client's count of records. */
export function decrementCount(kind: Counted, clientId: string): Write {
  return {
    sql: `update events.client c set ${kind} = c.${kind} - 1 from claim where c.client_id = $1 returning 1`,
    values: [clientId],
    rows: 1,
  }
}
