import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as outsider from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedClient } from '../../oauth/clients.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { aRunningServer, basic, type RunningServer } from './kit.ts'

const grant = { grant_type: 'client_credentials' }
let bank: RunningServer
beforeAll(async () => {
  bank = await aRunningServer()
})
afterAll(async () => {
  await bank.stop()
})

const narrow = () => ({ client_id: 'narrow', client_secret: bank.secret })
const verifier = () =>
  createTokenVerifier({
    trusted: [{ issuer: bank.issuer, audience: bank.issuer, jwks: bank.oauth.jwks }],
    now: Date.now,
  })

interface TokenAnswer {
  access_token: string
  token_type: string
  expires_in: number
  scope: string
}

describe('Client credentials grant', () => {
  test('accepts both client authentication methods and issues a token that the verifier accepts', async () => {
    const byHeader = await bank.post(grant, basic('narrow', bank.secret))
    const byBody = await bank.post({ ...grant, ...narrow() })
    for (const response of [byHeader, byBody]) {
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      const answer = (await response.json()) as TokenAnswer
      expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 600 })
      const caller = await verifier().verify(`Bearer ${answer.access_token}`)
      expect(caller).toMatchObject({ clientId: 'narrow', subject: 'narrow', partyId: null })
    }
  })

  test('lets an independent library discover the endpoints and validate the token', async () => {
    const insecure = { [outsider.allowInsecureRequests]: true }
    const issuer = new URL(bank.issuer)
    const as = await outsider.processDiscoveryResponse(
      issuer,
      await outsider.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    )
    const client = { client_id: 'wide' }
    const answer = await outsider.processClientCredentialsResponse(
      as,
      client,
      await outsider.clientCredentialsGrantRequest(
        as,
        client,
        outsider.ClientSecretBasic(bank.secret),
        { scope: 'accounts:read fees:read' },
        insecure,
      ),
    )
    const headers = { authorization: `Bearer ${answer.access_token}` }
    const claims = await outsider.validateJwtAccessToken(
      as,
      new Request(`${bank.issuer}/accounts`, { headers }),
      bank.issuer,
      { signingAlgorithms: ['ES256'], ...insecure },
    )
    expect(claims).toMatchObject({ client_id: 'wide', scope: 'accounts:read fees:read' })
    const resource = await outsider.processResourceDiscoveryResponse(
      issuer,
      await outsider.resourceDiscoveryRequest(issuer, insecure),
    )
    expect(resource.authorization_servers).toEqual([bank.issuer])
  })

  test('issues equally valid tokens through issueToken', async () => {
    const token = bank.oauth.issueToken({
      clientId: 'web',
      scope: 'accounts:read',
      subject: 'ada',
      partyId: 'pty_ada',
    })
    expect(await verifier().verify(`Bearer ${token}`)).toMatchObject({
      clientId: 'web',
      subject: 'ada',
      partyId: 'pty_ada',
      scopes: new Set(['accounts:read']),
    })
  })

  test.each([
    ['a wrong secret', 'narrow', 'wrong'],
    ['the stored hash as secret', 'narrow', ''],
    ['an unknown client', 'nobody', 'wrong'],
  ])('rejects %s with 401 invalid_client', async (_, clientId, secret) => {
    const hash = await bank.pool.query<{ hex: string }>(
      `select encode(secret_hash, 'hex') as hex from oauth.client where client_id = 'narrow'`,
    )
    const response = await bank.post(grant, basic(clientId, secret || hash.rows[0]!.hex))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  test('rejects a disabled client, even after it is seeded again', async () => {
    const client = {
      clientId: 'former',
      secret: bank.secret,
      label: 'Former',
      scopes: ['fees:read'],
      grantTypes: ['client_credentials'] as const,
    }
    const statusOfRequest = async () =>
      (await bank.post(grant, basic('former', bank.secret))).status
    await seedClient(bank.pool, client, new Date())
    expect(await statusOfRequest()).toBe(200)
    await bank.pool.query(`update oauth.client set disabled_at = now() where client_id = 'former'`)
    expect(await statusOfRequest()).toBe(401)
    await seedClient(bank.pool, client, new Date())
    expect(await statusOfRequest()).toBe(401)
  })

  test('does not seed a client with an unknown scope, a short secret or no secret', async () => {
    const client = {
      clientId: 'odd',
      label: 'Odd',
      grantTypes: ['client_credentials'] as const,
      scopes: ['fees:read'],
    }
    const seed = (changes: object) => seedClient(bank.pool, { ...client, ...changes }, new Date())
    await expect(seed({ secret: bank.secret, scopes: ['x:y'] })).rejects.toThrow('unknown scopes')
    await expect(seed({ secret: 'short' })).rejects.toThrow('too short')
    await expect(seed({})).rejects.toThrow('needs a secret')
  })
})

describe('Scopes of the client credentials grant', () => {
  const granted = async (form: Record<string, string>) => {
    const response = await bank.post({ ...grant, ...narrow(), ...form })
    return { status: response.status, ...((await response.json()) as Record<string, unknown>) }
  }

  test('grants all scopes of the client when none are requested', async () => {
    expect(await granted({})).toMatchObject({ scope: 'accounts:read offers:read' })
  })
  test('grants only the requested scopes', async () => {
    expect(await granted({ scope: 'offers:read' })).toMatchObject({ scope: 'offers:read' })
  })
  test.each([['fees:run'], ['accounts:read fees:run'], ['no:such'], ['openid'], ['a  b'], ['"']])(
    'rejects %s with invalid_scope',
    async (scope) => {
      expect(await granted({ scope })).toMatchObject({ status: 400, error: 'invalid_scope' })
    },
  )
})

describe('Authorization server metadata', () => {
  const read = async (path: string) => {
    const response = await fetch(bank.issuer + path)
    expect(response.status).toBe(200)
    return (await response.json()) as Record<string, unknown>
  }

  test('lists all scopes and only endpoints that exist', async () => {
    const metadata = await read('/.well-known/oauth-authorization-server')
    expect(metadata['scopes_supported']).toEqual(['openid', ...everyScope])
    expect(metadata['grant_types_supported']).toEqual([
      'client_credentials',
      'authorization_code',
      'refresh_token',
    ])
    for (const [name, address] of Object.entries(metadata)) {
      // The gateway serves UserInfo; openid.test.ts calls it.
      if (!/_(endpoint|uri)$/.test(name) || name === 'userinfo_endpoint') continue
      const { status } = await fetch(String(address), { method: 'HEAD' })
      expect([name, status === 404]).toEqual([name, false])
    }
  })
  test('names the authorization server in the metadata of the protected resource', async () => {
    expect(await read('/.well-known/oauth-protected-resource')).toMatchObject({
      resource: bank.issuer,
      authorization_servers: [bank.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: everyScope,
    })
  })
  test('publishes a key set without private members', async () => {
    const { keys } = (await read('/.well-known/jwks.json')) as { keys: object[] }
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    ])
  })
})

test('deletes expired records and revocations in the sweep', async () => {
  await bank.pool.query(
    `insert into oauth.record (model, id, payload, expires_at) values
       ('Session', 'old', '{}', now() - interval '1 minute'),
       ('Session', 'new', '{}', now() + interval '1 hour')`,
  )
  await bank.pool.query(
    `insert into kernel.revocation (kind, value, issued_until, expires_at) values
       ('token', 'old', now(), now() - interval '1 minute'),
       ('token', 'new', now(), now() + interval '1 hour')`,
  )
  expect(await bank.oauth.sweep()).toBe(1)
  const { rows } = await bank.pool.query('select value from kernel.revocation')
  expect(rows).toEqual([{ value: 'new' }])
})

test('prints nothing when it is imported', async () => {
  const script = `import(${JSON.stringify(new URL('../../oauth/server.ts', import.meta.url).href)})`
  const args = ['--import', 'tsx', '--input-type=module', '-e', `await ${script}`]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect(stdout + stderr).toBe('')
})
