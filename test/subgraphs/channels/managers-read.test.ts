/** Routing reads the relationship managers of the parties whose work it routes, and no others. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { aCall, anAgent, bank, clearTheFloor, idOf, mutate, openBank, routeAgain } from './kit.ts'

beforeAll(async () => {
  await openBank()
  await bank.rows(
    `insert into channels.relationship (party_id, agent_id, version, assigned_at)
     select 'pty_' || n, $1, 1, now() from generate_series(1, 1000) n`,
    [await anAgent('offline')],
  )
})
afterAll(() => bank.drop())
afterEach(() => vi.restoreAllMocks())

/** Returns the result of `work`, and how many rows of relationship managers were read meanwhile. */
async function managersRead<Result>(work: () => Promise<Result>) {
  const query = vi.spyOn(bank.bank.pool, 'query')
  const result = await work()
  let rows = 0
  for (const [at, [request]] of query.mock.calls.entries()) {
    const { text } = request as unknown as { text: string }
    if (!text.includes('"channels"."relationship"')) continue
    rows += ((await query.mock.results[at]!.value) as unknown as { rows: unknown[] }).rows.length
  }
  query.mockRestore()
  return { result, rows }
}

test('an interaction reads the manager of its party, and a preview does', async () => {
  await clearTheFloor()
  const [manager] = [await anAgent(), await anAgent()]
  await mutate(`assignRelationshipManager(partyId: "pty_ada", agentId: "${manager}") { agentId }`)
  const routed = await managersRead(() => aCall('partyId: "pty_ada"'))
  expect(routed.result.data.act).toMatchObject({ status: 'ASSIGNED', agentId: manager })
  expect(routed.rows).toBe(1)
  const preview = await managersRead(() =>
    bank.execute(
      '{ previewRouting(input: { channel: TASK, subject: "A task", partyId: "pty_ada" }) { agentId } }',
    ),
  )
  expect(preview.result.data.previewRouting.agentId).toBe(manager)
  expect(preview.rows).toBe(1)
})

test('the worker reads the managers of the waiting interactions', async () => {
  await clearTheFloor()
  const ofAda = idOf(await aCall('partyId: "pty_ada"'))
  await aCall()
  const [, manager] = [await anAgent(), await anAgent()]
  await mutate(`assignRelationshipManager(partyId: "pty_ada", agentId: "${manager}") { agentId }`)
  const { result, rows } = await managersRead(routeAgain)
  expect(result).toBe(2)
  expect(rows).toBe(1)
  const [assigned] = await bank.rows(
    'select agent_id from channels.interaction where interaction_id = $1',
    [ofAda],
  )
  expect(assigned).toEqual({ agent_id: manager })
})
