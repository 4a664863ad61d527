import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets, rotateSigningKey, signingJwksOf } from '../../host/secrets.ts'
import { followSigningKeys } from '../../host/signing-keys.ts'
import type { SigningKeys } from '../../oauth/server.ts'
import { aRunningServer } from '../oauth/kit.ts'
import { eventually } from '../kit/eventually.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const inTwoMinutes = () => new Date(Date.now() + 120_000)

test('a new key is published at once and signs a minute later', async () => {
  const { live } = await loadSecrets(dataDir)
  const before = live.signingJwk.kid
  const { kid } = await rotateSigningKey(dataDir, 'live')
  const { live: rotated } = await loadSecrets(dataDir)
  const kidsAt = (now: Date) => signingJwksOf(rotated, now).map((jwk) => jwk.kid)
  expect(kidsAt(new Date())).toEqual([before, kid])
  expect(kidsAt(inTwoMinutes())).toEqual([kid, before])
})

test('running servers get the keys of their environment, and keep them if the file is damaged', async () => {
  const { sandbox } = await loadSecrets(dataDir)
  const given: string[][] = []
  const warnings: object[] = []
  const server = {
    useSigningKeys: async (jwks: SigningKeys) => void given.push(jwks.map(({ kid }) => kid)),
  }
  const log = { warn: (details: object) => void warnings.push(details) }
  const stop = followSigningKeys(dataDir, { sandbox: server }, log as never, 10)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await rotateSigningKey(dataDir, 'live')
  const { kid } = await rotateSigningKey(dataDir, 'sandbox')
  await eventually(() => Promise.resolve(given.length > 0))
  expect(given).toEqual([[sandbox.signingJwk.kid, kid]])
  const path = join(dataDir, 'secrets.json')
  const text = await readFile(path, 'utf8')
  for (const damage of [() => writeFile(path, '{'), () => rm(path)]) {
    const before = warnings.length
    await damage()
    await eventually(() => Promise.resolve(warnings.length > before + 1))
  }
  await expect(readFile(path)).rejects.toThrow('ENOENT')
  const early = text.replaceAll(/"activeFrom": "[^"]*"/g, '"activeFrom": "2020-01-01T00:00:00Z"')
  await writeFile(path, early)
  await eventually(() => Promise.resolve(given.length > 1))
  expect(given[1]).toEqual([kid, sandbox.signingJwk.kid])
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
  await oauth.useSigningKeys([next])
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
