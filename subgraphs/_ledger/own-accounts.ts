import type { Bank } from '../_kernel/bank.ts'
import { composites } from '../_kernel/composites.ts'
import { internalAccount } from './domain/account.ts'
import { emptyBalance } from './domain/balance.ts'
import { accountFields, balanceFields } from './rows.ts'

/** After a failover or a restore an account may be gone: for how long it is taken to be there. */
const knownForMs = 60_000

/** By pool, when each account was last known to be there. */
const known = new WeakMap<object, Map<string, number>>()

const openSql =
  'with opened as (insert into ledger.account select a.* from unnest($1::ledger.account[]) a ' +
  'on conflict do nothing returning 1) ' +
  'insert into ledger.balance select b.* from unnest($2::ledger.balance[]) b ' +
  'where (select count(*) from opened) >= 0 on conflict do nothing'

/**
 * Opens accounts of the bank's own that are used for the first time. It is a commit of its own: an
 * account with nothing on it is no change of the books.
 */
export async function openOwnAccounts(
  { pool }: Pick<Bank, 'pool'>,
  accountIds: Iterable<string>,
): Promise<void> {
  let opened = known.get(pool)
  if (!opened) known.set(pool, (opened = new Map()))
  const since = performance.now() - knownForMs
  const fresh = [...accountIds].filter(
    (id) => id.includes('/') && (opened.get(id) ?? -Infinity) < since,
  )
  const accounts = fresh.flatMap((id) => internalAccount(id) ?? [])
  if (accounts.length === 0) return
  const balances = accounts.map((account) => balanceFields(emptyBalance(account)))
  await pool.query(openSql, [composites(accounts.map(accountFields)), composites(balances)])
  for (const { accountId } of accounts) opened.set(accountId, performance.now())
}

/** Has accounts looked for again: the database refused something about one. */
export function forgetOwnAccounts({ pool }: Pick<Bank, 'pool'>): void {
  known.delete(pool)
}
