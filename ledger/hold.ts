import type { Bank } from '../kernel/environment/bank.ts'
import type { CommandScope } from '../kernel/writing/command-scope.ts'
import { requireCallerWaits, type Context } from '../kernel/environment/context.ts'
import type { Turn } from '../kernel/writing/turns.ts'
import { defaultAddress, type Balance } from './domain/balance.ts'
import { readInto, StoredBooks, type Needs } from './read.ts'
import { guardedAccounts, accountQueuesOf } from './turns.ts'

interface CommandTurn {
  accountIds: ReadonlySet<string>
  turn: Turn
}

const turnsOfCommands = new WeakMap<CommandScope, CommandTurn>()

/**
 * Reads the books on which a command decides. First waits until earlier requests of this process on
 * the same accounts have ended, and then holds the accounts until the command ends. If another
 * process nevertheless commits first, the next attempt locks the balances before it decides, and so
 * do other commands in the next second. Outside a command, nothing waits. Throws TIMEOUT if the
 * caller has stopped waiting in the meantime.
 */
export async function readHeldBooks(context: Context, needs: Needs): Promise<StoredBooks> {
  const books = new StoredBooks()
  const scope = await takeTurn(context, needs.accountIds)
  if (scope) requireCallerWaits(context)
  const { pool, locks } = context.bank
  const queues = accountQueuesOf(context.bank)
  if (scope && scope.attempt > 1) queues.recordCollision()
  if (!scope || scope.isOverlapped || !queues.shouldLock) {
    await readInto(books, pool, needs)
    return books
  }
  await readInto(books, await scope.begin(locks), needs, true)
  return books
}

/**
 * Reads the balance of one account, for a command that changes the guard of the account. Throws an
 * Error if the account does not exist in the ledger.
 */
export async function readHeldBalance(context: Context, accountId: string): Promise<Balance> {
  const needs = {
    accountIds: new Set([accountId]),
    authorizationKeys: new Set<string>(),
    postingIds: new Set<string>(),
  }
  const balance = (await readHeldBooks(context, needs)).balance(accountId, defaultAddress)
  if (!balance) throw new Error(`The ledger has no account ${accountId}.`)
  return balance
}

/**
 * Waits for the command's turn on accounts. If the command already has a turn on other accounts, it
 * gives up that turn and waits for all accounts again, because waiting while holding a turn could
 * deadlock.
 */
async function takeTurn({ bank, commands }: Context, requestedIds: Iterable<string>) {
  const scope = commands.current
  if (!scope) return null
  const previous = turnsOfCommands.get(scope)
  const accountIds = new Set([...(previous?.accountIds ?? []), ...guardedAccounts(requestedIds)])
  if (previous && accountIds.size === previous.accountIds.size) return scope
  if (previous) {
    await scope.rollback()
    previous.turn.end()
  } else scope.onEnd(() => endTurn(scope, bank))
  const turn = accountQueuesOf(bank).turns.take(accountIds, 'exclusive')
  turnsOfCommands.set(scope, { accountIds, turn })
  await turn.ready
  return scope
}

function endTurn(scope: CommandScope, bank: Bank): void {
  const { accountIds, turn } = turnsOfCommands.get(scope)!
  accountQueuesOf(bank).notifyChanged(accountIds)
  turn.end()
}
