/** Workers that are cut off in the middle of their work. */
import { expect } from 'vitest'
import { CommandScope } from '../../../kernel/writing/command-scope.ts'
import type { InterestBank } from './kit.ts'

/** Leases expire by the clock of the database. */
export const endLeasesOf = (bank: InterestBank, table = 'interest.position') =>
  bank.rows(`update ${table} set leased_until = null`)

/** Runs a worker until it finds nothing to do. */
export async function runToEnd(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

/**
 * Fails the next commit after the first few while `run` runs, as if the process had died: also those of
 * commands that lock what they read, as they do for a second after a collision.
 */
export async function killedAfter(
  bank: InterestBank,
  count: number,
  run: () => Promise<unknown>,
): Promise<void> {
  const { commits } = bank.bank
  const { commit } = commits
  const { commit: commitLocked } = CommandScope.prototype
  let left = count
  const dead = () => Promise.reject(new Error('The plug was pulled.'))
  commits.commit = (statement) => (left-- > 0 ? commit.call(commits, statement) : dead())
  CommandScope.prototype.commit = function (statement) {
    return left-- > 0 ? commitLocked.call(this, statement) : dead()
  }
  try {
    await run()
  } catch (error) {
    expect((error as Error).message).toContain('The plug was pulled.')
  } finally {
    commits.commit = commit
    CommandScope.prototype.commit = commitLocked
  }
}
