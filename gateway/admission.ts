import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { noteAtDoor } from './refusals.ts'

const mostOfPerson = 5
const mostOfClient = 200
const longestTimerMs = 2 ** 31 - 1

/**
 * Watches the token that a socket or a stream was opened with. Calls `end` once, when it expires or
 * was revoked; call the answer when the connection is closed.
 */
export function watchToken(bank: Bank, caller: Caller, end: (why: string) => void): () => void {
  const leftMs = Math.min(caller.expiresAt - Date.now(), longestTimerMs)
  const timer = setTimeout(() => finish('The token has expired.'), leftMs)
  const forget = bank.revocations.onChange(() => {
    if (bank.revocations.isRevoked(caller)) finish('The token was revoked.')
  })
  const stop = () => {
    clearTimeout(timer)
    forget()
  }
  const finish = (why: string) => {
    stop()
    end(why)
  }
  return stop
}

/**
 * Who listens to this process, over sockets and streams alike: a person on five at most, a client
 * that acts for nobody on 200.
 */
export class Listeners {
  readonly #bank: Bank
  readonly #counts = new Map<string, number>()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /** Lets one more in; call the answer once, when the connection is closed. Refuses with RATE_LIMITED. */
  enter(caller: Caller): () => void {
    const isPerson = caller.partyId !== null
    const who = isPerson ? `person ${caller.subject}` : `client ${caller.clientId}`
    const most = isPerson ? mostOfPerson : mostOfClient
    const count = this.#counts.get(who) ?? 0
    if (count >= most) {
      const problem = new Problem('RATE_LIMITED', {
        detail: `At most ${most} connections at once.`,
      })
      noteAtDoor(this.#bank, null, caller, problem)
      throw problem
    }
    this.#counts.set(who, count + 1)
    return () => {
      const left = (this.#counts.get(who) ?? 0) - 1
      if (left > 0) this.#counts.set(who, left)
      else this.#counts.delete(who)
    }
  }
}
