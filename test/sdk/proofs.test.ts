/** Tokens of the client package that are bound to a key (DPoP, RFC 9449), at the real server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clientKeyOf } from '../../host/secrets.ts'
import { clientOf, findProfile } from '../../sdk/cli/profile.ts'
import {
  clientCredentials,
  createBankClient,
  type BankClient,
  type ClientCredentials,
  type ProofKeyStore,
  type TokenSource,
} from '../../sdk/src/index.ts'
import { secrets, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

interface Bound {
  client: BankClient
  tokens: TokenSource
  /** The headers of each request to the bank, with its status. */
  sent: { headers: Record<string, string>; status: number }[]
}

/** A client whose tokens are bound to a key, and a record of what it sends. */
function aBoundClient(bank: Platform, credentials: Partial<ClientCredentials>): Bound {
  const { clientId } = bank.credentials
  const tokens = clientCredentials({ issuer: bank.url, clientId, dpop: true, ...credentials })
  const sent: Bound['sent'] = []
  const recorded: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    sent.push({ headers: init!.headers as Record<string, string>, status: answer.status })
    return answer
  }
  const client = createBankClient({
    url: `${bank.url}/v1`,
    tokens,
    fetch: recorded,
    webSocket: WebSocket,
    maxRetries: 0,
  })
  return { client, tokens, sent }
}

const transfer = {
  debtorArrangementId: 'arr_ada_current',
  creditorArrangementId: 'arr_ada_savings',
  amount: { amount: '1.00', currency: 'EUR' },
}
const query = '{ environment { name } }'

/** Uses everything that the client offers, and returns what each part got. */
async function useEverything({ client }: Bound) {
  const accounts = await client.listAccounts({ pageSize: 1 })
  const { environment } = (await client.graph(query)) as { environment: { name: string } }
  const { status } = await client.createPostingInstruction(transfer)
  const types: string[] = []
  for (const over of ['http', 'websocket'] as const) {
    for await (const event of client.events({ after: '0', over })) {
      types.push(event.type)
      break
    }
  }
  await client.close()
  return { accounts: accounts.items.length, environment: environment.name, status, types }
}
const everything = {
  accounts: 1,
  environment: 'SANDBOX',
  status: 'accepted',
  types: [expect.any(String), expect.any(String)],
}

describe('In the standard profile', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  const aClient = (credentials: Partial<ClientCredentials> = {}) =>
    aBoundClient(bank, { clientSecret: bank.credentials.clientSecret, ...credentials })

  test('a client uses REST, the graph and events, with a proof for each request', async () => {
    const bound = aClient()
    expect(await useEverything(bound)).toEqual(everything)
    const proofs = bound.sent.map(({ headers }) => decodeJwt(headers['dpop']!))
    expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(bound.sent.length)
    expect(bound.sent.map(({ headers }) => headers['authorization']!.split(' ')[0])).toEqual(
      bound.sent.map(() => 'DPoP'),
    )
    expect(proofs[0]).toMatchObject({
      htm: 'GET',
      htu: `${bank.url}/v1/accounts`,
      ath: expect.any(String),
    })
    // From the second request on, a proof has the nonce of the response before.
    expect(proofs.slice(1).map(({ nonce }) => typeof nonce)).toEqual(
      proofs.slice(1).map(() => 'string'),
    )
  })

  test('a stolen token is useless', async () => {
    const { client, sent } = aClient()
    await client.listAccounts()
    const { authorization, dpop } = sent[0]!.headers
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(`${bank.url}/v1/accounts`, { headers })).status
    expect(await statusWith({ authorization: authorization!.replace('DPoP', 'Bearer') })).toBe(401)
    expect(await statusWith({ authorization: authorization! })).toBe(401)
    expect(await statusWith({ authorization: authorization!, dpop: dpop! })).toBe(401)
  })

  test('an outdated nonce costs one more request, over HTTP and in a socket', async () => {
    const bound = aClient()
    await bound.client.graph(query)
    bound.tokens.proofs!.noteNonce('outdated')
    await bound.client.graph(query)
    expect(bound.sent.map(({ status }) => status)).toEqual([200, 401, 200])
    bound.tokens.proofs!.noteNonce('outdated')
    const events = bound.client.subscribe(
      'subscription { businessEvents(after: "0") { type } }',
      {},
      { over: 'websocket' },
    )
    expect((await events.next()).value).toHaveProperty('businessEvents.type')
    await events.return()
    await bound.client.close()
  })

  test('a stored key stays the same, and cannot be exported', async () => {
    let kept: CryptoKeyPair | undefined
    const store: ProofKeyStore = {
      get: () => Promise.resolve(kept),
      set: (keys) => Promise.resolve(void (kept = keys)),
    }
    const keyOf = async (dpop: ProofKeyStore | true) => {
      const { client, sent } = aClient({ dpop })
      await client.listAccounts()
      return decodeProtectedHeader(sent[0]!.headers['dpop']!).jwk
    }
    const [first, afterReload] = [await keyOf(store), await keyOf(store)]
    expect(afterReload).toEqual(first)
    expect(await keyOf(true)).not.toEqual(first)
    expect(kept!.privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('jwk', kept!.privateKey)).rejects.toThrow()
  })

  test('a client without the option sends bearer tokens', async () => {
    const { client, sent } = aClient({ dpop: false })
    await client.listAccounts()
    expect(sent[0]!.headers).toMatchObject({ authorization: expect.stringMatching(/^Bearer /) })
    expect(sent[0]!.headers).not.toHaveProperty('dpop')
  })
})

describe('In the profile fapi2', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform('sandbox', false, { SECURITY_PROFILE: 'fapi2' })
  })
  afterAll(() => bank.stop())

  const privateKey = clientKeyOf(secrets.cookieKey) as JsonWebKey

  test('a client with a private key uses REST, the graph and events', async () => {
    const bound = aBoundClient(bank, { privateKey })
    expect(await useEverything(bound)).toEqual(everything)
    // Only the first proof lacked the nonce, which this profile requires.
    expect(bound.sent.map(({ status }) => status)).toEqual([
      401,
      ...bound.sent.slice(1).map(() => 200),
    ])
  })

  test('a token is requested again with the nonce of the authorization server', async () => {
    const { tokens } = aBoundClient(bank, { privateKey })
    const first = await tokens.token()
    expect(await tokens.token(first)).not.toBe(first)
  })

  test('the command line uses the private key in the file of credentials', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-credentials-'))
    const { clientId, tokenEndpoint } = bank.credentials
    const credentials = { sandbox: { clientId, privateJwk: privateKey, tokenEndpoint } }
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials))
    const profile = findProfile({}, { DATA_DIR: folder, XDG_CONFIG_HOME: folder })
    expect(await clientOf(profile).graph(query)).toEqual({ environment: { name: 'SANDBOX' } })
    await rm(folder, { recursive: true })
  })

  test('a client without a proof or with a secret gets no token', async () => {
    const refused = { name: 'BankProblem', status: 401 }
    const { clientSecret } = bank.credentials
    for (const credentials of [{ privateKey, dpop: false }, { clientSecret }]) {
      const { client } = aBoundClient(bank, credentials)
      await expect(client.listAccounts().then()).rejects.toMatchObject(refused)
    }
    expect(() => aBoundClient(bank, {})).toThrow('`clientSecret` is empty')
  })
})
