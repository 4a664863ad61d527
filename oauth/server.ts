import type { FailedAuthentication } from './failed-authentication.ts'
import { createPrivateKey, randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import jwt from 'jsonwebtoken'
import type { Pool } from 'pg'
import type { PublicJwks } from '../subgraphs/_kernel/token-keys.ts'
import { sweepRecords } from './adapter.ts'
import { seedClient, type SeededClient } from './clients.ts'
import { pruneFailedAttempts } from './failed-attempts.ts'
import { createInteraction } from './interaction.ts'
import { publicJwk, type SigningJwk } from './keys.ts'
import { paths, resourceMetadata, serverMetadata } from './metadata.ts'
import { seedPerson, type SeededPerson } from './people.ts'
import { accessTokenSeconds, createProvider } from './provider.ts'
import type { TokenRevoker } from './token-revocation.ts'

export interface AuthorizationServerOptions {
  /** The address of the server, without a path: `http://127.0.0.1:4000`. */
  issuer: string
  /** The resource the tokens are for: an absolute URI. */
  audience: string
  pool: Pool
  /** The first one signs; tokens signed with the others are good until they expire. */
  signingJwks: readonly [SigningJwk, ...SigningJwk[]]
  /** Signs the cookies of the login pages. */
  cookieKey: string
  clients: readonly SeededClient[]
  people: readonly SeededPerson[]
  now: () => Date
  /** Voids access tokens before they expire. */
  revoker: TokenRevoker
  /** Where a request comes from, as failed log-ins are counted by. */
  addressOf: (request: IncomingMessage) => string
  /** Called for each wrong secret and each wrong password. */
  failed: (failure: FailedAuthentication) => void
  log: { error(details: object, message: string): void }
}

/** What a token says when it is made here and not asked for at the token endpoint. */
export interface MintedClaims {
  clientId: string
  scope: string
  /** The client itself unless said otherwise. */
  subject?: string
  partyId?: string
  grantId?: string
  ttlSeconds?: number
}

export interface AuthorizationServer {
  issuer: string
  audience: string
  /** The public keys, for a verifier in the same process. */
  jwks: PublicJwks
  /** Answers `/oauth/*` and the well-known paths. The body must not have been read. */
  handler: (request: IncomingMessage, response: ServerResponse) => void
  mint: (claims: MintedClaims) => string
  /** Removes what has expired; it also happens by itself every ten minutes. */
  sweep: () => Promise<number>
  close: () => void
}

const sweepEveryMs = 10 * 60_000

/** Promises a running authorization server of one environment, its seeded clients stored. */
export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { issuer, audience, pool, signingJwks, clients, people, now, log } = options
  for (const client of clients) await seedClient(pool, client, now())
  for (const person of people) await seedPerson(pool, person, now())

  const provider = createProvider(options)
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error, path: ctx.path }, 'The authorization server failed.')
  })
  // Without a listener Koa would print these itself.
  const application: EventEmitter = provider
  application.on('error', (error: unknown) => {
    log.error({ err: error }, 'The authorization server failed.')
  })

  const { protocol, host } = new URL(issuer)
  // A proxy speaks TLS for us then. The library believes of headers only these two, which we write.
  const isBehindTls = protocol === 'https:'
  provider.proxy = isBehindTls
  const reach = ({ headers }: IncomingMessage) => {
    if (isBehindTls)
      Object.assign(headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': host })
  }

  const jwks = { keys: signingJwks.map(publicJwk) }
  const sweep = async () => {
    await pruneFailedAttempts(pool)
    return sweepRecords(pool, now())
  }
  const handler = createHandler(provider.callback(), createInteraction(provider, options), log, {
    [paths.serverMetadata]: serverMetadata(issuer),
    [paths.resourceMetadata]: resourceMetadata(issuer, audience),
    [paths.jwks]: jwks,
  })
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'Sweeping OAuth records failed.'))
  }, sweepEveryMs).unref()
  return {
    issuer,
    audience,
    jwks,
    handler: (request, response) => {
      reach(request)
      handler(request, response)
    },
    mint: createMint(options),
    sweep,
    close: () => clearInterval(timer),
  }
}

/** Signs the same claims as the token endpoint does. */
export function createMint({
  issuer,
  audience,
  signingJwks: [signingJwk],
  now,
}: Pick<AuthorizationServerOptions, 'issuer' | 'audience' | 'signingJwks' | 'now'>) {
  const key = createPrivateKey({ key: { ...signingJwk }, format: 'jwk' })
  return ({ clientId, scope, subject, ttlSeconds, ...claimed }: MintedClaims): string => {
    const iat = Math.floor(now().getTime() / 1000)
    const exp = iat + (ttlSeconds ?? accessTokenSeconds)
    const { partyId: party_id, grantId: grant_id } = claimed
    const delegated = { ...(party_id && { party_id }), ...(grant_id && { grant_id }) }
    const claims = { scope, client_id: clientId, iat, exp, ...delegated }
    return jwt.sign(claims, key, {
      algorithm: 'ES256',
      header: { alg: 'ES256', typ: 'at+jwt', kid: signingJwk.kid },
      issuer,
      audience,
      subject: subject ?? clientId,
      jwtid: randomUUID(),
    })
  }
}

/** Serves the documents, hands the endpoints to the library, and answers the rest in its words. */
function createHandler(
  provider: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  interaction: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  log: AuthorizationServerOptions['log'],
  documents: Record<string, object>,
) {
  const bodies = new Map(Object.entries(documents).map(([path, it]) => [path, JSON.stringify(it)]))
  return (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '/').split('?', 1)[0]!
    const method = request.method ?? 'GET'
    const body = bodies.get(path)
    const allowed = body !== undefined ? ['GET', 'HEAD'] : endpointMethods(path)
    if (!allowed) return refuse(response, 404, 'There is nothing at this path.')
    if (!allowed.includes(method)) {
      response.setHeader('allow', allowed.join(', '))
      return refuse(response, 405, `This path takes ${allowed.join(', ')}.`)
    }
    if (path.startsWith(`${paths.interaction}/`)) {
      interaction(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'A login page failed.')
        if (!response.headersSent) refuse(response, 500, 'Something failed here.', 'server_error')
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

function endpointMethods(path: string): readonly string[] | undefined {
  if (path === paths.token || path === paths.revoke) return ['POST', 'OPTIONS']
  if (path.startsWith(`${paths.interaction}/`)) return ['GET', 'POST']
  if (path === `${paths.logout}/confirm`) return ['POST']
  if (path === paths.logout || path === `${paths.logout}/success`) return ['GET', 'HEAD']
  if (path === paths.authorize || path.startsWith(`${paths.authorize}/`)) return ['GET', 'HEAD']
  return undefined
}

function refuse(
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
