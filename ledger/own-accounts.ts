import type { Bank } from '../kernel/environment/bank.ts'
import { composites } from '../kernel/writing/composites.ts'
import { internalAccount } from './domain/account.ts'
import { emptyBalance } from './domain/balance.ts'
import { accountFields, balanceFields } from './rows.ts'

/**
 * How long an account is assumed to exist without checking the database. A failover or a restore
 * may have removed the account.
 */
const knownForMs = 60_000

/** For each pool, the time at which each account was last known to exist, by account ID. */
const knownAccounts = new WeakMap<object, Map<string, number>>()

const openSql =
  'with opened as (insert into ledger.account select a.* from unnest($1::ledger.account[]) a ' +
  'on conflict do nothing returning 1) ' +
  'insert into ledger.balance select b.* from unnest($2::ledger.balance[]) b ' +
  'where (select count(*) from opened) >= 0 on conflict do nothing'

/**
 * Opens internal accounts that do not exist yet, in a separate commit. That is safe, because an
 * empty account does not change the books.
 */
export async function openInternalAccounts(
  { pool }: Pick<Bank, 'pool'>,
  accountIds: Iterable<string>,
): Promise<void> {
  let confirmedAt = knownAccounts.get(pool)
  if (!confirmedAt) knownAccounts.set(pool, (confirmedAt = new Map()))
  const oldestConfirmation = performance.now() - knownForMs
  const unknownIds = [...accountIds].filter(
    (id) => id.includes('/') && (confirmedAt.get(id) ?? -Infinity) < oldestConfirmation,
  )
  const accounts = unknownIds.flatMap((id) => internalAccount(id) ?? [])
  if (accounts.length === 0) return
  const balances = accounts.map((account) => balanceFields(emptyBalance(account)))
  await pool.query(openSql, [composites(accounts.map(accountFields)), composites(balances)])
  for (const { accountId } of accounts) confirmedAt.set(accountId, performance.now())
}

/** Clears the cache of existing accounts, after a failed attempt to post. */
export function evictInternalAccounts({ pool }: Pick<Bank, 'pool'>): void {
  knownAccounts.delete(pool)
}
