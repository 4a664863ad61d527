/** Which commands a fee run accepts in which state. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { employee } from '../../kit/subgraph.ts'
import { accountFee, aFeeBank, aProduct, startRun, type FeeBank } from './fee-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
})
afterAll(() => bank.drop())

describe('fee run commands by state', () => {
  const statuses = {
    SCHEDULED: null,
    RUNNING: "status = 'running'",
    COMPLETED: "status = 'completed'",
    COMPLETED_WITH_ERRORS: "status = 'completed-with-errors'",
    FAILED: "status = 'failed'",
    REVERSED: "status = 'reversed'",
  }
  const actions = {
    reverseFeeRun: ['COMPLETED', 'COMPLETED_WITH_ERRORS'],
    resumeFeeRun: ['FAILED'],
  }
  const cases = Object.entries(actions).flatMap(([act, allowed]) =>
    Object.entries(statuses).map(
      ([status, change]) => [act, status, change, allowed.includes(status)] as const,
    ),
  )

  test.each(cases)(
    '%s in state %s is accepted or rejected',
    async (act, status, change, isAllowed) => {
      const product = await aProduct(bank, accountFee)
      const { feeRunId } = await startRun(bank, product)
      if (change) {
        await bank.rows(`update operations.fee_run set ${change} where fee_run_id = $1`, [feeRunId])
      }
      const count = async () =>
        (await bank.rows('select count(*)::int as runs from operations.fee_run'))[0]
      const [runs, events] = [await count(), (await bank.events()).length]
      const done = bank.act(
        `mutation { ${act}(feeRunId: "${feeRunId}") { feeRunId } }`,
        {},
        employee,
      )
      if (isAllowed) await expect(done).resolves.toBeDefined()
      else {
        await expect(done).rejects.toMatchObject({
          code: 'INVALID_STATE_TRANSITION',
          members: {
            currentState: status.toLowerCase().replaceAll('_', '-'),
            allowedStates: expect.any(Array),
          },
        })
        expect([await count(), (await bank.events()).length]).toEqual([runs, events])
      }
      await bank.rows(
        "update operations.fee_run set status = 'failed' where status in ('scheduled', 'running')",
      )
    },
  )
})
