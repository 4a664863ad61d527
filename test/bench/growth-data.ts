import pg from 'pg'

/** The accounts that get the entries, and the party that gets the notifications. */
export const grown = { accountId: 'arr_grown', otherId: 'arr_grown_other', partyId: 'pty_ada' }

const overdraftMinor = 10_000_000_000n
/** How many entries the account has in its last month, however many it has in all. */
const entriesOfMonth = 100

/** The tables that grow, whose secondary indexes are built after their rows. */
const tables = [
  'notifications.notification',
  'kernel.event',
  'kernel.event_party',
  'kernel.idempotency',
  'ledger.posting_instruction',
  'ledger.entry',
  'general_ledger.dated_posting',
  'payments.payment',
  'ledger.authorization',
]

/**
 * Adds notifications, events with their parties, idempotency keys, payments, authorizations, and
 * postings with two entries and an accounting date to a database with the fixtures, `count` of each,
 * as if they had accumulated over two years. Nothing of them is due. One in ten events is of the
 * party. The entries are not part of the hash chain, so the bank reports open findings when it starts.
 */
export async function grow(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '1GB'")
    await client.query('set synchronous_commit = off; set max_parallel_maintenance_workers = 0')
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(indexesSql, [
      tables,
    ])
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const statement of statementsFor(count)) await client.query(statement)
    for (const { definition } of indexes) await client.query(definition)
    // Otherwise the first requests would set the hint bits of what they read.
    await client.query(`vacuum ${tables.join(', ')}`)
    await client.query('analyze')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

const indexesSql = `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
  where indrelid = any($1::text[]::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)`

// The IDs have leading zeros, so that the indexes of constraints grow at their end.
const paddedSql = "lpad(n::text, 8, '0')"

const statementsFor = (count: number) => [
  `insert into notifications.notification (notification_id, party_id, channel, template_code, template_id, category,
      language, status, attempts, version, created_at, updated_at)
    select 'ntf_grown_' || ${paddedSql}, '${grown.partyId}', 'secure-message', 'tpl_welcome', 'tpl_welcome_secure_message',
      'service', 'en', 'delivered', '[]', 1, at, at
    from ${timesOf(count)}`,
  `insert into kernel.event_party (party_id, position)
    select '${grown.partyId}', position + n from kernel.head, generate_series(1, ${count}) n where n % 10 = 0`,
  `insert into kernel.event_party (party_id, position)
    select 'pty_grown_' || ${paddedSql}, position + n from kernel.head, generate_series(1, ${count}) n where n % 10 <> 0`,
  `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
    select position + n, 'evt_grown_' || ${paddedSql}, 'parties.party.updated', 'party/pty_grown_' || ${paddedSql}, 1, at, '{}',
      array[case n % 10 when 0 then '${grown.partyId}' else 'pty_grown_' || ${paddedSql} end], 'grown', 'bench'
    from kernel.head, ${timesOf(count)}`,
  `insert into kernel.idempotency (owner, operation, key, fingerprint, answer, resource_id, created_at, is_retained)
    select 'bench', 'createNotification', 'grown-' || ${paddedSql}, md5(n::text), '{}', 'ntf_grown_' || ${paddedSql},
      now() - interval '12 hours' + (n::float / ${count}) * interval '11 hours', false
    from generate_series(1, ${count}) n`,
  `insert into ledger.posting_instruction (posting_instruction_id, ordinal, type, status, client_id, booked_at, value_date,
      details)
    select 'pin_grown_' || ${paddedSql}, 0, 'inbound-hard-settlement', 'accepted', 'bench', at, at::date, '{}'
    from ${timesOf(count)}`,
  `insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount, currency,
      booked_at, value_date, committed_after, pending_in_after, pending_out_after, available_after)
    select account_id, 'default', n, 'pin_grown_' || ${paddedSql}, ordinal, 'committed', side, 100, 'EUR', at, at::date,
      sign * n * 100, 0, 0, ${overdraftMinor} + sign * n * 100
    from (values ('${grown.accountId}', 0, 'credit', 1), ('${grown.otherId}', 1, 'debit', -1))
      posted (account_id, ordinal, side, sign), ${timesOf(count)}`,
  `insert into ledger.booking_day_total as t (booked_on, currency, code, type, debit_minor, credit_minor)
    select (at at time zone 'UTC')::date, 'EUR', a.code, a.type,
      count(*) filter (where side = 'debit') * 100, count(*) filter (where side = 'credit') * 100
    from (values ('${grown.accountId}', 'credit'), ('${grown.otherId}', 'debit')) posted (account_id, side)
      join ledger.account a using (account_id), ${timesOf(count)}
    group by 1, 2, 3, 4
    on conflict (booked_on, currency, code, type) do update set
      debit_minor = t.debit_minor + excluded.debit_minor, credit_minor = t.credit_minor + excluded.credit_minor`,
  `update ledger.balance set entry_count = ${count}, last_sequence = ${count}, last_booked_at = now() - interval '1 day',
      overdraft_limit = ${overdraftMinor},
      committed_debit = case account_id when '${grown.otherId}' then ${count}::bigint * 100 else 0 end,
      committed_credit = case account_id when '${grown.accountId}' then ${count}::bigint * 100 else 0 end
    where account_id in ('${grown.accountId}', '${grown.otherId}')`,
  `insert into general_ledger.dated_posting (posting_instruction_id, accounting_date, position, is_year_end)
    select 'pin_grown_' || ${paddedSql}, at::date, position + n, false from kernel.head, ${timesOf(count)}`,
  `insert into payments.payment (payment_id, direction, rail, state, party_id, amount_minor, currency, execution_date,
      content_hash, version, created_at, updated_at)
    select 'pay_grown_' || ${paddedSql}, 'out', 'internal', 'settled', '${grown.partyId}', 100, 'EUR', at::date, '', 1, at, at
    from ${timesOf(count)}`,
  `insert into ledger.authorization
    select 'bench', 'card_grown_' || ${paddedSql}, '${grown.accountId}', 'settlement-cards/EUR', 'out', 'EUR',
      100, 100, 0, 0, 0, 'settled', at, at, 'pin_grown_' || ${paddedSql}, '00000000-0000-0000-0000-000000000000'
    from ${timesOf(count)}`,
  `update kernel.head set position = position + ${count}`,
  // Otherwise the workers would process all of them first.
  'update kernel.consumer set position = (select position from kernel.head)',
  'update general_ledger.book set position = (select position from kernel.head)',
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
