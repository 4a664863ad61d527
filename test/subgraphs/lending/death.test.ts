import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  runDrawdownMutation,
  aLender,
  aLimit,
  aLoan,
  draw,
  facilityOf,
  findings,
  fund,
  morningOf,
  open,
  opened,
  payBack,
  publish,
  runOnce,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(() => bank.drop())

test('rejects new credit and drawdowns after the borrower’s death, and accepts repayments', async () => {
  const { facilityId: loan } = await opened(bank, aLoan())
  const { facilityId: limit } = await opened(bank, aLimit())
  const { facilityId: approved } = await opened(bank, aLimit({ isApprovalRequired: true }))
  const waiting = (await draw(bank, { facilityId: approved, amount: '10.00' })).data.drawdown
  const later = { facilityId: limit, amount: '20.00', valueDate: '2026-03-03' }
  const planned = (await draw(bank, later)).data.drawdown
  const death = { status: 'deceased', deathRecordedAt: '2026-03-02T10:00:00.000Z' }
  await publish(bank, 'party/pty_ada', { partyId: 'pty_ada', ...death })

  expect((await open(bank, aLoan())).code).toBe('PARTY_DECEASED')
  expect((await draw(bank, { facilityId: limit, amount: '1.00' })).code).toBe('PARTY_DECEASED')
  expect((await runDrawdownMutation(bank, 'approveDrawdown', waiting.drawdownId)).code).toBe(
    'PARTY_DECEASED',
  )
  bank.clock.set('2026-03-03T09:00:00Z')
  await runOnce(bank, 'lending.execute-drawdowns')
  const { data } = await bank.execute(
    'query ($id: ID!) { drawdown(drawdownId: $id) { status reasonCode } }',
    { id: planned.drawdownId },
  )
  expect(data.drawdown).toEqual({ status: 'CANCELLED', reasonCode: 'PARTY_DECEASED' })

  expect((await payBack(bank, { facilityId: loan, amount: '100.00' })).errors).toEqual([])
  await fund(bank, 'arr_ada', 500_000n)
  await morningOf(bank, '2026-04-03')
  expect((await facilityOf(bank, loan)).state).toBe('ACTIVE')
  expect(await findings(bank)).toEqual([])
})
