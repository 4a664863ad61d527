import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import { realNow } from './clock.ts'
import { addMs, dayMs } from './domain/dates.ts'
import { statementName } from './statement-name.ts'
import { insert, type Write } from './writes.ts'

export const revocationKinds = ['token', 'client', 'subject', 'grant'] as const
export type RevocationKind = (typeof revocationKinds)[number]

/**
 * Tokens that are void: one by its `jti`, all that a client or a subject had until an instant, or all
 * that were and will be issued under a grant.
 */
export interface Revocation {
  kind: RevocationKind
  value: string
  issuedUntil: Date
  /** None of these tokens would be good any more by then. */
  expiresAt: Date
}

/**
 * Voids what was issued until now; of a grant, also what a request under way is about to issue. Real
 * time: tokens know no other.
 */
export function revocation(kind: RevocationKind, value: string): Revocation {
  const now = realNow()
  const expiresAt = addMs(now, dayMs)
  return { kind, value, issuedUntil: kind === 'grant' ? expiresAt : now, expiresAt }
}

export function insertRevocation({ kind, value, issuedUntil, expiresAt }: Revocation): Write {
  const row = { kind, value, issued_until: issuedUntil, expires_at: expiresAt }
  return insert('kernel.revocation', row)
}

interface RevocationRow {
  kind: RevocationKind
  value: string
  issued_until: Date
}

const pollMs = 1000
const addSql =
  'insert into kernel.revocation (kind, value, issued_until, expires_at) values ($1, $2, $3, $4) ' +
  'on conflict do nothing'
const readSql =
  'select kind, value, max(issued_until) as issued_until from kernel.revocation ' +
  'where expires_at > $1 group by kind, value'

/** What was revoked, as this process knows it: a second old at most while the database answers. */
export class Revocations {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  #known = new Map<string, number>()
  #lastRefresh = 0
  /** The refresh that `#known` is from. */
  #knownSince = 0
  #polling: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#polling = this.#poll()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#polling
  }

  /** Stores a revocation outside any command, and applies it in this process at once. */
  async add(kind: RevocationKind, value: string): Promise<void> {
    const { issuedUntil, expiresAt } = revocation(kind, value)
    await this.#pool.query({
      name: statementName(addSql),
      text: addSql,
      values: [kind, value, issuedUntil, expiresAt],
    })
    await this.refresh()
  }

  isRevoked({ tokenId, clientId, subject, grantId, issuedAt }: Caller): boolean {
    if (this.#known.size === 0) return false
    const isVoid = (kind: RevocationKind, value: string) =>
      issuedAt <= (this.#known.get(keyOf(kind, value)) ?? -1)
    return (
      isVoid('token', tokenId) ||
      isVoid('client', clientId) ||
      isVoid('subject', subject) ||
      (grantId !== null && isVoid('grant', grantId))
    )
  }

  /** Calls back whenever something was revoked, until the answer is called. */
  onChange(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  /** Reads what is revoked. An answer that is overtaken by that of a later refresh is ignored. */
  async refresh(): Promise<void> {
    const refresh = ++this.#lastRefresh
    const { rows } = await this.#pool.query<RevocationRow>({
      name: statementName(readSql),
      text: readSql,
      values: [realNow()],
    })
    if (refresh < this.#knownSince) return
    this.#knownSince = refresh
    const known = new Map(
      rows.map(({ kind, value, issued_until: until }) => [keyOf(kind, value), until.getTime()]),
    )
    const isNew = [...known].some(([key, until]) => this.#known.get(key) !== until)
    this.#known = known
    if (isNew) for (const changed of this.#listeners) changed()
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(pollMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await this.refresh().catch((error: Error) =>
        this.#log.warn({ error: error.message }, 'revocations cannot be read'),
      )
    }
  }
}

function keyOf(kind: RevocationKind, value: string): string {
  return `${kind} ${value}`
}
