import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { Provider } from 'oidc-provider/lib/provider.js'
import type { Pool } from 'pg'
import { writeArguments, type IdentityLog } from '../kernel/authorization/identity-log.ts'
import type { IdentityEntry } from '../kernel/authorization/identity-record.ts'
import type { TokenRevoker } from './token-revocation.ts'

/** The window in which equal failures are counted in one record. */
const failureWindowMs = 15 * 60_000
/** The window in which equal tokens of a client, which acts for no person, are counted. */
const clientTokenWindowMs = 60_000

type Origin = Pick<IdentityEntry, 'address' | 'userAgent' | 'requestId'>

const origins = new AsyncLocalStorage<Origin>()

export interface IdentityAuditOptions {
  pool: Pool
  identities: IdentityLog
  addressOf: (request: IncomingMessage) => string
}

/**
 * Records what the authorization server does, with the address, the user agent and the ID of the
 * request that it handles at the time.
 */
export class IdentityAudit {
  readonly #options: IdentityAuditOptions

  constructor(options: IdentityAuditOptions) {
    this.#options = options
  }

  /** Calls `handle`. What is recorded until it is done belongs to the request. */
  during<Result>(request: IncomingMessage, response: ServerResponse, handle: () => Result): Result {
    // The HTTP server has set the ID of the request, which the response returns.
    const requestId = response.getHeader('x-request-id')
    const origin = {
      address: this.#options.addressOf(request),
      userAgent: request.headers['user-agent'] ?? null,
      requestId: typeof requestId === 'string' ? requestId : null,
    }
    return origins.run(origin, handle)
  }

  /** Records an action before the response to its request. Throws if it cannot be recorded. */
  async record(entry: IdentityEntry): Promise<void> {
    const { identities } = this.#options
    await identities.record(await this.#complete(entry))
  }

  /**
   * Records an action in the statement that takes it: `act` passes the arguments to
   * `kernel.write_identity_records` and returns null if it did nothing.
   */
  async recordWith<Result>(
    entry: IdentityEntry,
    act: (recordArguments: [string, string]) => Promise<Result | null>,
  ): Promise<Result | null> {
    const result = await act(writeArguments(await this.#complete(entry)))
    if (result !== null) this.#options.identities.addTotal(entry, 1)
    return result
  }

  /** Counts a failure, of which an attacker can cause many. */
  async countFailure(entry: IdentityEntry): Promise<void> {
    await this.#options.identities.count(await this.#complete(entry), failureWindowMs)
  }

  /**
   * Counts a failed attempt with a username as it was typed. Only the username of a person who
   * exists is recorded, because a person may have typed a password in its place.
   */
  async countAttempt(username: string, entry: IdentityEntry): Promise<void> {
    const found = await this.#partyOf(username)
    await this.countFailure(found ? { ...entry, person: username, ...found, actor: null } : entry)
  }

  /** Counts a token that a client got for itself. */
  async countClientToken(entry: IdentityEntry): Promise<void> {
    await this.#options.identities.count(await this.#complete(entry), clientTokenWindowMs)
  }

  /** Returns the person and the client of a grant, as recorded; null if they were not. */
  async holderOf(
    grantId: string,
  ): Promise<Pick<IdentityEntry, 'person' | 'partyId' | 'clientId'> | null> {
    const { rows } = await this.#options.pool.query<{
      person: string | null
      partyId: string | null
      clientId: string | null
    }>({
      name: 'oauth-holder-of-grant',
      text: `select person, party_id as "partyId", client_id as "clientId"
             from kernel.identity_record
             where grant_id = $1 and kind = 'authorization' order by at limit 1`,
      values: [grantId],
    })
    return rows[0] ?? null
  }

  async #complete(entry: IdentityEntry): Promise<IdentityEntry> {
    const { person } = entry
    const party = person && entry.partyId === undefined ? await this.#partyOf(person) : null
    return { ...origins.getStore(), ...party, ...entry }
  }

  /** Returns the party of a person; null if nobody has the username. */
  async #partyOf(username: string): Promise<{ partyId: string | null } | null> {
    // The name is unvalidated input, and PostgreSQL rejects NUL in text.
    if (!/^[^\0]{1,200}$/.test(username)) return null
    const { rows } = await this.#options.pool.query<{ partyId: string | null }>({
      name: 'oauth-party-of-person',
      text: 'select party_id as "partyId" from oauth.person where username = $1',
      values: [username],
    })
    return rows[0] ?? null
  }
}

/** Returns a revoker that records each revocation before it takes effect. */
export function auditedRevoker(revoker: TokenRevoker, audit: IdentityAudit): TokenRevoker {
  return {
    async add(kind, value, owner) {
      const oidc = (Provider.ctx as Partial<KoaContextWithOIDC> | undefined)?.oidc
      const clientId = owner?.clientId ?? oidc?.client?.clientId ?? null
      const person = owner?.person ?? (kind === 'subject' ? value : oidc && personOf(oidc)) ?? null
      // A client can revoke a grant or a token without the person.
      const isByClient = clientId !== null && oidc?.route !== 'end_session_confirm'
      const actor = isByClient ? clientId : person
      const of = { outcome: 'succeeded', person, clientId, actor } as const
      if (kind === 'grant') {
        const holder = await audit.holderOf(value)
        const uniqueKey = `grant-revocation ${value}`
        await audit.record({
          kind: 'grant-revocation',
          ...of,
          ...holder,
          grantId: value,
          uniqueKey,
        })
      } else {
        const grantId = owner?.grantId ?? null
        const detail = `${kind} ${value}`
        // A token can be revoked only once; all tokens of a person, again and again.
        const unique = kind === 'token' && { uniqueKey: `token-revocation ${value}` }
        await audit.record({ kind: 'token-revocation', ...of, grantId, detail, ...unique })
      }
      await revoker.add(kind, value)
    },
  }
}

type Oidc = KoaContextWithOIDC['oidc']

/** The records of oidc-provider that name a person and a grant. */
interface Owned {
  accountId?: string
  grantId?: string
  acr?: string
}

const ownedEntities = ['AuthorizationCode', 'RefreshToken', 'AccessToken', 'Grant'] as const

const ownedBy = ({ entities }: Oidc): Owned[] =>
  ownedEntities.flatMap((name) => (entities[name] as Owned | undefined) ?? [])

function personOf(oidc: Oidc): string | null {
  const owned = ownedBy(oidc).find(({ accountId }) => accountId)
  return oidc.account?.accountId ?? owned?.accountId ?? oidc.session?.accountId ?? null
}

const grantOf = (oidc: Oidc): string | null =>
  oidc.entities.Grant?.jti ?? ownedBy(oidc).find(({ grantId }) => grantId)?.grantId ?? null

const acrOf = (oidc: Oidc): string | null =>
  ownedBy(oidc).find(({ acr }) => acr)?.acr ?? oidc.session?.acr ?? null

const contextOf = (oidc: Oidc) => ({
  person: personOf(oidc),
  clientId: oidc.client?.clientId ?? null,
  grantId: grantOf(oidc),
  acr: acrOf(oidc),
})

/**
 * Records what oidc-provider does: authorizations, tokens, wrong client secrets and log-outs. Its
 * events are synchronous, so they only collect the records, which are written before the response is
 * sent. If that fails, the response is a 500 without a code or a token. Call it before other code
 * adds to the provider, so that it sees the final response.
 */
export function auditProvider(provider: Provider, audit: IdentityAudit): void {
  const entries = new WeakMap<object, IdentityEntry>()
  provider.on('authorization.success', ({ oidc }) => {
    const entry = { kind: 'authorization', outcome: 'succeeded', ...contextOf(oidc) } as const
    entries.set(oidc, entry)
  })
  provider.on('grant.success', ({ oidc }) => {
    const detail = (oidc.params as { grant_type: string }).grant_type
    const of = contextOf(oidc)
    const actor = of.clientId
    entries.set(oidc, { kind: 'token-issuance', outcome: 'succeeded', ...of, actor, detail })
  })
  provider.on('end_session.success', ({ oidc }) => {
    const { logout } = oidc.params as { logout?: string }
    const person = oidc.session?.accountId
    if (!logout || !person) return
    const clientId = oidc.client?.clientId ?? null
    entries.set(oidc, { kind: 'log-out', outcome: 'succeeded', person, clientId })
  })
  provider.use(async (ctx, next) => {
    await next()
    // The Koa context of a page has no `oidc`.
    const { oidc } = ctx as Partial<KoaContextWithOIDC>
    if (!oidc) return
    const entry = entries.get(oidc)
    if (entry?.kind === 'token-issuance' && entry.person === null) {
      await audit.countClientToken(entry)
    } else if (entry) await audit.record(entry)
    else await countFailedRequest(audit, ctx.status, oidc, ctx.body)
  })
}

/** The endpoints at which clients authenticate. */
const clientEndpoints: ReadonlySet<string> = new Set([
  'token',
  'revocation',
  'pushed_authorization_request',
])

/** Counts a failed request to the endpoints at which clients authenticate. */
async function countFailedRequest(
  audit: IdentityAudit,
  status: number,
  oidc: Oidc,
  body: unknown,
): Promise<void> {
  const { error } = (body ?? {}) as { error?: string }
  const isClientEndpoint = clientEndpoints.has(oidc.route)
  if (!isClientEndpoint || !error || status < 400 || status >= 500) return
  const clientId = oidc.client?.clientId ?? null
  if (status === 401 || status === 429) {
    const outcome = status === 401 ? 'failed' : 'throttled'
    await audit.countFailure({ kind: 'client-authentication', outcome, clientId, actor: null })
  } else if (oidc.route === 'token' && clientId) {
    const of = { ...contextOf(oidc), actor: clientId, detail: error }
    await audit.countFailure({ kind: 'token-issuance', outcome: 'failed', ...of })
  }
}

/** The audit of the pages on which people log in and consent. */
export function auditPages(audit: IdentityAudit) {
  return {
    /** Records a log-in. `acr` is the class of its authentication, if it has one. */
    logIn: (client: Client, of: { username: string; partyId: string | null }, acr?: string) =>
      audit.record({
        kind: 'log-in',
        outcome: 'succeeded',
        person: of.username,
        partyId: of.partyId,
        clientId: client.clientId,
        ...(acr && { acr }),
      }),
    /** Counts an attempt that did not succeed. */
    failedLogIn: (
      { clientId }: Client,
      username: string,
      outcome: 'failed' | 'denied' | 'throttled',
    ) => audit.countAttempt(username, { kind: 'log-in', outcome, clientId }),
    /** Records the decision of a person about a client. */
    consent: (
      { clientId }: Client,
      person: string | null,
      of: { outcome: 'succeeded' | 'denied'; grantId?: string; scopes?: readonly string[] },
    ) =>
      audit.record({
        kind: 'consent',
        outcome: of.outcome,
        person,
        clientId,
        grantId: of.grantId ?? null,
        detail: of.scopes?.join(' ') ?? null,
      }),
  }
}

/** Records that the server signs tokens with a key, once for each key. */
export function auditSigningKey(audit: IdentityAudit, kid: string): Promise<void> {
  const uniqueKey = `signing-key-rotation ${kid}`
  return audit.record({
    kind: 'signing-key-rotation',
    outcome: 'succeeded',
    actor: 'bankgraph',
    detail: kid,
    uniqueKey,
  })
}
