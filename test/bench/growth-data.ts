import pg from 'pg'

/** The accounts that get the entries, and the party that gets the notifications. */
export const grown = { accountId: 'arr_grown', otherId: 'arr_grown_other', partyId: 'pty_ada' }

const overdraftMinor = 10_000_000_000n
/** How many entries the account has in its last month, however many it has in all. */
const entriesOfMonth = 100

/**
 * Adds notifications, events and entries of one account to a database with the fixtures, `count` of
 * each, as if they had accumulated over two years. The entries are not part of the hash chain, so the bank
 * reports open findings when it starts.
 */
export async function grow(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const statement of statementsFor(count)) await client.query(statement)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

const statementsFor = (count: number) => [
  `insert into notifications.notification (notification_id, party_id, channel, template_code, template_id, category,
      language, status, attempts, version, created_at, updated_at)
    select 'ntf_grown_' || n, '${grown.partyId}', 'secure-message', 'tpl_welcome', 'tpl_welcome_secure_message',
      'service', 'en', 'delivered', '[]', 1, at, at
    from ${timesOf(count)}`,
  `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
    select position + n, 'evt_grown_' || n, 'parties.party.updated', 'party/pty_grown_' || n, 1, at, '{}',
      array['pty_grown_' || n], 'grown', 'bench'
    from kernel.head, ${timesOf(count)}`,
  `update kernel.head set position = position + ${count}`,
  // Otherwise the workers would process all of them first.
  `update kernel.consumer set position = (select position from kernel.head)`,
  `insert into ledger.posting_instruction (posting_instruction_id, ordinal, type, status, client_id, booked_at, value_date,
      details)
    select 'pin_grown_' || n, 0, 'inbound-hard-settlement', 'accepted', 'bench', at, at::date, '{}'
    from ${timesOf(count)}`,
  `insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount, currency,
      booked_at, value_date, committed_after, pending_in_after, pending_out_after, available_after)
    select account_id, 'default', n, 'pin_grown_' || n, ordinal, 'committed', side, 100, 'EUR', at, at::date,
      sign * n * 100, 0, 0, ${overdraftMinor} + sign * n * 100
    from ${timesOf(count)}, (values ('${grown.accountId}', 0, 'credit', 1), ('${grown.otherId}', 1, 'debit', -1))
      posted (account_id, ordinal, side, sign)`,
  `update ledger.balance set entry_count = ${count}, last_sequence = ${count}, last_booked_at = now() - interval '1 day',
      overdraft_limit = ${overdraftMinor},
      committed_debit = case account_id when '${grown.otherId}' then ${count}::bigint * 100 else 0 end,
      committed_credit = case account_id when '${grown.accountId}' then ${count}::bigint * 100 else 0 end
    where account_id in ('${grown.accountId}', '${grown.otherId}')`,
]

/** The numbers from 1 to `count` with a time for each: most in two years, the last ones in a month. */
const timesOf = (count: number) => `(
  select n, case when n <= ${count - entriesOfMonth}
    then now() - interval '700 days' + (n::float / ${count}) * interval '600 days'
    else now() - interval '29 days' + (n - ${count - entriesOfMonth}) * interval '6 hours' end as at
  from generate_series(1, ${count}) n) numbered`

/** The size of all tables with their indexes, in bytes, and the number of notifications and postings. */
export async function sizesOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ bytes: string; notifications: string; postings: string }>(`
    select (select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace s on s.oid = c.relnamespace
        where c.relkind = 'r' and s.nspname not in ('pg_catalog', 'information_schema')) as bytes,
      (select count(*) from notifications.notification) as notifications,
      (select count(*) from ledger.posting_instruction) as postings`)
  await client.end()
  const { bytes, notifications, postings } = rows[0]!
  return {
    bytes: Number(bytes),
    notifications: Number(notifications),
    postings: Number(postings),
  }
}
