import { readRows, type Queries } from '../../../kernel/database/read-rows.ts'
import type { KeyComparison, StoredTotals } from '../domain/findings.ts'

interface ComparisonRow {
  ledgerCode: string
  productId: string
  currency: string
  types: string[]
  ledger: string
  generalLedger: string
  notDated: string
  [column: string]: unknown
}

const comparisonSql = `with books as (
    select b.code as ledger_code, general_ledger.product_of(b.account_id, b.code) as product_id,
      b.currency, array_agg(distinct b.type) as types,
      sum(b.committed_debit - b.committed_credit) as balance
    from ledger.current_balance b group by 1, 2, 3
  ), totals as (
    select ledger_code, product_id, currency, sum(debit_minor - credit_minor) as balance
    from general_ledger.daily_total group by 1, 2, 3
  ), undated as (
    select a.code as ledger_code, general_ledger.product_of(a.account_id, a.code) as product_id,
      e.currency, sum(case e.side when 'debit' then e.amount else -e.amount end) as balance
    from ledger.entry e join ledger.account a using (account_id)
    where e.phase = 'committed' and not exists (select from general_ledger.dated_posting d
      where d.posting_instruction_id = e.posting_instruction_id)
    group by 1, 2, 3
  )
  select ledger_code as "ledgerCode", product_id as "productId", currency,
    coalesce(b.types, '{}') as types, coalesce(b.balance, 0)::text as ledger,
    coalesce(t.balance, 0)::text as "generalLedger", coalesce(u.balance, 0)::text as "notDated"
  from books b full join totals t using (ledger_code, product_id, currency)
  full join undated u using (ledger_code, product_id, currency) order by 1, 2, 3`

/**
 * Compares the balances of the ledger with the totals of the general ledger, as of one moment. Reads
 * all entries.
 */
export async function readComparison(pool: Queries): Promise<KeyComparison[]> {
  const rows = await readRows<ComparisonRow>({ pool }, comparisonSql, [])
  return rows.map(({ ledger, generalLedger, notDated, ...row }) => ({
    ...row,
    ledgerMinor: BigInt(ledger),
    generalLedgerMinor: BigInt(generalLedger),
    notDatedMinor: BigInt(notDated),
  }))
}

const totalsSql = `select accounting_date::text as day,
    ledger_code || ' ' || product_id || ' ' || currency as subject from (
    select accounting_date, ledger_code, product_id, currency, sum(debit_minor) as debit,
      sum(credit_minor) as credit from general_ledger.daily_total group by 1, 2, 3, 4) t
  full join (
    select d.accounting_date, a.code as ledger_code,
      general_ledger.product_of(a.account_id, a.code) as product_id, e.currency,
      coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit,
      coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit
    from general_ledger.dated_posting d join ledger.entry e using (posting_instruction_id)
    join ledger.account a using (account_id) where e.phase = 'committed' group by 1, 2, 3, 4) s
    using (accounting_date, ledger_code, product_id, currency)
  where (t.debit, t.credit) is distinct from (s.debit, s.credit) limit 100`

/** Returns the daily totals that are not the sum of the entries of their day. */
export function readWrongTotals(pool: Queries): Promise<{ day: string; subject: string }[]> {
  return readRows<{ day: string; subject: string }>({ pool }, totalsSql, [])
}

const dimensionsSql = `select accounting_date::text as day,
    ledger_code || ' ' || value || ' ' || currency as subject
  from general_ledger.wrong_dimension_totals() limit 100`

/** Returns the totals of products and segments that are not the sum of their entries. */
export function readWrongDimensionTotals(
  pool: Queries,
): Promise<{ day: string; subject: string }[]> {
  return readRows<{ day: string; subject: string }>({ pool }, dimensionsSql, [])
}

interface StoredRow {
  accountingPeriodId: string
  ledgerCode: string
  productId: string
  currency: string
  stored: string
  current: string
  [column: string]: unknown
}

const storedSql = `with stored as (
    select b.* from general_ledger.closing_balance b
    join general_ledger.accounting_period p using (accounting_period_id)
    where p.state = 'closed' and b.closing = p.closings
  ), sums as (
    select p.accounting_period_id, t.ledger_code, t.product_id, t.currency,
      sum(t.debit_minor - t.credit_minor) as balance
    from general_ledger.accounting_period p join general_ledger.daily_total t
      on to_char(t.accounting_date, 'YYYY-MM') <= p.accounting_period_id
    where p.state = 'closed' group by 1, 2, 3, 4
  )
  select accounting_period_id as "accountingPeriodId", ledger_code as "ledgerCode",
    product_id as "productId", currency, coalesce(s.closing_minor, 0)::text as stored,
    coalesce(c.balance, 0)::text as current
  from stored s full join sums c using (accounting_period_id, ledger_code, product_id, currency)
  where coalesce(s.closing_minor, 0) <> coalesce(c.balance, 0) order by 1, 2, 3, 4 limit 100`

/** Returns the stored balances of closed periods that differ from the current totals. */
export async function readChangedClosings(pool: Queries): Promise<StoredTotals[]> {
  const rows = await readRows<StoredRow>({ pool }, storedSql, [])
  return rows.map(({ stored, current, ...row }) => ({
    ...row,
    storedMinor: BigInt(stored),
    currentMinor: BigInt(current),
  }))
}
