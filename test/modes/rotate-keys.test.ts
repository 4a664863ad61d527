import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateKey, rotations, type KeyKind } from '../../host/rotate-key.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { eventually } from '../kit/eventually.ts'
import { listen } from '../oauth/kit.ts'
import { aCompletePlatform, aSplitPlatform, queryGraph, type RunningPlatform } from './kit.ts'

let bank: RunningPlatform
beforeAll(async () => {
  bank = await aSplitPlatform([['parties', 'products']])
})
afterAll(() => bank.stop())

/** Rotates now, with a key that is used in ten seconds instead of a minute. */
const soon = () => new Date(Date.now() - 50_000)
const sandboxSecrets = async () => (await loadSecrets(bank.dataDir)).sandbox

const tokenWith = async (secret: string) => {
  const { clientId } = await sandboxSecrets()
  const response = await fetch(`${bank.sandbox}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  return token ?? `no token: ${response.status}`
}

const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid

/** Returns the name of the key that encrypts the next page token, and what was refused. */
async function readPages(token: string, cursor: string | null) {
  const query =
    'query ($after: String) { productOffers(first: 1, after: $after) { pageInfo { endCursor } } ' +
    'party(partyId: "pty_ada") { displayName } }'
  const variables = { after: cursor }
  const { body } = await queryGraph(`${bank.sandbox}/graphql`, token, { query, variables })
  const endCursor = body.data?.productOffers?.pageInfo.endCursor as string | undefined
  const isComplete = endCursor !== undefined && body.data?.party?.displayName === 'Ada Lovelace'
  return { endCursor, refused: isComplete ? null : JSON.stringify(body) }
}

test('every key in the file of secrets is rotated under traffic, and nothing is refused', async () => {
  const { clientSecret: formerSecret, signingJwk } = await sandboxSecrets()
  const formerToken = await tokenWith(formerSecret)
  const first = await eventually(async () => {
    const { endCursor } = await readPages(formerToken, null)
    return endCursor
  }, 30_000)
  const refused: string[] = []
  let isRunning = true
  let requests = 0
  const traffic = Array.from({ length: 2 }, async () => {
    while (isRunning) {
      const token = await tokenWith(formerSecret)
      // What was issued before the rotation, and what is issued now.
      const pages = [await readPages(formerToken, first), await readPages(token, null)]
      pages.push(await readPages(formerToken, pages[1]!.endCursor ?? null))
      requests += 4
      for (const page of pages) if (page.refused) refused.push(page.refused)
      await sleep(20)
    }
  })
  for (const kind of Object.keys(rotations) as KeyKind[]) {
    await rotateKey(bank.dataDir, 'sandbox', kind, soon())
  }
  const { clientSecret, signingJwk: nextJwk, pageKeys } = await sandboxSecrets()
  expect(nextJwk.kid).not.toBe(signingJwk.kid)
  await eventually(async () => {
    const token = await tokenWith(clientSecret)
    if (token.startsWith('no token')) return false
    const { endCursor } = await readPages(token, null)
    return kidOf(token) === nextJwk.kid && endCursor?.split('.')[0] === pageKeys.current
  }, 40_000)
  await sleep(6000)
  isRunning = false
  await Promise.all(traffic)
  expect(refused.slice(0, 3)).toEqual([])
  expect(requests).toBeGreaterThan(100)
}, 90_000)

/** A provider of text messages that accepts each of its secrets. */
async function aProvider(secrets: readonly string[]) {
  const counts = secrets.map(() => 0)
  const refused: string[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const isSigned = (secret: string) => {
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    const index = secrets.findIndex(isSigned)
    if (index < 0) refused.push(body)
    else counts[index]! += 1
    response.writeHead(index < 0 ? 401 : 202).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  return { url: await listen(server), counts, refused, stop: () => server.close() }
}

test('the credentials of a provider are rotated under traffic, and nothing is refused', async () => {
  const secrets = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`)
  const provider = await aProvider(secrets)
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-provider-'))
  const file = join(folder, 'sms-secret')
  await writeFile(file, `${secrets[0]}\n`)
  const complete = await aCompletePlatform({
    SMS_URL: `${provider.url}/messages`,
    SMS_SECRET_FILE: file,
  })
  try {
    const message = { partyId: 'pty_ada', channel: 'sms', templateCode: 'tpl_welcome' }
    const statuses = new Set<number>()
    let sent = 0
    const send = async () => {
      const response = await fetch(`${complete.sandbox}/v1/notifications`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${complete.token({ environment: 'sandbox' })}`,
          'content-type': 'application/json',
          'idempotency-key': `sms-${sent++}`,
        },
        body: JSON.stringify({ ...message, personalization: { name: 'Ada' } }),
      })
      statuses.add(response.status)
      await sleep(50)
    }
    const sendUntil = (isDone: () => boolean) =>
      eventually(async () => {
        await send()
        return isDone()
      }, 30_000)
    await sendUntil(() => provider.counts[0]! > 10)
    await writeFile(file, secrets[1]!)
    await sendUntil(() => provider.counts[1]! > 10)
    await eventually(() => Promise.resolve(provider.counts[0]! + provider.counts[1]! === sent))
    expect([...statuses]).toEqual([201])
    expect(provider.refused).toEqual([])
  } finally {
    await complete.stop()
    provider.stop()
    await rm(folder, { recursive: true })
  }
}, 90_000)
