import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bank } from '../../kernel/environment/bank.ts'

/** The tokens of a session, and what else only the gateway knows. */
export interface SessionTokens {
  /** The public name of the session, which each request of its pages repeats. */
  handle: string
  type: 'Bearer' | 'DPoP'
  accessToken: string
  /** When the access token expires, in milliseconds since the epoch. */
  tokenExpiresAt: number
  refreshToken: string | null
  /** The private key to which the tokens are bound; null for bearer tokens. */
  proofKey: JsonWebKey | null
  /** The roles of an employee, to be shown. The access token alone says what the person may do. */
  roles: readonly string[]
}

/** A session of the console: a person who is logged in in a browser. */
export interface StoredSession {
  idHash: Buffer
  version: number
  expiresAt: Date
  tokens: SessionTokens
}

/** A new session. */
export interface NewSession {
  subject: string
  partyId: string | null
  /** The `sid` of the ID token. */
  providerSession: string | null
  expiresAt: Date
  tokens: SessionTokens
}

interface SessionRow {
  id_hash: Buffer
  version: number
  expires_at: Date
  tokens: string
}

const idBytes = 32
const leaseMs = 10_000
const pollMs = 50

const insertSql =
  'insert into kernel.console_session ' +
  '(id_hash, subject, party_id, provider_session, tokens, version, expires_at) ' +
  'values ($1, $2, $3, $4, $5, 1, $6)'
const findSql =
  'select id_hash, version, expires_at, tokens from kernel.console_session ' +
  'where id_hash = $1 and expires_at > now()'
const leaseSql =
  `update kernel.console_session set refreshing_until = now() + $3 * interval '1 ms' ` +
  'where id_hash = $1 and version = $2 ' +
  'and (refreshing_until is null or refreshing_until <= now())'
const replaceSql =
  'update kernel.console_session ' +
  'set tokens = $3, version = version + 1, refreshing_until = null ' +
  'where id_hash = $1 and version = $2'
const releaseSql =
  'update kernel.console_session set refreshing_until = null where id_hash = $1 and version = $2'
const deleteSql =
  'delete from kernel.console_session where id_hash = $1 ' +
  'returning id_hash, version, expires_at, tokens'
// A provider that names the session in the logout token may not have named it in the ID token.
const deleteAtProviderSql =
  'delete from kernel.console_session where provider_session = $1 ' +
  'or (subject = $2 and ($1::text is null or provider_session is null)) ' +
  'returning id_hash, version, expires_at, tokens'
const sweepSql = 'delete from kernel.console_session where expires_at <= now()'

/**
 * Stores the sessions of the console in the database, so that all gateways share them. The ID, which
 * is in the cookie, is stored as a hash, and the tokens are encrypted.
 */
export class SessionStore {
  readonly #bank: Bank

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /** Stores a session and returns its ID. */
  async add({ subject, partyId, providerSession, expiresAt, tokens }: NewSession): Promise<string> {
    const id = randomBytes(idBytes).toString('base64url')
    const idHash = hashOf(id)
    const encrypted = this.#encrypt(idHash, tokens)
    const values = [idHash, subject, partyId, providerSession, encrypted, expiresAt]
    await this.#query('add', insertSql, values)
    return id
  }

  /** Returns a session; null if it does not exist, ended or expired. */
  async find(idHash: Buffer): Promise<StoredSession | null> {
    const { rows } = await this.#query('find', findSql, [idHash])
    return rows[0] ? this.#sessionOf(rows[0]) : null
  }

  /**
   * Reserves the replacement of the tokens for this process for ten seconds. No transaction is open
   * meanwhile. Returns false if another process replaces them, or has replaced them.
   */
  async lease({ idHash, version }: StoredSession): Promise<boolean> {
    const { rowCount } = await this.#query('lease', leaseSql, [idHash, version, leaseMs])
    return rowCount === 1
  }

  /**
   * Stores the new tokens of a session. Returns false, with nothing stored, if the session has ended
   * or its tokens were replaced in the meantime.
   */
  async replace({ idHash, version }: StoredSession, tokens: SessionTokens): Promise<boolean> {
    const values = [idHash, version, this.#encrypt(idHash, tokens)]
    const { rowCount } = await this.#query('replace', replaceSql, values)
    return rowCount === 1
  }

  /** Ends a reservation without new tokens. */
  async release({ idHash, version }: StoredSession): Promise<void> {
    await this.#query('release', releaseSql, [idHash, version])
  }

  /** Waits until another process has replaced the tokens. Returns null if the session has ended. */
  async awaitReplacement(session: StoredSession): Promise<StoredSession | null> {
    const deadline = Date.now() + leaseMs
    for (;;) {
      const latest = await this.find(session.idHash)
      if (latest === null || latest.version > session.version) return latest
      if (Date.now() >= deadline) return latest
      await sleep(pollMs)
    }
  }

  /** Deletes a session. Returns it; null if it did not exist. */
  async remove(idHash: Buffer): Promise<StoredSession | null> {
    const { rows } = await this.#query('remove', deleteSql, [idHash])
    return rows[0] ? this.#sessionOf(rows[0]) : null
  }

  /**
   * Deletes the sessions that belong to a session at the identity provider, and those of the person
   * for which the provider named no session. If `providerSession` is null, deletes all sessions of
   * the person. Returns them.
   */
  async removeAt(providerSession: string | null, subject: string | null): Promise<StoredSession[]> {
    const values = [providerSession, subject]
    const { rows } = await this.#query('remove-at-provider', deleteAtProviderSql, values)
    return rows.map((row) => this.#sessionOf(row))
  }

  /** Deletes expired sessions. */
  async sweep(): Promise<void> {
    await this.#query('sweep', sweepSql, [])
  }

  #query(name: string, text: string, values: unknown[]) {
    return this.#bank.pool.query<SessionRow>({ name: `console-session-${name}`, text, values })
  }

  #encrypt(idHash: Buffer, tokens: SessionTokens): string {
    return this.#bank.vault.encrypt(JSON.stringify(tokens), placeOf(idHash))
  }

  #sessionOf({ id_hash: idHash, version, expires_at: expiresAt, tokens }: SessionRow) {
    const text = this.#bank.vault.decrypt(tokens, placeOf(idHash))
    return { idHash, version, expiresAt, tokens: JSON.parse(text) as SessionTokens }
  }
}

/** Returns the hash under which a session is stored. */
export const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest()

const placeOf = (idHash: Buffer) => `console-session/${idHash.toString('base64url')}`
