import type { Bank } from '../kernel/environment/bank.ts'
import { Turns } from '../kernel/writing/turns.ts'

/**
 * How long, after a collision with another process, commands lock balances from their first
 * attempt.
 */
const lockForMs = 1000

/** The queues for the accounts of one environment in this process. */
export class AccountQueues {
  /**
   * Postings through the batcher share an account with each other. A command that books by itself
   * has the account exclusively.
   */
  readonly turns = new Turns()
  #lockUntil = 0
  readonly #listeners: ((accountIds: Iterable<string>) => void)[] = []

  /**
   * Whether commands should lock balances from their first attempt, because this process recently
   * collided with another process.
   */
  get shouldLock(): boolean {
    return performance.now() < this.#lockUntil
  }

  /**
   * Records a collision with another process. For the next second, commands lock balances from
   * their first attempt.
   */
  recordCollision(): void {
    this.#lockUntil = performance.now() + lockForMs
  }

  /** Registers a callback for accounts that a command may have changed. */
  onChanged(listener: (accountIds: Iterable<string>) => void): void {
    this.#listeners.push(listener)
  }

  notifyChanged(accountIds: Iterable<string>): void {
    for (const listener of this.#listeners) listener(accountIds)
  }
}

const linesByBank = new WeakMap<Bank, AccountQueues>()

export function accountQueuesOf(bank: Bank): AccountQueues {
  let queues = linesByBank.get(bank)
  if (!queues) linesByBank.set(bank, (queues = new AccountQueues()))
  return queues
}

/**
 * Returns the IDs of the accounts on whose balances a decision may depend: all except internal
 * accounts, whose balances are aggregated later.
 */
export function guardedAccounts(accountIds: Iterable<string>): string[] {
  return [...accountIds].filter((accountId) => !accountId.includes('/'))
}
