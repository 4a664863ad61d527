import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateKey, rotations, type KeyKind } from '../../host/rotate-key.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { eventually } from '../kit/platform.ts'
import { aSplitPlatform, queryGraph, type RunningPlatform } from './kit.ts'

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
