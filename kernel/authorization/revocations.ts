import type pg from 'pg'
import type { Logger } from 'pino'
import type { Caller } from './caller.ts'
import { realNow } from '../work/clock.ts'
import { addMs, dayMs } from '../domain/dates.ts'
import type { Heartbeat } from '../database/heartbeat.ts'
import { statementName } from '../database/statement-name.ts'
import { insert, type Write } from '../writing/writes.ts'

export const revocationKinds = ['token', 'client', 'subject', 'grant', 'session'] as const
export type RevocationKind = (typeof revocationKinds)[number]

/**
 * A revocation of one token (by its `jti`), of all tokens issued to a client or a subject until a
 * point in time, of all tokens of a grant, or of a log-in session.
 */
export interface Revocation {
  kind: RevocationKind
  value: string
  issuedUntil: Date
  /**
   * A time at which all revoked tokens have expired, so that the revocation is no longer needed.
   */
  expiresAt: Date
}

/**
 * Returns a revocation of the tokens issued until now. For a grant, it also covers tokens that a
 * concurrent request is about to issue. Like tokens, it uses real time, not the bank clock.
 */
export function revocation(kind: RevocationKind, value: string): Revocation {
  const now = realNow()
  const expiresAt = addMs(now, dayMs)
  const isWhole = kind === 'grant' || kind === 'session'
  return { kind, value, issuedUntil: isWhole ? expiresAt : now, expiresAt }
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

const addSql =
  'insert into kernel.revocation (kind, value, issued_until, expires_at) values ($1, $2, $3, $4) ' +
  'on conflict do nothing'
const readSql =
  'select kind, value, max(issued_until) as issued_until from kernel.revocation ' +
  'where expires_at > $1 group by kind, value'
/** Differs if revocations were added or removed. */
const digestSql =
  "select sum(hashtextextended(kind || ' ' || value, extract(epoch from issued_until)::bigint)) " +
  'from kernel.revocation'

/** What identifies the token of a caller, and what can revoke it. */
export type TokenHolder = Pick<
  Caller,
  'tokenId' | 'clientId' | 'subject' | 'grantId' | 'sessionId' | 'issuedAt'
>

/**
 * The revocations, cached in this process. While the database is available, the cache is at most
 * about one second old.
 */
export class Revocations {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #listeners = new Set<() => void>()
  #revocations = new Map<string, number>()
  #lastRefresh = 0
  /** The number of the refresh that read `#revocations`. */
  #appliedRefresh = 0
  #digest: unknown

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  /** Reads the revocations, and follows those that other processes add. */
  async start(heartbeat: Heartbeat): Promise<void> {
    await this.refresh()
    heartbeat.watch(digestSql, (digest) => {
      if (digest === this.#digest) return
      this.refresh().then(
        () => (this.#digest = digest),
        (error: Error) =>
          this.#log.warn(
            { error: error.message },
            'failed to read revocations; the known ones still apply',
          ),
      )
    })
  }

  /** Stores a revocation without a command, and applies it in this process at once. */
  async add(kind: RevocationKind, value: string): Promise<void> {
    const { issuedUntil, expiresAt } = revocation(kind, value)
    await this.#pool.query({
      name: statementName(addSql),
      text: addSql,
      values: [kind, value, issuedUntil, expiresAt],
    })
    await this.refresh()
  }

  isRevoked({ tokenId, clientId, subject, grantId, sessionId, issuedAt }: TokenHolder): boolean {
    if (this.#revocations.size === 0) return false
    const isCovered = (kind: RevocationKind, value: string) =>
      issuedAt <= (this.#revocations.get(keyOf(kind, value)) ?? -1)
    return (
      isCovered('token', tokenId) ||
      isCovered('client', clientId) ||
      isCovered('subject', subject) ||
      (grantId !== null && isCovered('grant', grantId)) ||
      (sessionId !== null && isCovered('session', sessionId))
    )
  }

  /** Registers a callback for new revocations. Returns the function that removes the callback. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Reads the revocations. The result of an earlier refresh never replaces the result of a later
   * one.
   */
  async refresh(): Promise<void> {
    const refreshNumber = ++this.#lastRefresh
    const { rows } = await this.#pool.query<RevocationRow>({
      name: statementName(readSql),
      text: readSql,
      values: [realNow()],
    })
    if (refreshNumber < this.#appliedRefresh) return
    this.#appliedRefresh = refreshNumber
    const revocations = new Map(
      rows.map(({ kind, value, issued_until: until }) => [keyOf(kind, value), until.getTime()]),
    )
    const hasChanges = [...revocations].some(([key, until]) => this.#revocations.get(key) !== until)
    this.#revocations = revocations
    if (hasChanges) for (const listener of this.#listeners) listener()
  }
}

function keyOf(kind: RevocationKind, value: string): string {
  return `${kind} ${value}`
}
