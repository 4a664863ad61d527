import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, secrets } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'
import { aFapiBank, type Answer, type FapiBank } from './fapi2-kit.ts'

// What may be used once is used once, however many requests arrive together: codes, pushed requests,
// client assertions and proofs. Each race has five runners, and its result is the same every time.
const runners = 5
const rounds = 12
let bank: FapiBank
beforeAll(async () => {
  bank = await aFapiBank()
})
afterAll(() => bank.stop())

const together = (run: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: runners }, () => run()))
const successes = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200)

test('a code is redeemed at most once, and its tokens end when it is used again', async () => {
  for (let round = 0; round < rounds; round++) {
    const code = await bank.code()
    const answers = await together(() => bank.exchange({ code }))
    for (const { status } of answers) expect([200, 400]).toContain(status)
    const won = successes(answers)
    expect(won.length).toBeLessThanOrEqual(1)
    for (const { body } of won) {
      const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token as string }
      expect((await bank.exchange(form)).body.error).toBe('invalid_grant')
    }
  }
}, 120_000)

test('a client assertion is accepted at most once', async () => {
  for (let round = 0; round < 4 * rounds; round++) {
    const client_assertion = await bank.assertionOf({ clientId: secrets.clientId })
    const answers = await together(() => bank.operator({ client_assertion }))
    for (const { status } of answers) expect([200, 400, 401, 429]).toContain(status)
    expect(successes(answers).length).toBeLessThanOrEqual(1)
  }
}, 120_000)

test('a proof is accepted at most once at the token endpoint', async () => {
  for (let round = 0; round < 4 * rounds; round++) {
    const proof = { jti: `proof-${round}` }
    const answers = await together(() => bank.operator({ proof }))
    expect(successes(answers).length).toBeLessThanOrEqual(1)
  }
}, 120_000)

test('a pushed request gives at most one code', async () => {
  for (let round = 0; round < rounds; round++) {
    const { body } = await bank.push()
    const url = bank.authorizeUrl({ client_id: 'app', request_uri: body.request_uri })
    const pages: Record<string, string>[] = [
      { username: ada.username, password: ada.password },
      { decision: 'allow' },
    ]
    const runs = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const browser = new ABrowser()
        const at = await browser.through(url, pages)
        return at.searchParams.get('code')
      }),
    )
    expect(new Set(runs.filter((code) => code !== null)).size).toBeLessThanOrEqual(1)
  }
}, 120_000)
