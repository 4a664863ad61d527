import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followSecrets } from '../../host/follow-secrets.ts'
import { LiveKeys, rootOverlapMs, rootSecretsOf, signingJwksOf } from '../../host/live-keys.ts'
import { rotateKey, rotations, type KeyKind } from '../../host/rotate-key.ts'
import type { Secrets } from '../../host/environment-secrets.ts'
import { clientKeyOf, loadSecrets, originalSecretOf } from '../../host/secrets.ts'
import { createVault } from '../../kernel/environment/vault.ts'
import { decryptPageToken, encryptPageToken } from '../../kernel/graph/page-token.ts'
import { createProofVerifier } from '../../kernel/authorization/proofs.ts'
import { KnownDevices } from '../../oauth/known-device.ts'
import { aRunningServer } from '../oauth/kit.ts'
import { eventually } from '../kit/eventually.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const after = (ms: number) => new Date(Date.now() + ms)
const minuteMs = 60_000

/** Rotates a key of live, and returns the secrets after it. */
async function rotated(kind: KeyKind, now = new Date()) {
  await rotateKey(dataDir, 'live', kind, now)
  return (await loadSecrets(dataDir)).live
}

test('a new key is published at once and signs a minute later', async () => {
  const { live } = await loadSecrets(dataDir)
  const before = live.signingJwk.kid
  const next = await rotated('signing')
  const kidsAt = (now: Date) => signingJwksOf(next, now).map((jwk) => jwk.kid)
  expect(kidsAt(new Date())).toEqual([before, next.signingJwk.kid])
  expect(kidsAt(after(2 * minuteMs))).toEqual([next.signingJwk.kid, before])
})

test('a new root secret is accepted at once, current after a minute, and the former ends', async () => {
  const { live } = await loadSecrets(dataDir)
  const before = live.cookieKey
  const next = await rotated('root')
  const ringAt = (ms: number) => rootSecretsOf(next, after(ms))
  expect(ringAt(0)).toMatchObject({ current: before, accepted: [before, next.cookieKey] })
  expect(ringAt(2 * minuteMs)).toMatchObject({
    current: next.cookieKey,
    accepted: [next.cookieKey, before],
  })
  const end = ringAt(rootOverlapMs + 2 * minuteMs)
  expect(end).toMatchObject({ accepted: [next.cookieKey], known: [next.cookieKey, before] })
  expect(originalSecretOf(next)).toBe(before)
  expect(clientKeyOf(before).kid).not.toBe(clientKeyOf(next.cookieKey).kid)
})

test('a rotation does not shorten the time in which an earlier secret is accepted', async () => {
  const { live } = await loadSecrets(dataDir)
  const second = await rotated('root')
  const third = await rotated('root', after(1000))
  const { current, accepted } = rootSecretsOf(third, after(2 * minuteMs))
  expect(current).toBe(third.cookieKey)
  expect(accepted).toEqual([third.cookieKey, second.cookieKey, live.cookieKey])
})

test('what was encrypted and signed before a rotation of the root secret stays valid', async () => {
  const { live } = await loadSecrets(dataDir)
  const keys = new LiveKeys(live)
  const vault = createVault(keys.ring)
  const devices = new KnownDevices(keys.ring, false)
  const proofs = createProofVerifier({
    origin: 'http://bank.example',
    ring: keys.ring,
    isNonceRequired: true,
    pool: null as never,
    now: Date.now,
  })
  const encrypted = vault.encrypt('a secret', 'here')
  const cookie = devices.cookieOf('ada', new Date()).split(';')[0]!
  const nonce = proofs.nonce()
  const before = live.cookieKey
  keys.use(await rotated('root'), after(2 * minuteMs))
  expect(keys.ring.current).not.toBe(before)
  expect(vault.decrypt(encrypted, 'here')).toBe('a secret')
  const again = vault.encrypt('a secret', 'here')
  expect(again.split('.')[1]).not.toBe(encrypted.split('.')[1])
  expect(vault.decrypt(again, 'here')).toBe('a secret')
  expect(() => createVault({ ...keys.ring, known: [before] }).decrypt(again, 'here')).toThrow(
    'unknown key',
  )
  expect(() => vault.decrypt(again, 'there')).toThrow()
  const request = { headers: { cookie } } as never
  expect(devices.isKnown(request, 'ada', new Date())).toBe(true)
  expect(proofs.nonce()).not.toBe(nonce)
  keys.use((await loadSecrets(dataDir)).live, after(rootOverlapMs + 2 * minuteMs))
  expect(devices.isKnown(request, 'ada', new Date())).toBe(false)
  expect(vault.decrypt(encrypted, 'here')).toBe('a secret')
})

test('texts without the name of a key were encrypted with the oldest root secret', async () => {
  const { live } = await loadSecrets(dataDir)
  const keys = new LiveKeys(live)
  const vault = createVault(keys.ring)
  const text = vault.encrypt('a secret', 'here').replace(/^v2\.[^.]+/, 'v1')
  keys.use(await rotated('root'), after(2 * minuteMs))
  expect(vault.decrypt(text, 'here')).toBe('a secret')
})

test('page tokens survive rotations within their lifetime, and older keys are removed', async () => {
  const keys = new LiveKeys((await loadSecrets(dataDir)).live)
  const first = encryptPageToken(keys.pageKeys, 'list', ['x'], Date.now())
  keys.use(await rotated('page'), after(2 * minuteMs))
  expect(keys.pageKeys.current).not.toBe('p1')
  keys.use(await rotated('page', after(1000)), after(2 * minuteMs))
  expect(Object.keys(keys.pageKeys.keys)).toHaveLength(3)
  expect(decryptPageToken(keys.pageKeys, 'list', first, Date.now())).toEqual(['x'])
  const later = await rotated('page', after(4 * 24 * 60 * minuteMs))
  expect(Object.keys(later.pageKeys.keys)).toHaveLength(2)
  expect(later.pageKeys.keys).not.toHaveProperty('p1')
})

test('every secret in the file has a rotation', async () => {
  const { live } = await loadSecrets(dataDir)
  const changedBy: Record<KeyKind, string[]> = {
    signing: ['signingJwk'],
    root: ['cookieKey'],
    page: ['pageKeys'],
    client: ['clientSecret'],
  }
  const names = Object.keys(live).filter((name) => name !== 'clientId')
  expect(Object.values(changedBy).flat().toSorted()).toEqual(names.toSorted())
  expect(Object.keys(rotations).toSorted()).toEqual(Object.keys(changedBy).toSorted())
  for (const kind of Object.keys(rotations) as KeyKind[]) {
    const before = (await loadSecrets(dataDir)).live
    const now = await rotated(kind)
    const changed = names.filter((name) => {
      const key = name as keyof typeof now
      return JSON.stringify(now[key]) !== JSON.stringify(before[key])
    })
    expect(changed).toEqual(changedBy[kind])
  }
})

test('running environments get the secrets, and keep the known ones if the file is damaged', async () => {
  await loadSecrets(dataDir)
  const given: Secrets[] = []
  const warnings: object[] = []
  const log = { warn: (details: object) => void warnings.push(details) }
  const use = async (secrets: Secrets) => void given.push(secrets)
  const stop = followSecrets(dataDir, use, log as never, undefined, 10)
  await eventually(() => Promise.resolve(given.length > 0))
  const { clientSecret } = await rotated('client')
  await eventually(() => Promise.resolve(given.at(-1)!.live.clientSecret === clientSecret))
  const path = join(dataDir, 'secrets.json')
  const text = await readFile(path, 'utf8')
  for (const damage of [() => writeFile(path, '{'), () => rm(path)]) {
    const before = warnings.length
    await damage()
    await eventually(() => Promise.resolve(warnings.length > before + 1))
  }
  await expect(readFile(path)).rejects.toThrow('ENOENT')
  const uses = given.length
  await writeFile(path, text)
  await eventually(() => Promise.resolve(given.length > uses))
  await stop()
})

test('a server signs with the new key and still accepts the tokens of the old one', async () => {
  const { issuer, oauth, stop, post, secret, pool } = await aRunningServer()
  const tokenKid = async () => {
    const answer = await post({
      grant_type: 'client_credentials',
      client_id: 'narrow',
      client_secret: secret,
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    return (
      JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }
    ).kid
  }
  const published = async () => {
    const answer = await fetch(`${issuer}/.well-known/jwks.json`)
    return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  }
  const before = await tokenKid()
  const { live } = await loadSecrets(dataDir)
  const next = live.signingJwk
  const current = oauth.jwks
  await oauth.useKeys([next])
  expect(await tokenKid()).toBe(next.kid)
  expect(next.kid).not.toBe(before)
  expect(await published()).toEqual([next.kid])
  expect(oauth.jwks).not.toBe(current)
  const { rows } = await pool.query(
    "select detail from kernel.identity_record where kind = 'signing-key-rotation' order by at",
  )
  expect(rows.map(({ detail }) => detail as string)).toEqual([before, next.kid])
  await stop()
})
