import type { Bank } from '../kernel/environment/bank.ts'
import { callerKey, type Caller } from '../kernel/authorization/caller.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { recordRejection } from './refusals.ts'

const maxPerPerson = 5
const maxPerClient = 200
const maxPerAddress = 256
const maxUnauthenticated = 4096
/** The maximum delay of a timer in Node. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Watches the token with which a socket or a stream was opened. Calls `end` once, when the token
 * expires or is revoked. Returns a function that stops watching; call it when the connection is
 * closed.
 */
export function watchToken(bank: Bank, caller: Caller, end: (reason: string) => void): () => void {
  const leftMs = Math.min(caller.expiresAt - Date.now(), maxTimerMs)
  const timer = setTimeout(() => finish('The token has expired.'), leftMs)
  const checkRevoked = () => {
    if (bank.revocations.isRevoked(caller)) finish('The token was revoked.')
  }
  const removeListener = bank.revocations.onChange(checkRevoked)
  const stop = () => {
    clearTimeout(timer)
    removeListener()
  }
  const finish = (reason: string) => {
    stop()
    end(reason)
  }
  // The token may have been revoked while it was verified.
  queueMicrotask(checkRevoked)
  return stop
}

/** Counts open connections by key. */
export class ConnectionCounter {
  readonly #counts = new Map<string, number>()

  /**
   * Adds a connection and returns the function that removes it. Throws RATE_LIMITED if the key
   * already has `max` connections.
   */
  enter(key: string, max: number): () => void {
    const count = this.#counts.get(key) ?? 0
    if (count >= max) {
      const detail = `The maximum of ${max} open connections is reached. Close a connection first.`
      throw new Problem('RATE_LIMITED', { detail, retryAfterSeconds: 1 })
    }
    this.#counts.set(key, count + 1)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      const remaining = (this.#counts.get(key) ?? 0) - 1
      if (remaining > 0) this.#counts.set(key, remaining)
      else this.#counts.delete(key)
    }
  }
}

/**
 * Limits the open sockets and streams of one environment in this process: five per delegated user,
 * and 200 per client that does not act for a party, or per person of the bank who uses it.
 */
export class ConnectionLimiter {
  readonly #bank: Bank
  readonly #connections = new ConnectionCounter()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /**
   * Adds a connection. Call the returned function when the connection is closed. Throws
   * RATE_LIMITED if the caller already has the maximum number of connections.
   */
  enter(caller: Caller): () => void {
    try {
      return caller.partyId !== null
        ? this.#connections.enter(`person ${caller.subject}`, maxPerPerson)
        : this.#connections.enter(`client ${callerKey(caller)}`, maxPerClient)
    } catch (error) {
      recordRejection(this.#bank, null, caller, error)
      throw error
    }
  }
}

/** Limits sockets that are not authenticated yet: 256 per IP address, and 4096 in total. */
export class UnauthenticatedSockets {
  readonly #connections = new ConnectionCounter()

  /**
   * Adds a socket. Call the returned function when the socket has been authenticated or closed.
   * Throws RATE_LIMITED.
   */
  enter(address: string): () => void {
    const leaveAddress = this.#connections.enter(`address ${address}`, maxPerAddress)
    try {
      const leaveTotal = this.#connections.enter('all', maxUnauthenticated)
      return () => {
        leaveAddress()
        leaveTotal()
      }
    } catch (error) {
      leaveAddress()
      throw error
    }
  }
}
