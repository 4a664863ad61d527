import { createPublicKey, randomBytes, verify, type JsonWebKey } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileKeyStore, type KeyStore } from '../../host/key-store.ts'
import { openKeyStore } from '../../host/pkcs11.ts'
import { rotateKey, rotations, type KeyKind } from '../../host/rotate-key.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { publicJwk } from '../../oauth/keys.ts'
import { eventually } from '../kit/eventually.ts'
import { aToken, noHsm } from '../kit/soft-hsm.ts'
import { aCompletePlatform, queryGraph } from './kit.ts'

const title = noHsm ? `a PKCS#11 token (skipped: ${noHsm})` : 'a PKCS#11 token'
describe.skipIf(noHsm !== null)(title, () => {
  let token: ReturnType<typeof aToken>
  let store: KeyStore
  let dataDir: string
  beforeAll(async () => {
    token = aToken()
    store = await openKeyStore(parseConfig(token.settings))
    dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-pkcs11-'))
  })
  afterAll(async () => {
    store.close()
    await token.drop()
    await rm(dataDir, { recursive: true })
  })

  test('generates keys that sign and never leave it', () => {
    const jwk = store.newSigningKey('first')
    expect(jwk).not.toHaveProperty('d')
    const data = randomBytes(100)
    const key = createPublicKey({ key: publicJwk(jwk) as JsonWebKey, format: 'jwk' })
    const isSigned = (signature: Buffer, text: Buffer) =>
      verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, signature)
    expect(isSigned(store.sign(jwk, data), data)).toBe(true)
    expect(isSigned(store.sign(jwk, data), randomBytes(100))).toBe(false)
    expect(() => store.sign({ ...jwk, pkcs11Id: 'unknown' } as never, data)).toThrow('no key')
    expect(() => fileKeyStore.sign(jwk, data)).toThrow('PKCS11_MODULE')
  })

  test('wraps secrets, and rejects a changed one', () => {
    const wrapped = store.wrap('a secret')
    expect(wrapped).not.toContain('a secret')
    expect(store.wrap('a secret')).not.toBe(wrapped)
    expect(store.unwrap(wrapped)).toBe('a secret')
    expect(store.unwrap('plain text of an earlier file')).toBe('plain text of an earlier file')
    const last = wrapped.at(-2) === 'A' ? 'B' : 'A'
    expect(() => store.unwrap(`${wrapped.slice(0, -2)}${last}${wrapped.at(-1)}`)).toThrow()
  })

  test('a file of secrets that was created with it contains none of them', async () => {
    const { live, sandbox } = await loadSecrets(dataDir, store)
    for (const kind of Object.keys(rotations) as KeyKind[]) {
      await rotateKey(dataDir, 'live', kind, new Date(), store)
    }
    const after = await loadSecrets(dataDir, store)
    expect(after.live.formerCookieKeys?.[0]?.key).toBe(live.cookieKey)
    expect(after.live.formerClientSecret?.secret).toBe(live.clientSecret)
    const path = join(dataDir, 'secrets.json')
    const text = await readFile(path, 'utf8')
    const each = [live, sandbox, after.live].flatMap(({ clientSecret, cookieKey, pageKeys }) => [
      clientSecret,
      cookieKey,
      ...Object.values(pageKeys.keys).map((key) => key.toString('base64url')),
    ])
    expect(each.length).toBeGreaterThan(8)
    expect(each.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).not.toContain('"d":')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(loadSecrets(dataDir)).rejects.toThrow('PKCS11_MODULE')
  })

  test('a running bank goes over to it, and its tokens are signed there', async () => {
    const bank = await aCompletePlatform(token.settings)
    try {
      const { live } = await loadSecrets(bank.dataDir)
      const aNewToken = async () => {
        const response = await fetch(`${bank.live}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: live.clientId,
            client_secret: live.clientSecret,
          }),
        })
        return ((await response.json()) as { access_token: string }).access_token
      }
      const kidOf = (text: string) =>
        (JSON.parse(Buffer.from(text.split('.')[0]!, 'base64url').toString()) as { kid: string })
          .kid
      const query = '{ environment { name } }'
      const isAccepted = async (text: string) =>
        (await queryGraph(`${bank.live}/graphql`, text, { query })).body.data?.environment !==
        undefined
      const before = await aNewToken()
      const soon = new Date(Date.now() - 55_000)
      await rotateKey(bank.dataDir, 'live', 'signing', soon, store)
      const { pkcs11Id, kid, d } = (await loadSecrets(bank.dataDir, store)).live.signingJwk
      expect([pkcs11Id, d]).toEqual([`bankgraph token ${kid}`, undefined])
      const next = await eventually(async () => {
        const text = await aNewToken()
        return kidOf(text) === kid && text
      }, 30_000)
      expect(await isAccepted(next as string)).toBe(true)
      expect(await isAccepted(before)).toBe(true)
    } finally {
      await bank.stop()
    }
  }, 90_000)

  test.each([
    ['PKCS11_MODULE', { PKCS11_MODULE: '/nowhere/pkcs11.so' }],
    ['PKCS11_TOKEN', { PKCS11_TOKEN: 'another' }],
  ])('a wrong %s is named', async (name, change) => {
    await expect(openKeyStore(parseConfig({ ...token.settings, ...change }))).rejects.toThrow(name)
  })
})

test('the settings of a token belong together', () => {
  expect(() => parseConfig({ PKCS11_MODULE: '/lib/pkcs11.so' })).toThrow('PKCS11_PIN')
  expect(parseConfig({}).pkcs11).toBeNull()
})
