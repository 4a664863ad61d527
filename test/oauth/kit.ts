import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { pino } from 'pino'
import { addressOf } from '../../gateway/address.ts'
import type { SigningJwk } from '../../oauth/keys.ts'
import type { FailedAuthentication } from '../../oauth/failed-authentication.ts'
import { createAuthorizationServer, type AuthorizationServer } from '../../oauth/server.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { fixedRing } from '../../kernel/environment/key-ring.ts'
import { IdentityLog } from '../../kernel/authorization/identity-log.ts'
import { Revocations } from '../../kernel/authorization/revocations.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { freshDatabase } from '../kit/database.ts'

export const callback = 'http://127.0.0.1:3000/callback'
export const adasPassword = 'correct horse battery staple'

export function aSigningKey(): SigningJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(8).toString('base64url') }
}

export interface RunningServer {
  issuer: string
  oauth: AuthorizationServer
  revocations: Revocations
  pool: Pool
  secret: string
  /** Logged server errors; hostile requests must leave it empty. */
  failures: object[]
  /** Wrong secrets and passwords. */
  failedLogIns: FailedAuthentication[]
  post(form: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

/**
 * An authorization server on a port of its own, with the clients `wide` (every scope), `narrow` and
 * `web`; behind a proxy it has a public URL.
 */
export async function aRunningServer(
  settings: Record<string, string> = {},
  publicUrl?: string | ((address: string) => string),
): Promise<RunningServer> {
  const config = parseConfig(settings)
  const database = await freshDatabase()
  const pool = new Pool({ connectionString: database.url, max: 4 })
  const failures: object[] = []
  const failedLogIns: FailedAuthentication[] = []
  const revocations = new Revocations(pool, pino({ level: 'silent' }))
  const identities = new IdentityLog(pool, pino({ level: 'silent' }))
  const secret = randomBytes(32).toString('base64url')
  let oauth: AuthorizationServer | null = null
  const server = createServer((request, response) => oauth!.handler(request, response))
  const address = await listen(server)
  const issuer = typeof publicUrl === 'function' ? publicUrl(address) : (publicUrl ?? address)
  const grantTypes = ['client_credentials'] as const
  oauth = await createAuthorizationServer({
    issuer,
    audience: issuer,
    pool,
    signingJwks: [aSigningKey()],
    ring: fixedRing(randomBytes(32).toString('base64url')),
    clients: [
      { clientId: 'wide', secret, label: 'Wide', scopes: everyScope, grantTypes },
      {
        clientId: 'narrow',
        secret,
        label: 'Narrow',
        scopes: ['accounts:read', 'offers:read'],
        grantTypes,
      },
      {
        clientId: 'web',
        label: 'Web & <app>',
        scopes: ['accounts:read', 'offers:read', 'credit:decide'],
        grantTypes: ['authorization_code', 'refresh_token'],
        redirectUris: [callback],
      },
    ],
    people: [{ username: 'Ada', partyId: 'pty_ada', password: adasPassword }],
    now: () => new Date(),
    revoker: revocations,
    addressOf: (request) => addressOf(config, request),
    onFailedAuthentication: (failure) => failedLogIns.push(failure),
    identities,
    log: { error: (details) => failures.push(details) },
  })
  return {
    issuer: address,
    oauth,
    revocations,
    pool,
    secret,
    failures,
    failedLogIns,
    post: (form, headers = {}) =>
      fetch(`${address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers }),
    async stop() {
      oauth?.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await identities.close()
      await pool.end()
      await database.drop()
    },
  }
}

export function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

export function basic(clientId: string, secret: string) {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` }
}
