import type { FailedAuthentication } from './failed-authentication.ts'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import type { IdentityLog } from '../kernel/authorization/identity-log.ts'
import { sweepUsedProofs } from '../kernel/authorization/proofs.ts'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import type { CertificateOf } from './security-profile.ts'
import type { PublicJwks } from '../kernel/authorization/token-keys.ts'
import { sweepRecords } from './adapter.ts'
import { seedClient, type SeededClient } from './clients.ts'
import { pruneFailedAttempts } from './failed-attempts.ts'
import { auditedRevoker, auditSigningKey, IdentityAudit } from './identity-audit.ts'
import { createInteraction } from './interaction.ts'
import { publicJwk, signWithPrivateKey, type Sign } from './keys.ts'
import { createApprovalPage } from './approval-page.ts'
import { pagesClient } from './page-session.ts'
import { createPasskeySettings } from './passkey-settings.ts'
import { pruneApprovals } from './approvals.ts'
import { pruneChallenges } from './passkeys.ts'
import './personal-data.ts'
import { createPasswordPage } from './password.ts'
import { paths, resourceMetadata, serverMetadata } from './metadata.ts'
import { claimsOf, findPerson, seedPerson, type PersonClaims, type SeededPerson } from './people.ts'
import type { OfferedPerson } from './pages.ts'
import { createTokenIssuer, type IssuedClaims, type SigningKeys } from './issue-token.ts'
import { createProvider } from './provider.ts'
import type { TokenRevoker } from './token-revocation.ts'

export interface AuthorizationServerOptions {
  /** The origin of the server, such as `http://127.0.0.1:4000`. */
  issuer: string
  /** The resource for which tokens are issued: an absolute URI. */
  audience: string
  pool: Pool
  /** The first key signs. Tokens signed with the others stay valid until they expire. */
  signingJwks: SigningKeys
  /** Signs with one of the keys. By default, with the private part that they contain. */
  sign?: Sign
  /** The secrets of the environment. They sign the cookies of the login pages. */
  ring: KeyRing
  /** The security profile. The default, `standard`, allows bearer tokens and client secrets. */
  profile?: SecurityProfile
  /** Whether apps on the loopback interface are notified of log-outs. Default: false. */
  isLoopbackAllowed?: boolean
  clients: readonly SeededClient[]
  people: readonly SeededPerson[]
  /**
   * The people as whom anybody may log in without a password, for the sandbox on the machine of a
   * developer. Default: none.
   */
  offeredPeople?: readonly OfferedPerson[]
  now: () => Date
  /** Revokes access tokens. */
  revoker: TokenRevoker
  /** Returns the IP address of the client, by which failed logins are counted. */
  addressOf: (request: IncomingMessage) => string
  /** If omitted, clients cannot authenticate with certificates. */
  certificateOf?: CertificateOf | null
  /** Called for each wrong client secret, each wrong password and each throttled login. */
  onFailedAuthentication: (failure: FailedAuthentication) => void
  /** The audit of identity. */
  identities: IdentityLog
  log: { error(details: object, message: string): void }
}

export interface AuthorizationServer {
  issuer: string
  audience: string
  /** The public keys, for a token verifier in the same process. `useKeys` replaces them. */
  readonly jwks: PublicJwks
  /**
   * Handles requests to `/oauth/*` and to the well-known paths. The body of the request must not
   * have been read.
   */
  handler: (request: IncomingMessage, response: ServerResponse) => void
  issueToken: (claims: IssuedClaims) => string
  /**
   * Replaces the signing keys, and uses the current secrets of the ring, while the server runs. The
   * first key signs.
   */
  useKeys: (signingJwks: SigningKeys) => Promise<void>
  /** Updates a client of the bank itself while the server runs. */
  updateClient: (client: SeededClient) => Promise<void>
  /** Returns the claims about a user; null for a user who may not log in. */
  userInfo: (username: string) => Promise<PersonClaims | null>
  /**
   * Deletes expired records, revocations and failed attempts. Returns the number of deleted
   * records. Runs automatically every ten minutes.
   */
  sweep: () => Promise<number>
  close: () => void
}

const sweepEveryMs = 10 * 60_000

/** Starts the authorization server of one environment, and stores its seeded clients and users. */
export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { issuer, audience, pool, clients, people, now, log } = options
  const audit = new IdentityAudit(options)
  const audited = { ...options, audit, revoker: auditedRevoker(options.revoker, audit) }
  const ownClients = [...clients, pagesClient(issuer, options.signingJwks)]
  for (const client of ownClients) await seedClient(pool, client, now())
  // Each password is hashed, which takes long by design, so all cores share the work.
  await Promise.all(people.map((person) => seedPerson(pool, person, now())))

  let current = createSigner(audited)
  await auditSigningKey(audit, options.signingJwks[0].kid)
  const sweep = () => sweepAll(pool, now())
  const timer = setInterval(() => {
    sweep().catch((error: unknown) =>
      log.error({ err: error }, 'Deleting expired OAuth records failed.'),
    )
  }, sweepEveryMs).unref()
  return {
    issuer,
    audience,
    get jwks() {
      return current.jwks
    },
    handler: (request, response) => {
      audit.during(request, response, () => current.handler(request, response))
    },
    issueToken: (claims) => current.issueToken(claims),
    updateClient: (client) => seedClient(pool, client, now()),
    async useKeys(signingJwks) {
      await auditSigningKey(audit, signingJwks[0].kid)
      current = createSigner({ ...audited, signingJwks })
    },
    async userInfo(username) {
      const person = await findPerson(pool, username)
      return person && claimsOf(person)
    },
    sweep,
    close: () => clearInterval(timer),
  }
}

type SignerOptions = AuthorizationServerOptions & { audit: IdentityAudit }

/** Creates the part of the server that depends on the signing keys. */
function createSigner(options: SignerOptions) {
  const { issuer, audience, signingJwks, log } = options
  const { profile = 'standard', isLoopbackAllowed = false, offeredPeople = [] } = options
  const { sign = signWithPrivateKey, certificateOf = null } = options
  const provider = createProvider({ ...options, sign, profile, isLoopbackAllowed, certificateOf })
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error, path: ctx.path }, 'The authorization server failed.')
  })
  // Without a listener, Koa would print its errors to the console.
  const emitter: EventEmitter = provider
  emitter.on('error', (error: unknown) => {
    log.error({ err: error }, 'The authorization server failed.')
  })

  const { protocol, host } = new URL(issuer)
  // Behind a TLS proxy, oidc-provider reads the external protocol and host only from two
  // `X-Forwarded` headers, which are therefore set here.
  const isBehindTls = protocol === 'https:'
  provider.proxy = isBehindTls
  const setForwardedHeaders = ({ headers }: IncomingMessage) => {
    if (isBehindTls)
      Object.assign(headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': host })
  }

  const jwks = { keys: signingJwks.map(publicJwk) }
  const pages = {
    [paths.interaction]: createInteraction(provider, { ...options, offeredPeople }),
    [paths.password]: createPasswordPage(options),
    [paths.passkeys]: createPasskeySettings(provider, options),
    [paths.approve]: createApprovalPage(provider, options),
  }
  const handler = createHandler(provider.callback(), pages, log, {
    [paths.serverMetadata]: serverMetadata(issuer, profile, certificateOf !== null),
    [paths.openIdConfiguration]: serverMetadata(issuer, profile, certificateOf !== null),
    [paths.resourceMetadata]: resourceMetadata(issuer, audience, profile, certificateOf !== null),
    [paths.jwks]: jwks,
  })
  return {
    jwks,
    issueToken: createTokenIssuer({ ...options, signingJwks: () => signingJwks }),
    handler(request: IncomingMessage, response: ServerResponse) {
      setForwardedHeaders(request)
      handler(request, response)
    },
  }
}

/** Deletes what has expired. Returns the number of deleted records of oidc-provider. */
async function sweepAll(pool: Pool, now: Date): Promise<number> {
  await pruneFailedAttempts(pool)
  await pruneChallenges(pool, now)
  await pruneApprovals(pool, now)
  await sweepUsedProofs(pool, now)
  return sweepRecords(pool, now)
}

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Creates the handler that serves the metadata, passes requests for endpoints to oidc-provider or
 * to the login pages, and rejects all other paths and methods.
 */
function createHandler(
  provider: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  pages: Readonly<Record<string, PageHandler>>,
  log: AuthorizationServerOptions['log'],
  documents: Record<string, object>,
) {
  const bodies = new Map(
    Object.entries(documents).map(([path, document]) => [path, JSON.stringify(document)]),
  )
  return (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '/').split('?', 1)[0]!
    const method = request.method ?? 'GET'
    const body = bodies.get(path)
    const allowed = body !== undefined ? ['GET', 'HEAD'] : endpointMethods(path)
    if (!allowed) return sendError(response, 404, 'There is no endpoint at this path.')
    if (!allowed.includes(method)) {
      response.setHeader('allow', allowed.join(', '))
      return sendError(response, 405, `This path allows ${allowed.join(', ')}.`)
    }
    const page = pages[path.split('/', 3).join('/')]
    if (page) {
      page(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'A login page failed.')
        if (!response.headersSent) sendError(response, 500, 'Internal error.', 'server_error')
      })
      return
    }
    if (body === undefined) return void provider(request, response)
    const type = path === paths.jwks ? 'application/jwk-set+json' : 'application/json'
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cache-control', 'public, max-age=300')
    send(response, 200, type, body)
  }
}

const pagePaths: ReadonlySet<string> = new Set([paths.password, paths.passkeys, paths.approve])
const pageFolders = [paths.interaction, paths.approve]

function endpointMethods(path: string): readonly string[] | undefined {
  if (path === paths.token || path === paths.revoke || path === paths.pushedRequest) {
    return ['POST', 'OPTIONS']
  }
  if (pagePaths.has(path)) return ['GET', 'POST']
  if (pageFolders.some((folder) => path.startsWith(`${folder}/`))) return ['GET', 'POST']
  if (path === `${paths.logout}/confirm`) return ['POST']
  if (path === paths.logout || path === `${paths.logout}/success`) return ['GET', 'HEAD']
  if (path === paths.authorize || path.startsWith(`${paths.authorize}/`)) return ['GET', 'HEAD']
  return undefined
}

function sendError(
  response: ServerResponse,
  status: number,
  description: string,
  error = 'invalid_request',
) {
  response.setHeader('cache-control', 'no-store')
  const body = JSON.stringify({ error, error_description: description })
  send(response, status, 'application/json', body)
}

function send(response: ServerResponse, status: number, type: string, body: string) {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
