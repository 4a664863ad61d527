import pg from 'pg'

/** An account or loan of the sandbox that is copied, and the tables with its rows. */
export interface Seed {
  id: string
  /** Tables whose rows name the record, and which the night reads or changes. */
  tables: readonly string[]
}

const accountTables = ['accounts.arrangement', 'kernel.fact', 'ledger.account', 'ledger.balance']

export const seeds = {
  savings: { id: 'arr_grace_growth', tables: [...accountTables, 'interest.position'] },
  overdraft: {
    id: 'arr_grace_overdraft',
    tables: [
      ...accountTables,
      'accounts.overdraft',
      'interest.position',
      'interest.overdraft_position',
    ],
  },
  loan: {
    id: 'loan_ada',
    tables: [
      'kernel.fact',
      'ledger.account',
      'ledger.balance',
      'lending.facility',
      'lending.schedule_version',
      'lending.due_installment',
      'lending.drawdown',
    ],
  },
} satisfies Record<string, Seed>

/** The postings that give the copies their balances, and the account that balances them. */
const opening = { postingId: 'pin_copies', accountId: 'copies/EUR', entries: 1000 }

/**
 * Copies each account and loan `count` times. The copies have the balances, the interest and the
 * schedules of the original, but only one entry for each balance. The ledger is consistent.
 */
export async function copySeeds(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const seed of Object.values(seeds)) {
      for (const table of seed.tables) await client.query(copySql(table, seed.id, count))
    }
    for (const statement of openingSql) await client.query(statement)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/**
 * Writes the ID of each copy in the place of the ID of the original, wherever a row has it. IDs and
 * numbers of other records that must be unique get the number of the copy, too.
 */
const copySql = (table: string, id: string, count: number) => `
  with originals as materialized (
    select row, (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each_text(row::jsonb)
        where key in ('account_number', 'overdraft_id', 'drawdown_id')) as numbers
      from ${table} original, lateral (select to_jsonb(original)::text as row) as_text
      where coalesce(row::jsonb ->> 'subject', row) ~ '\\m${id}\\M')
  insert into ${table}
  select copied.* from originals, generate_series(1, ${count}) n,
    lateral (select coalesce(jsonb_object_agg(key, value || n), '{}') as unique_numbers
      from jsonb_each_text(numbers)) numbered,
    lateral jsonb_populate_record(null::${table},
      replace(row, '${id}', '${id}_' || n)::jsonb || unique_numbers) copied`

const isCopySql = `account_id ~ '(${Object.values(seeds)
  .map(({ id }) => id)
  .join('|')})_\\d+$'`
const netSql = 'committed_credit - committed_debit'

/** Postings with an entry for each balance of a copy. Positions of interest include them. */
const openingSql = [
  `insert into ledger.account (account_id, code, type, policy, currency, normal_side)
    values ('${opening.accountId}', 'suspense', 'liability', 'unguarded', 'EUR', 'credit')`,
  `update ledger.balance set entry_count = 0, last_sequence = 0, last_booked_at = null,
      committed_credit = greatest(${netSql}, 0), committed_debit = greatest(-(${netSql}), 0)
    where ${isCopySql}`,
  `create temporary table opened as
    select account_id, address, normal_side, ${netSql} as net,
      (row_number() over (order by account_id, address) - 1) / ${opening.entries} as batch
    from ledger.balance join ledger.account using (account_id) where ${isCopySql} and ${netSql} <> 0`,
  `create temporary table opened_batch as
    select batch, '${opening.postingId}_' || batch as posting_id, sum(net) as net,
      sum(sum(net)) over (order by batch) as net_after from opened group by batch`,
  `insert into ledger.posting_instruction (posting_instruction_id, ordinal, type, status, client_id, booked_at, value_date,
      details) select posting_id, 0, 'transfer', 'accepted', 'bench', now(), current_date, '{}' from opened_batch`,
  `insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount, currency,
      booked_at, value_date, committed_after, pending_in_after, pending_out_after, available_after)
    select o.account_id, o.address, 1, b.posting_id, row_number() over (partition by batch), 'committed',
      case when o.net > 0 then 'credit' else 'debit' end, abs(o.net), 'EUR', now(), current_date,
      case normal_side when 'credit' then o.net else -o.net end, 0, 0, 0
    from opened o join opened_batch b using (batch)`,
  `update ledger.balance set entry_count = 1, last_sequence = 1, last_booked_at = now()
    where ${isCopySql} and ${netSql} <> 0`,
  `insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount, currency,
      booked_at, value_date, committed_after, pending_in_after, pending_out_after, available_after)
    select '${opening.accountId}', 'default', batch + 1, posting_id, 0, 'committed',
      case when net > 0 then 'debit' else 'credit' end, abs(net), 'EUR', now(), current_date,
      -net_after, 0, 0, -net_after from opened_batch`,
  `insert into ledger.balance (account_id, address, committed_debit, committed_credit, pending_in_debit, pending_in_credit,
      pending_out_debit, pending_out_credit, overdraft_limit, entry_count, last_sequence, last_booked_at, is_closed)
    select '${opening.accountId}', 'default', coalesce(sum(net) filter (where net > 0), 0),
      coalesce(-sum(net) filter (where net < 0), 0), 0, 0, 0, 0, 0, count(*), count(*), now(), false
    from opened_batch`,
  ...['interest.position', 'interest.overdraft_position'].map(
    (table) =>
      `update ${table} set seen_sequence = 1 where ${isCopySql.replace('account_id', 'arrangement_id')}`,
  ),
  `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
    select position + 1 + batch, 'evt_copies_' || batch, 'payments.posting-instruction.accepted',
      'posting-instruction/' || posting_id, 1, now(), '{}', '{}', 'copies', 'bench'
    from kernel.head, opened_batch`,
  'update kernel.head set position = position + (select count(*) from opened_batch)',
  // Otherwise the workers would process the copies as if they were new.
  'update kernel.consumer set position = (select position from kernel.head)',
]
