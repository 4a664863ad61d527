import type { Caller } from '../../kernel/authorization/caller.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import { createContext, type Context } from '../../kernel/environment/context.ts'
import type { PreparedCommit } from '../../kernel/writing/gathered-commits.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { aCaller } from './subgraph.ts'

/** A context in which something else happens once, between the decision and the commit. */
export function interrupted(
  bank: Bank,
  action: () => Promise<unknown>,
  caller: Caller = aCaller(),
): Context {
  let isDone = false
  const commits = {
    async commit(prepared: PreparedCommit) {
      if (!isDone) {
        isDone = true
        await action()
      }
      return bank.commits.commit(prepared)
    },
  }
  const interruptedBank = { ...bank, commits: commits as Bank['commits'] }
  return createContext(interruptedBank, caller, bankContext(bank).envelope)
}

/** Runs an action once, just before the next statement that contains this text is committed. */
export function interruptCommit(
  { commits }: Bank,
  mark: string,
  action: () => Promise<unknown>,
): void {
  const commit = commits.commit.bind(commits)
  commits.commit = async (prepared: PreparedCommit) => {
    if (prepared.statement.text.includes(mark)) {
      commits.commit = commit
      await action()
    }
    return commit(prepared)
  }
}

/** Runs an action once, just before or after the next list of records of this model is read. */
export function interruptRead(
  bank: Bank,
  model: string,
  action: () => Promise<unknown>,
  when: 'before' | 'after' = 'after',
): void {
  const { db } = bank
  const records = Reflect.get(db, model) as { findMany(query: unknown): Promise<unknown> }
  const once = async () => {
    // A context that was created before keeps its client.
    const isFirst = bank.db !== db
    bank.db = db
    if (isFirst) await action()
  }
  const findMany = async (query: unknown) => {
    if (when === 'before') await once()
    const found = await records.findMany(query)
    if (when === 'after') await once()
    return found
  }
  bank.db = new Proxy(db, {
    get: (target, name) =>
      name === model ? { ...records, findMany } : (Reflect.get(target, name) as unknown),
  })
}
