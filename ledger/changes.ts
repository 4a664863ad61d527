import type { Queries } from '../kernel/database/read-rows.ts'
import { defaultAddress, type Balance } from './domain/balance.ts'
import { read, readBalances } from './read.ts'

const changedAccountsSql =
  'select distinct account_id as account from ledger.entry where posting_instruction_id = any(array(' +
  "select substr(e.subject, strpos(e.subject, '/') + 1) from kernel.event e " +
  "where e.position > $1 and e.position <= $2 and e.type like 'payments.posting-instruction.%'))"

const creditedAccountsSql =
  'select distinct e.account_id as account from ledger.entry e where e.posting_instruction_id = any(array(' +
  "select substr(v.subject, strpos(v.subject, '/') + 1) from kernel.event v " +
  "where v.position > $1 and v.position <= $2 and v.type like 'payments.posting-instruction.%')) " +
  "and e.side = 'credit' and e.phase in ('committed', 'pending-out') and strpos(e.account_id, '/') = 0"

/**
 * Returns the IDs of the customer accounts and loan accounts that were credited by postings after
 * the position `from` of the event log, up to and including `to`. A credit means that money came in
 * or that a pending outgoing amount was settled or released.
 */
export async function readCreditedAccounts(
  queries: Queries,
  from: bigint,
  to: bigint,
): Promise<string[]> {
  const values = [from.toString(), to.toString()]
  const rows = await read<{ account: string }>(queries, creditedAccountsSql, values)
  return rows.map(({ account }) => account)
}

/**
 * Returns the current balances of the customer accounts that were changed by postings after the
 * position `from` of the event log, up to and including `to`.
 */
export async function readChangedBalances(
  queries: Queries,
  from: bigint,
  to: bigint,
): Promise<Balance[]> {
  const values = [from.toString(), to.toString()]
  const rows = await read<{ account: string }>(queries, changedAccountsSql, values)
  const ids = rows.map(({ account }) => account).filter((account) => !account.includes('/'))
  const balances = await readBalances(queries, ids)
  return balances.filter(
    ({ account, address }) => account.arrangementId !== null && address === defaultAddress,
  )
}
