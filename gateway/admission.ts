import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { noteAtDoor } from './refusals.ts'

const mostOfPerson = 5
const mostOfClient = 200
const mostOfAddress = 256
const mostStrangers = 4096
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

/** How many are inside, by name. */
class Headcount {
  readonly #counts = new Map<string, number>()

  /** Lets one more in; the answer lets it out, once. Refuses with RATE_LIMITED. */
  enter(name: string, most: number): () => void {
    const count = this.#counts.get(name) ?? 0
    if (count >= most) {
      const detail = `At most ${most} connections at once.`
      throw new Problem('RATE_LIMITED', { detail, retryAfterSeconds: 1 })
    }
    this.#counts.set(name, count + 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      const left = (this.#counts.get(name) ?? 0) - 1
      if (left > 0) this.#counts.set(name, left)
      else this.#counts.delete(name)
    }
  }
}

/**
 * Who listens to this process, over sockets and streams alike: a person on five at most, a client
 * that acts for nobody on 200.
 */
export class Listeners {
  readonly #bank: Bank
  readonly #inside = new Headcount()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /** Lets one more in; call the answer when the connection is closed. Refuses with RATE_LIMITED. */
  enter(caller: Caller): () => void {
    try {
      return caller.partyId !== null
        ? this.#inside.enter(`person ${caller.subject}`, mostOfPerson)
        : this.#inside.enter(`client ${caller.clientId}`, mostOfClient)
    } catch (error) {
      noteAtDoor(this.#bank, null, caller, error)
      throw error
    }
  }
}

/** Sockets of which nobody knows yet whose they are: 256 of an address, 4096 of all. */
export class Strangers {
  readonly #inside = new Headcount()

  /** Lets one more in; call the answer when it has said who it is, or is closed. Refuses with RATE_LIMITED. */
  enter(address: string): () => void {
    const leaveAddress = this.#inside.enter(`address ${address}`, mostOfAddress)
    try {
      const leaveAll = this.#inside.enter('all', mostStrangers)
      return () => {
        leaveAddress()
        leaveAll()
      }
    } catch (error) {
      leaveAddress()
      throw error
    }
  }
}
