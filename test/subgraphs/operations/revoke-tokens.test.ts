import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { aPlatform, eventually, type Platform } from '../../kit/platform.ts'

let bank: Platform
let other: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
  // Another process on the same database.
  other = await aPlatform('live', bank.bank.pool.options.connectionString, true)
})
afterAll(async () => {
  await other.stop()
  await bank.stop()
})

const revoke = (input: object, options = {}) =>
  bank.graph(
    'mutation ($input: RevokeTokensInput!) { revokeTokens(input: $input) { kind value issuedUntil } }',
    { input },
    options,
  )
const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }).jti

const statusAt = async (platform: Platform, token: string) =>
  (await platform.graph('{ environment { name } }', {}, { token })).status

test('revokes one token here at once and in other processes within seconds, and leaves the others valid', async () => {
  const [stolen, good] = [bank.token({ clientId: 'shop' }), bank.token({ clientId: 'shop' })]
  expect(await statusAt(bank, stolen)).toBe(200)
  const { body } = await revoke({ tokenId: jtiOf(stolen) })
  expect(body.data.revokeTokens).toMatchObject({ kind: 'TOKEN', value: jtiOf(stolen) })
  expect(await statusAt(bank, stolen)).toBe(401)
  expect(await statusAt(bank, good)).toBe(200)
  await eventually(() => other.bank.revocations.isRevoked(callerOf(stolen)), 3000)
})

function callerOf(token: string) {
  const tokenId = jtiOf(token)
  const base = {
    clientId: 'x',
    subject: 'x',
    scopes: new Set<string>(),
    partyId: null,
    grantId: null,
    sessionId: null,
    acr: null,
    authenticatedAt: null,
    keyThumbprint: null,
    certificateThumbprint: null,
  }
  return { ...base, tokenId, issuedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER }
}

test.each([
  ['client', { clientId: 'leaky' }, { clientId: 'leaky' }],
  ['subject', { subject: 'pty_gone' }, { partyId: 'pty_gone' }],
])('revokes every token that a %s has so far, and accepts later ones', async (_, named, actor) => {
  const before = bank.token(actor)
  await revoke(named)
  expect(await statusAt(bank, before)).toBe(401)
  // Token times have a resolution of a second.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const later = bank.token(actor)
  const { status, body } = await bank.graph('{ problems { code } }', {}, { token: later })
  expect([status, body.errors]).toEqual([200, undefined])
})

test('closes a WebSocket with code 4403 when its token is revoked', async () => {
  const token = bank.token({ clientId: 'listener' })
  const socket = new WebSocket(`${bank.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.on('open', resolve))
  const acknowledged = new Promise((resolve) => socket.once('message', resolve))
  const payload = { authorization: `Bearer ${token}` }
  socket.send(JSON.stringify({ type: 'connection_init', payload }))
  await acknowledged
  await revoke({ clientId: 'listener' })
  expect(await closed).toBe(4403)
})

test('requires exactly one criterion, and denies delegated users', async () => {
  for (const input of [{}, { tokenId: 'a', subject: 'b' }]) {
    const { body } = await revoke(input)
    expect(body.errors[0].extensions.code).toBe('VALIDATION_FAILED')
  }
  const { body } = await revoke({ tokenId: 'a' }, { token: bank.token({ partyId: 'pty_ada' }) })
  expect(body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
})
