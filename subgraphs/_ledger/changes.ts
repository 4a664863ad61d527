import { defaultAddress, type Balance } from './domain/balance.ts'
import { read, readBalances, type Queries } from './read.ts'

const movedSql =
  'select distinct account_id as account from ledger.entry where posting_instruction_id = any(array(' +
  "select substr(e.subject, strpos(e.subject, '/') + 1) from kernel.event e " +
  "where e.position > $1 and e.position <= $2 and e.type like 'payments.posting-instruction.%'))"

const freedSql =
  'select distinct e.account_id as account from ledger.entry e where e.posting_instruction_id = any(array(' +
  "select substr(v.subject, strpos(v.subject, '/') + 1) from kernel.event v " +
  "where v.position > $1 and v.position <= $2 and v.type like 'payments.posting-instruction.%')) " +
  "and e.side = 'credit' and e.phase in ('committed', 'pending-out') and strpos(e.account_id, '/') = 0"

/**
 * The accounts of customers that have more available after postings between two positions of the log:
 * money came in, or an authorization was released.
 */
export async function readCreditedAccounts(
  queries: Queries,
  from: bigint,
  to: bigint,
): Promise<string[]> {
  const values = [from.toString(), to.toString()]
  const rows = await read<{ account: string }>(queries, freedSql, values)
  return rows.map(({ account }) => account)
}

/** The accounts that customers hold and that postings between two positions of the log moved, as they are now. */
export async function readMovedBalances(
  queries: Queries,
  from: bigint,
  to: bigint,
): Promise<Balance[]> {
  const values = [from.toString(), to.toString()]
  const rows = await read<{ account: string }>(queries, movedSql, values)
  const ids = rows.map(({ account }) => account).filter((account) => !account.includes('/'))
  const balances = await readBalances(queries, ids)
  return balances.filter(
    ({ account, address }) => account.arrangementId !== null && address === defaultAddress,
  )
}
