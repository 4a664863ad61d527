/** `GET /fee-runs` on a new sandbox, and after its clock was moved. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../kernel/domain/dates.ts'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

const list = (query = '') => bank.rest('GET', `/v1/fee-runs${query}`)
const members =
  `feeRunId runType feeCode productId periodStart periodEnd runDate status counts totals
  dryRun triggeredBy startedAt completedAt errors`.split(/\s+/)

test('the sandbox has a completed fee run with every documented member and no null', async () => {
  const { body, headers } = await eventually(async () => {
    const answer = await list()
    expect(answer.status, answer.text).toBe(200)
    return answer.body.items[0]?.status === 'completed' && answer
  })
  expect(headers.get('link')).toBeNull()
  expect(body.pagination).toEqual({ pageSize: 50 })
  expect(body.items).toHaveLength(1)
  const [run] = body.items
  expect(Object.keys(run)).toEqual(members)
  expect(run).toMatchObject({
    runType: 'manual',
    feeCode: 'account',
    productId: 'prd_current',
    status: 'completed',
    counts: { selected: 2, charged: 2, waived: 0, skipped: 0, failed: 0 },
    totals: [{ amount: '9.00', currency: 'EUR' }],
    dryRun: false,
    triggeredBy: 'bankgraph',
    errors: [],
  })
})

test('Ada has a balance, entries and a pending card payment', async () => {
  const { body } = await bank.graph(`{ accountArrangement(arrangementId: "arr_ada_current") {
    balances { committed pendingOut available } entries { nodes { amount remittanceInformation } } } }`)
  const { balances, entries } = body.data.accountArrangement
  expect(balances).toEqual([{ committed: '15406.25', pendingOut: '80.00', available: '15326.25' }])
  const fee = entries.nodes.find(({ amount }: any) => amount === '4.50')
  expect(fee.remittanceInformation).toMatch(/^Account fee, \d{4}-\d\d-01 to /)
  const findings = await bank.graph('{ ledgerFindings { invariant } }')
  expect(findings.body.data.ledgerFindings).toEqual([])
})

test('filters fee runs, rejects invalid filters, returns none to a customer and requires `fees:read`', async () => {
  const find = async (query: string) => (await list(query)).body.items.length
  expect(await find('?status=COMPLETED&productId=prd_current&feeCode=account')).toBe(1)
  const unknown = await list('?status=nonsense')
  expect([unknown.status, unknown.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const allowed = ['scheduled', 'running', 'completed', 'failed', 'reversed']
  expect(unknown.body.errors).toMatchObject([
    { parameter: 'status', code: 'NOT_ALLOWED', allowed: expect.arrayContaining(allowed) },
  ])
  expect(await find('?feeCode=other')).toBe(0)
  // The date of the run and not today's, which is another if the suite runs across midnight.
  const { runDate } = (await list()).body.items[0]
  expect(await find(`?from=${runDate}&to=${runDate}`)).toBe(1)
  expect(await find(`?from=${addDays(runDate, 1)}`)).toBe(0)
  expect(await find('?to=2020-01-01')).toBe(0)
  for (const query of ['?from=yesterday', '?to=2026-02-30', '?pageSize=0', '?month=1']) {
    const refused = await list(query)
    expect(refused.status, query).toBe(400)
    expect(refused.body.errors[0].parameter).toBe(query.slice(1).split('=')[0])
  }
  const ada = bank.token({ partyId: 'pty_ada' })
  const hers = await bank.rest('GET', '/v1/fee-runs', undefined, { token: ada })
  expect([hers.status, hers.body.items]).toEqual([200, []])
  const other = bank.token({ scopes: ['accounts:read'] })
  const refused = await bank.rest('GET', '/v1/fee-runs', undefined, { token: other })
  expect([refused.status, refused.body.scope]).toEqual([403, 'fees:read'])
})

test('runs fees by itself when the clock passes two month ends, and waives them for a high balance', async () => {
  const to = new Date(bank.bank.now())
  to.setUTCMonth(to.getUTCMonth() + 2, 2)
  const { body } = await bank.graph(
    `mutation ($to: DateTime!) { advanceClock(to: $to) { clockAdvance { clockAdvanceId } } }`,
    { to: to.toISOString() },
  )
  expect(body.errors).toBeUndefined()
  const { clockAdvanceId } = body.data.advanceClock.clockAdvance
  await eventually(async () => {
    const query = `{ clockAdvance(clockAdvanceId: "${clockAdvanceId}") { status } }`
    return (await bank.graph(query)).body.data.clockAdvance.status === 'COMPLETED'
  })
  const { items: runs } = (await list('?status=completed')).body
  expect(runs.map(({ runType, counts }: any) => [runType, counts.charged, counts.waived])).toEqual([
    ['manual', 2, 0],
    ['periodic', 0, 0],
    ['periodic', 1, 1],
  ])
  const charges = await eventually(async () => {
    const { rows } = await bank.bank.pool.query(
      "select parties from kernel.event where type = 'pricing.fee.charged' and subject = 'fee/arr_grace_current'",
    )
    return rows.length === 2 && rows
  })
  expect(charges).toEqual([{ parties: ['pty_grace'] }, { parties: ['pty_grace'] }])
})
