import type { Bank } from '../_kernel/bank.ts'
import { Turns } from '../_kernel/turns.ts'

/** How long a collision with another process is remembered. */
const lockForMs = 1000

/** The accounts of an environment as the movements of this process line up for them. */
export class AccountLines {
  /** Postings share an account among each other, a command that books has it for itself. */
  readonly turns = new Turns()
  #lockUntil = 0
  readonly #listeners: ((accountIds: Iterable<string>) => void)[] = []

  /** Whether commands lock what they decide on at once, because other processes move the same accounts. */
  get areShared(): boolean {
    return performance.now() < this.#lockUntil
  }

  /** Another process was faster: for a while commands lock at once. */
  collided(): void {
    this.#lockUntil = performance.now() + lockForMs
  }

  /** Calls back when a command may have moved accounts. */
  onMoved(listener: (accountIds: Iterable<string>) => void): void {
    this.#listeners.push(listener)
  }

  moved(accountIds: Iterable<string>): void {
    for (const listener of this.#listeners) listener(accountIds)
  }
}

const lines = new WeakMap<Bank, AccountLines>()

export function linesOf(bank: Bank): AccountLines {
  let found = lines.get(bank)
  if (!found) lines.set(bank, (found = new AccountLines()))
  return found
}

/** Those that have a balance to decide on: not the bank's own, whose entries are aggregated later. */
export function guardedAccounts(accountIds: Iterable<string>): string[] {
  return [...accountIds].filter((accountId) => !accountId.includes('/'))
}
