import { read, type Queries } from './read.ts'

/** What is debited and credited in one currency, over all accounts; minor units. */
export interface TrialBalance {
  currency: string
  debitMinor: bigint
  creditMinor: bigint
  accounts: AccountTotal[]
}

/** What the accounts of one code come to. */
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

const nowSql =
  'select currency, code, type, sum(committed_debit)::text as debit, sum(committed_credit)::text as credit ' +
  'from ledger.current_balance where $1::text is null or currency = $1 ' +
  'group by currency, code, type order by currency, code'
const thenSql =
  'select e.currency, a.code, a.type, ' +
  "coalesce(sum(e.amount) filter (where e.side = 'debit'), 0)::text as debit, " +
  "coalesce(sum(e.amount) filter (where e.side = 'credit'), 0)::text as credit " +
  'from ledger.entry e join ledger.account a using (account_id) ' +
  "where e.phase = 'committed' and e.booked_at <= $2 and ($1::text is null or e.currency = $1) " +
  'group by e.currency, a.code, a.type order by e.currency, a.code'

/**
 * The trial balance of a currency, or of each: what is booked now, from the balances; or as it was
 * booked at an instant, from the entries, all of which it reads.
 */
export async function readTrialBalance(
  queries: Queries,
  currency: string | null,
  asOf: Date | null,
): Promise<TrialBalance[]> {
  const rows = asOf
    ? await read<TotalRow>(queries, thenSql, [currency, asOf])
    : await read<TotalRow>(queries, nowSql, [currency])
  const byCurrency = new Map<string, TrialBalance>()
  for (const row of rows) {
    const [debitMinor, creditMinor] = [BigInt(row.debit), BigInt(row.credit)]
    const none = { currency: row.currency, debitMinor: 0n, creditMinor: 0n, accounts: [] }
    const balance: TrialBalance = byCurrency.get(row.currency) ?? none
    balance.debitMinor += debitMinor
    balance.creditMinor += creditMinor
    balance.accounts.push({ code: row.code, type: row.type, debitMinor, creditMinor })
    byCurrency.set(row.currency, balance)
  }
  return [...byCurrency.values()]
}
