import type { Bank } from '../_kernel/bank.ts'
import type { CommandScope } from '../_kernel/command-scope.ts'
import { requireCallerWaits, type Context } from '../_kernel/context.ts'
import type { Turn } from '../_kernel/turns.ts'
import { defaultAddress, type Balance } from './domain/balance.ts'
import { readInto, StoredBooks, type Needs } from './read.ts'
import { guardedAccounts, linesOf } from './turns.ts'

interface Held {
  accountIds: ReadonlySet<string>
  turn: Turn
}

const held = new WeakMap<CommandScope, Held>()

/**
 * The books that a command decides on. It waits for its turn on the accounts, behind whatever asked
 * for them earlier in this process, and keeps it until the command has ended. When another process
 * was faster all the same, this attempt and the commands of the next second lock the balances before
 * they decide: nobody can move them before the commit. Outside of a command nothing waits.
 * Rejects with TIMEOUT when the turn comes after the caller stopped waiting.
 */
export async function readHeldBooks(context: Context, needs: Needs): Promise<StoredBooks> {
  const books = new StoredBooks()
  const scope = await takeTurn(context, needs.accountIds)
  if (scope) requireCallerWaits(context)
  const { pool, locks } = context.bank
  const lines = linesOf(context.bank)
  if (scope && scope.attempt > 1) lines.collided()
  if (!scope || scope.isOverlapped || !lines.areShared) {
    await readInto(books, pool, needs)
    return books
  }
  await readInto(books, await scope.begin(locks), needs, true)
  return books
}

/** The balance of one account for a command that changes what guards it. Throws when there is none. */
export async function readHeldBalance(context: Context, accountId: string): Promise<Balance> {
  const needs = {
    accountIds: new Set([accountId]),
    chains: new Set<string>(),
    postingIds: new Set<string>(),
  }
  const balance = (await readHeldBooks(context, needs)).balance(accountId, defaultAddress)
  if (!balance) throw new Error(`${accountId} has no account in the ledger.`)
  return balance
}

/** Takes the command's turn on accounts, or on more of them. It never waits while it holds others. */
async function takeTurn({ bank, commands }: Context, wanted: Iterable<string>) {
  const scope = commands.current
  if (!scope) return null
  const before = held.get(scope)
  const accountIds = new Set([...(before?.accountIds ?? []), ...guardedAccounts(wanted)])
  if (before && accountIds.size === before.accountIds.size) return scope
  if (before) {
    await scope.rollback()
    before.turn.end()
  } else scope.onEnd(() => endTurn(scope, bank))
  const turn = linesOf(bank).turns.take(accountIds, 'exclusive')
  held.set(scope, { accountIds, turn })
  await turn.ready
  return scope
}

function endTurn(scope: CommandScope, bank: Bank): void {
  const { accountIds, turn } = held.get(scope)!
  linesOf(bank).moved(accountIds)
  turn.end()
}
