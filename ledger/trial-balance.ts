import { read, type Queries } from './read.ts'

/** The total debits and credits of all accounts in one currency, in minor units. */
export interface TrialBalance {
  currency: string
  debitMinor: bigint
  creditMinor: bigint
  accounts: AccountTotal[]
}

/** The totals of the accounts with the same code. */
export interface AccountTotal {
  code: string
  type: string
  debitMinor: bigint
  creditMinor: bigint
}

interface TotalRow {
  currency: string
  code: string
  type: string
  debit: string
  credit: string
}

const currentSql =
  'select currency, code, type, sum(committed_debit)::text as debit, sum(committed_credit)::text as credit ' +
  'from ledger.current_balance where $1::text is null or currency = $1 ' +
  'group by currency, code, type order by currency, code'
const asOfSql =
  'select e.currency, a.code, a.type, ' +
  "coalesce(sum(e.amount) filter (where e.side = 'debit'), 0)::text as debit, " +
  "coalesce(sum(e.amount) filter (where e.side = 'credit'), 0)::text as credit " +
  'from ledger.entry e join ledger.account a using (account_id) ' +
  "where e.phase = 'committed' and e.booked_at <= $2 and ($1::text is null or e.currency = $1) " +
  'group by e.currency, a.code, a.type order by e.currency, a.code'

/**
 * Reads the trial balance of a currency, or of every currency if `currency` is null. The current
 * trial balance (`asOf` is null) is read from the balances. An earlier one is computed from all
 * entries.
 */
export async function readTrialBalance(
  queries: Queries,
  currency: string | null,
  asOf: Date | null,
): Promise<TrialBalance[]> {
  const rows = asOf
    ? await read<TotalRow>(queries, asOfSql, [currency, asOf])
    : await read<TotalRow>(queries, currentSql, [currency])
  const byCurrency = new Map<string, TrialBalance>()
  for (const row of rows) {
    const [debitMinor, creditMinor] = [BigInt(row.debit), BigInt(row.credit)]
    const emptyTotals = { currency: row.currency, debitMinor: 0n, creditMinor: 0n, accounts: [] }
    const balance: TrialBalance = byCurrency.get(row.currency) ?? emptyTotals
    balance.debitMinor += debitMinor
    balance.creditMinor += creditMinor
    balance.accounts.push({ code: row.code, type: row.type, debitMinor, creditMinor })
    byCurrency.set(row.currency, balance)
  }
  return [...byCurrency.values()]
}
