import { expect, test } from 'vitest'
import { aLender, aLoan, fund, morningOf, opened, payBack, quoteOf } from './facility-kit.ts'

test('a paid-off loan shows every installment as paid, the last one on the day of the payoff', async () => {
  const bank = await aLender()
  const { facilityId } = await opened(bank, aLoan())
  await morningOf(bank, '2026-04-03')
  await fund(bank, 'arr_grace', 2_000_000n)
  const { total } = await quoteOf(bank, facilityId)
  const input = { facilityId, amount: total.amount, sourceArrangementId: 'arr_grace' }
  expect((await payBack(bank, input)).errors).toEqual([])
  const { data } = await bank.execute(
    'query ($id: ID!) { facility(facilityId: $id) { state schedule { status paid payment paidOn } } }',
    { id: facilityId },
  )
  expect(data.facility.state).toBe('PAID_OFF')
  const { schedule } = data.facility
  expect(schedule.map(({ status }: { status: string }) => status)).toEqual(['PAID', 'PAID'])
  expect(schedule[1]).toMatchObject({ paid: schedule[1].payment, paidOn: '2026-04-03' })
  await bank.drop()
})
