import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../kernel/authorization/caller.ts'
import { Problem } from '../../kernel/domain/problem.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import { consoleCookies, cookieIn, type ConsoleCookies } from './cookies.ts'
import {
  IdentityProvider,
  isRejection,
  type ConsoleClient,
  type IssuedTokens,
  type PendingLogIn,
} from './identity-provider.ts'
import { hashOf, SessionStore, type SessionTokens, type StoredSession } from './store.ts'

/** A session whose access token is valid now, and the caller that the token names. */
export interface ActiveSession {
  session: StoredSession
  caller: Caller
}

/** What a page of the console knows about its session. It contains no token. */
export interface SessionView {
  /** The name of the session, which the page sends with each request. */
  handle: string
  username: string
  /** The customer's own party; null for employees. */
  partyId: string | null
  roles: readonly string[]
  scopes: readonly string[]
  expiresAt: string
}

/** How long a session lasts after the log-in: as long as one at the embedded server. */
export const sessionSeconds = 8 * 3600
/** A token that expires within this time is replaced. */
const marginMs = 30_000
/**
 * How long a session is cached in this process. A session that was ended by another process is
 * refused within about a second nevertheless: its access token is revoked with it.
 */
const cacheMs = 10_000
const maxCached = 10_000
const sweepMs = 10 * 60_000
const idPattern = /^[\w-]{43}$/

/**
 * The sessions of the console. The browser has a cookie with the ID of its session, and the gateway
 * has the tokens: it is the client of the identity provider ("backend for frontend", OAuth 2.0 for
 * Browser-Based Applications).
 */
export class ConsoleSessions {
  readonly provider: IdentityProvider
  readonly cookies: ConsoleCookies
  readonly #bank: Bank
  readonly #store: SessionStore
  readonly #cache = new Map<string, { session: StoredSession; readAt: number }>()
  readonly #renewals = new Map<string, Promise<StoredSession | null>>()
  readonly #sweeping: NodeJS.Timeout

  constructor(bank: Bank, client: ConsoleClient) {
    this.#bank = bank
    this.#store = new SessionStore(bank)
    this.cookies = consoleCookies(bank)
    this.provider = new IdentityProvider(client, `${bank.issuer}${callbackPath}`)
    this.#sweeping = setInterval(() => {
      this.#store
        .sweep()
        .catch((error: Error) => bank.log.warn({ error: error.message }, 'a sweep failed'))
    }, sweepMs).unref()
  }

  close(): void {
    clearInterval(this.#sweeping)
  }

  /**
   * Returns the session of the browser that sent a request, with an access token that is valid now;
   * null if nobody is logged in. Throws DEPENDENCY_UNAVAILABLE if the token has expired and the
   * identity provider does not answer.
   */
  async find({ headers }: Pick<IncomingMessage, 'headers'>): Promise<ActiveSession | null> {
    const id = cookieIn(headers.cookie, this.cookies.session)
    if (id === undefined || !idPattern.test(id)) return null
    const session = await this.#cached(hashOf(id))
    if (!session) return null
    const isFresh = session.tokens.tokenExpiresAt - marginMs > Date.now()
    const caller = isFresh ? await this.#callerOf(session) : null
    if (caller) return { session, caller }
    const renewed = await this.#renew(session)
    const newCaller = renewed && (await this.#callerOf(renewed))
    if (newCaller) return { session: renewed, caller: newCaller }
    if (renewed) await this.end({ headers })
    return null
  }

  /** Returns what a page may know about a session. */
  view({ session, caller }: ActiveSession): SessionView {
    return {
      handle: session.tokens.handle,
      username: caller.subject,
      partyId: caller.partyId,
      roles: session.tokens.roles,
      scopes: [...caller.scopes],
      expiresAt: session.expiresAt.toISOString(),
    }
  }

  /** Returns the `Authorization` header of a session, which never leaves the gateway. */
  authorizationOf({ tokens: { type, accessToken } }: StoredSession): string {
    return `${type} ${accessToken}`
  }

  /**
   * Begins a session with the tokens of a person. Returns its ID, which is new, so that nobody can
   * know it from before the log-in. Throws what the token verifier throws, and an Error if the token
   * names no person or is not bound to a key although it must be.
   */
  async begin(tokens: IssuedTokens, { proofKey }: PendingLogIn): Promise<string> {
    const caller = await this.#bank.verifier.verifyWithoutProof(
      `${tokens.type} ${tokens.accessToken}`,
    )
    if (this.provider.client.isKeyBound && caller.keyThumbprint === null) {
      throw new Error('The identity provider issued a token that is not bound to a key.')
    }
    const { sid, roles } = tokens.claims ?? {}
    return this.#store.add({
      subject: caller.subject,
      partyId: caller.partyId,
      providerSession: typeof sid === 'string' ? sid : null,
      expiresAt: new Date(Date.now() + sessionSeconds * 1000),
      tokens: {
        handle: crypto.randomUUID(),
        ...storedTokens(tokens, caller),
        proofKey,
        roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
      },
    })
  }

  /** Ends the session of the browser that sent a request, and its tokens. */
  async end({ headers }: Pick<IncomingMessage, 'headers'>): Promise<void> {
    const id = cookieIn(headers.cookie, this.cookies.session)
    if (id === undefined || !idPattern.test(id)) return
    const session = await this.#store.remove(hashOf(id))
    if (session) await this.#endTokens(session)
  }

  /** Ends sessions because a session at the identity provider ended. */
  async endAt(providerSession: string | null, subject: string | null): Promise<void> {
    const ended = await this.#store.removeAt(providerSession, subject)
    for (const session of ended) await this.#endTokens(session)
  }

  /**
   * Revokes the tokens of a session, in all processes: other gateways may have cached the session,
   * and sockets may be open.
   */
  async #endTokens(session: StoredSession): Promise<void> {
    this.#cache.delete(keyOf(session.idHash))
    const { refreshToken } = session.tokens
    const caller = await this.#callerOf(session)
    if (caller) await this.#bank.revocations.add('token', caller.tokenId)
    if (refreshToken === null) return
    this.provider.revoke(refreshToken).catch((error: Error) => {
      this.#bank.log.warn({ error: error.message }, 'a refresh token could not be revoked')
    })
  }

  async #cached(idHash: Buffer): Promise<StoredSession | null> {
    const key = keyOf(idHash)
    const cached = this.#cache.get(key)
    if (cached && Date.now() - cached.readAt < cacheMs) return cached.session
    const session = await this.#store.find(idHash)
    this.#keep(idHash, session)
    return session
  }

  #keep(idHash: Buffer, session: StoredSession | null): void {
    const key = keyOf(idHash)
    this.#cache.delete(key)
    if (!session) return
    if (this.#cache.size >= maxCached) this.#cache.delete(this.#cache.keys().next().value!)
    this.#cache.set(key, { session, readAt: Date.now() })
  }

  /** Returns the caller of the access token; null if it has expired or was revoked. */
  async #callerOf(session: StoredSession): Promise<Caller | null> {
    try {
      return await this.#bank.verifier.verifyWithoutProof(this.authorizationOf(session))
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  }

  /** Replaces the tokens of a session once, however many requests need new ones. */
  #renew(session: StoredSession): Promise<StoredSession | null> {
    const key = keyOf(session.idHash)
    const renewal =
      this.#renewals.get(key) ??
      this.#replaceTokens(session).finally(() => this.#renewals.delete(key))
    this.#renewals.set(key, renewal)
    return renewal
  }

  async #replaceTokens(session: StoredSession): Promise<StoredSession | null> {
    const { refreshToken, proofKey } = session.tokens
    const isUsable = (await this.#callerOf(session)) !== null
    if (refreshToken === null) return session
    if (!(await this.#store.lease(session))) {
      const latest = isUsable ? session : await this.#store.awaitReplacement(session)
      this.#keep(session.idHash, latest)
      return latest
    }
    try {
      const issued = await this.provider.refresh(refreshToken, proofKey)
      const header = `${issued.type} ${issued.accessToken}`
      const caller = await this.#bank.verifier.verifyWithoutProof(header)
      const tokens = { ...session.tokens, ...storedTokens(issued, caller, refreshToken) }
      const renewed = { ...session, version: session.version + 1, tokens }
      const isStored = await this.#store.replace(session, tokens)
      const latest = isStored ? renewed : await this.#store.find(session.idHash)
      // The person logged out meanwhile, so the tokens that were just issued end, too.
      if (!latest) await this.#endTokens(renewed)
      this.#keep(session.idHash, latest)
      return latest
    } catch (cause) {
      if (isRejection(cause)) {
        await this.#store.remove(session.idHash)
        this.#keep(session.idHash, null)
        return null
      }
      await this.#store.release(session)
      if (isUsable) return session
      const detail = 'The identity provider of the bank does not answer.'
      throw new Problem('DEPENDENCY_UNAVAILABLE', { detail }, { cause })
    }
  }
}

/** The path to which the identity provider sends the browser after a log-in. */
export const callbackPath = '/console/session/callback'

const storedTokens = (
  { type, accessToken, refreshToken }: IssuedTokens,
  { expiresAt }: Caller,
  formerRefreshToken: string | null = null,
): Pick<SessionTokens, 'type' | 'accessToken' | 'tokenExpiresAt' | 'refreshToken'> => ({
  type,
  accessToken,
  tokenExpiresAt: expiresAt,
  refreshToken: refreshToken ?? formerRefreshToken,
})

const keyOf = (idHash: Buffer): string => idHash.toString('base64url')
