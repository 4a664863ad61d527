/** The tokens of a console session are replaced while the session may end. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConsoleSessions } from '../../gateway/console-session/sessions.ts'
import type { PendingLogIn } from '../../gateway/console-session/identity-provider.ts'
import type { Caller } from '../../kernel/authorization/caller.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import { payments } from '../../subgraphs/payments/index.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

let running: RunningSubgraph
let bank: Bank
const expiries: Record<string, number> = { old: Date.now() + 1000, new: Date.now() + 600_000 }

beforeAll(async () => {
  running = await aSubgraph(payments)
  const verifyWithoutProof = (header: string): Promise<Caller> => {
    const tokenId = header.split(' ')[1]!
    const caller = { ...aCaller(), subject: 'ada', tokenId, expiresAt: expiries[tokenId]! }
    return Promise.resolve(caller)
  }
  bank = { ...running.bank, verifier: { verifyWithoutProof, verify: verifyWithoutProof } } as never
})
afterAll(() => running.drop())

const tokens = (accessToken: string) => ({
  type: 'Bearer' as const,
  accessToken,
  refreshToken: `refresh-${accessToken}`,
  claims: null,
})

/** Begins a session whose token is about to expire. */
async function aSession(sessions: ConsoleSessions) {
  const id = await sessions.begin(tokens('old'), { proofKey: null } as PendingLogIn)
  return { headers: { cookie: `${sessions.cookies.session}=${id}` } }
}

function sessionsWith(refresh: () => Promise<void>) {
  const sessions = new ConsoleSessions(bank, { isKeyBound: false } as never)
  vi.spyOn(sessions.provider, 'refresh').mockImplementation(async () => {
    await refresh()
    return tokens('new')
  })
  const revoke = vi.spyOn(sessions.provider, 'revoke').mockResolvedValue()
  return { sessions, revoke }
}

test('a token that expires is replaced', async () => {
  const { sessions, revoke } = sessionsWith(() => Promise.resolve())
  const browser = await aSession(sessions)
  const active = await sessions.find(browser)
  expect(active!.session.tokens.accessToken).toBe('new')
  expect(active!.session.version).toBe(2)
  expect(revoke).not.toHaveBeenCalled()
  sessions.close()
})

test('a log-out while the token is replaced ends the new tokens, too', async () => {
  let logOut = () => Promise.resolve()
  const { sessions, revoke } = sessionsWith(() => logOut())
  const browser = await aSession(sessions)
  logOut = () => sessions.end(browser)
  expect(await sessions.find(browser)).toBeNull()
  expect(await sessions.find(browser)).toBeNull()
  expect(revoke.mock.calls.flat()).toEqual(['refresh-old', 'refresh-new'])
  const { rows } = await bank.pool.query(`select value from kernel.revocation where kind = 'token'`)
  expect(rows.map(({ value }) => value)).toEqual(['old', 'new'])
  sessions.close()
})
