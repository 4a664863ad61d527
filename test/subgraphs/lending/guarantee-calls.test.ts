/** Guarantees that are called: the amount, what the guarantor may do, and what counts. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { callGuarantee } from '../../../subgraphs/lending/commands/obligors/guarantee-call.ts'
import { endObligor } from '../../../subgraphs/lending/commands/obligors/end-obligors.ts'
import { interrupted } from '../../kit/interrupted.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  eventsOf,
  facilityOf,
  findings,
  fund,
  grace,
  morningOf,
  payBack,
  quoteOf,
  runOnce,
  withdraw,
} from './facility-kit.ts'
import { sequenced } from '../interest/kit.ts'
import {
  aCoBorrower,
  added,
  aGuarantor,
  aLenderWithParties,
  aLoanOfAda,
  call,
  called,
  callOf,
  codeOf,
  decide,
  joe,
  obligorOf,
  propose,
  stranger,
  withdrawCall,
} from './obligor-kit.ts'

let bank: RunningSubgraph
let facilityId: string
let obligorId: string
let today: string
beforeAll(async () => {
  bank = await aLenderWithParties()
  await fund(bank, 'arr_joe', 10_000_000n)
})
afterAll(() => bank.drop())
beforeEach(async () => {
  facilityId = await aLoanOfAda(bank)
  ;({ obligorId } = await added(bank, aGuarantor(facilityId, { amount: '500.00' })))
})
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

/** Moves the clock to a day on which the first installments are past due. */
async function whenLate() {
  today = addDays(bank.bank.now().toISOString().slice(0, 10), 40)
  await morningOf(bank, today)
}
const aCall = (more: object = {}) => ({
  obligorId,
  amount: '300.00',
  dueOn: addDays(today, 14),
  ...more,
})
const pays = (amount: string, options: object = { caller: joe }) => {
  const input = { facilityId, amount, sourceArrangementId: 'arr_joe' }
  return payBack(bank, input, options)
}
async function paid(amount: string): Promise<string> {
  const { data, errors } = await pays(amount)
  expect(errors).toEqual([])
  // Payments and calls are ordered by their times.
  bank.clock.advance(1_000)
  return data.repayment.repaymentId
}
const receivedOn = async (id: string) => (await callOf(bank, id)).received.amount
const leftOf = async () => (await obligorOf(bank, obligorId)).guaranteed.amount

describe('a call', () => {
  test('opens the loan to the guarantor, who pays from its account', async () => {
    await whenLate()
    expect(codeOf(await pays('1.00'))).toBe('FACILITY_NOT_FOUND')
    const { guaranteeCallId: id, ...made } = await called(bank, aCall())
    expect(made).toMatchObject({
      status: 'OPEN',
      dueOn: addDays(today, 14),
      amount: { amount: '300.00' },
      received: { amount: '0.00' },
      obligor: { obligorId, guaranteed: { amount: '500.00' } },
    })
    expect((await callOf(bank, id, { caller: joe })).amount.amount).toBe('300.00')
    expect((await facilityOf(bank, facilityId, { caller: joe })).facilityId).toBe(facilityId)
    bank.clock.advance(1_000)
    await paid('100.00')
    expect([await receivedOn(id), await leftOf()]).toEqual(['100.00', '400.00'])
    const last = await paid('250.00')
    // 50.00 more than called.
    expect([await receivedOn(id), await leftOf()]).toEqual(['300.00', '200.00'])
    await withdraw(bank, last)
    expect([await receivedOn(id), await leftOf()]).toEqual(['100.00', '400.00'])
    expect(await eventsOf(bank, `guarantee-call/${id}`)).toEqual(['made'])
    const [event] = await bank.rows('select parties from kernel.event where subject = $1', [
      `guarantee-call/${id}`,
    ])
    expect(event!['parties'].toSorted()).toEqual(['pty_ada', 'pty_joe'])
  })

  test('counts neither payments of others nor those from before', async () => {
    await whenLate()
    await pays('10.00', { caller: employee })
    bank.clock.advance(1_000)
    const { guaranteeCallId: id } = await called(bank, aCall())
    bank.clock.advance(1_000)
    await payBack(bank, { facilityId, amount: '20.00' })
    await fund(bank, 'arr_ada', 100_000n)
    await payBack(bank, { facilityId, amount: '20.00', sourceArrangementId: 'arr_ada' })
    expect(await receivedOn(id)).toBe('0.00')
    // The bank may debit the account of the guarantor as well.
    await pays('30.00', { caller: employee })
    expect(await receivedOn(id)).toBe('30.00')
  })

  test('requires no more than what is left of the guarantee', async () => {
    await whenLate()
    expect(codeOf(await call(bank, aCall({ amount: '500.01' })))).toBe('EXCEEDS_GUARANTEE')
    await called(bank, aCall())
    expect(codeOf(await call(bank, aCall({ amount: '200.01' })))).toBe('EXCEEDS_GUARANTEE')
    bank.clock.advance(1_000)
    await paid('300.00')
    expect(codeOf(await call(bank, aCall({ amount: '200.01' })))).toBe('EXCEEDS_GUARANTEE')
    await called(bank, aCall({ amount: '200.00' }))
    expect(codeOf(await call(bank, aCall({ amount: '0.01' })))).toBe('EXCEEDS_GUARANTEE')
  })

  test('is made once by requests that arrive together', async () => {
    await whenLate()
    const requests = [1, 2, 3].map(() => call(bank, aCall()))
    const codes = (await Promise.all(requests)).map((answer) => codeOf(answer) ?? 'done')
    expect(codes.toSorted()).toEqual(['EXCEEDS_GUARANTEE', 'EXCEEDS_GUARANTEE', 'done'])
  })

  test('is rejected if the guarantee ends before the commit', async () => {
    await whenLate()
    const end = () => endObligor(bankContext(bank.bank), obligorId)
    const context = interrupted(bank.bank, end, employee)
    const request = aCall({ guaranteeCallId: null, amount: { amount: '300.00' } })
    await expect(callGuarantee(context, request as never)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    })
    expect(await facilityOf(bank, facilityId, { caller: joe })).toBeNull()
  })

  test('is rejected if nothing is due, or for what is no guarantee', async () => {
    today = bank.bank.now().toISOString().slice(0, 10)
    expect(codeOf(await call(bank, aCall()))).toBe('NOTHING_DUE')
    await whenLate()
    const coBorrower = await added(bank, aCoBorrower(facilityId))
    for (const [more, code] of [
      [{ obligorId: coBorrower.obligorId }, 'STATE_CONFLICT'],
      [{ obligorId: 'obl_none' }, 'OBLIGOR_NOT_FOUND'],
      [{ amount: '0.00' }, 'INVALID_AMOUNT'],
      [{ amount: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
      [{ dueOn: addDays(today, -1) }, 'INVALID_PAYMENT_DATE'],
    ] as const) {
      expect([more, codeOf(await call(bank, aCall(more)))]).toEqual([more, code])
    }
    for (const caller of [ada, joe]) {
      expect(codeOf(await call(bank, aCall(), { caller }))).toBe('NOT_FOR_DELEGATED_USERS')
    }
  })

  test('that is withdrawn closes the loan to the guarantor', async () => {
    await whenLate()
    const { guaranteeCallId: id } = await called(bank, aCall())
    const other = await called(bank, aCall({ amount: '100.00' }))
    bank.clock.advance(1_000)
    await paid('50.00')
    expect((await withdrawCall(bank, id)).data.it.status).toBe('WITHDRAWN')
    expect(await facilityOf(bank, facilityId, { caller: joe })).not.toBeNull()
    expect((await withdrawCall(bank, other.guaranteeCallId)).errors).toEqual([])
    expect(await facilityOf(bank, facilityId, { caller: joe })).toBeNull()
    expect([await receivedOn(id), await leftOf()]).toEqual(['50.00', '450.00'])
    expect(codeOf(await withdrawCall(bank, id))).toBe('INVALID_STATE_TRANSITION')
    expect(codeOf(await withdrawCall(bank, 'gcl_none'))).toBe('GUARANTEE_CALL_NOT_FOUND')
  })

  test('is withdrawn when the facility ends', async () => {
    await whenLate()
    const { guaranteeCallId: id } = await called(bank, aCall())
    const { total } = await quoteOf(bank, facilityId)
    await payBack(bank, { facilityId, amount: total.amount })
    await sequenced(bank)
    while ((await runOnce(bank, 'lending.end-obligors')) > 0);
    expect((await obligorOf(bank, obligorId)).status).toBe('ENDED')
    expect((await callOf(bank, id, { caller: joe })).status).toBe('WITHDRAWN')
    expect(await eventsOf(bank, `guarantee-call/${id}`)).toEqual(['made', 'withdrawn'])
  })

  test('ends with the release of the guarantor', async () => {
    await whenLate()
    const { guaranteeCallId: id } = await called(bank, aCall())
    await propose(bank, obligorId)
    await decide(bank, 'approve', obligorId)
    expect(await facilityOf(bank, facilityId, { caller: joe })).toBeNull()
    expect(codeOf(await call(bank, aCall({ amount: '1.00' })))).toBe('STATE_CONFLICT')
    bank.clock.advance(1_000)
    const again = await added(bank, aGuarantor(facilityId, { amount: '80.00' }))
    const second = await called(bank, aCall({ obligorId: again.obligorId, amount: '80.00' }))
    bank.clock.advance(1_000)
    // The first call required nothing any more, so it takes nothing from the new guarantee.
    expect((await callOf(bank, id, { caller: joe })).status).toBe('WITHDRAWN')
    expect(await eventsOf(bank, `guarantee-call/${id}`)).toEqual(['made', 'withdrawn'])
    expect(codeOf(await withdrawCall(bank, id))).toBe('INVALID_STATE_TRANSITION')
    expect(await facilityOf(bank, facilityId, { caller: joe })).not.toBeNull()
    await paid('80.00')
    expect([await receivedOn(id), await receivedOn(second.guaranteeCallId)]).toEqual([
      '0.00',
      '80.00',
    ])
  })

  test('is hidden from everybody but the guarantor and the borrower', async () => {
    await whenLate()
    const { guaranteeCallId: id } = await called(bank, aCall())
    await added(bank, aCoBorrower(facilityId))
    for (const caller of [stranger, grace]) expect(await callOf(bank, id, { caller })).toBeNull()
    expect((await callOf(bank, id, { caller: ada })).guaranteeCallId).toBe(id)
    const query = `query ($id: ID!) { facility(facilityId: $id) { obligors { nodes { obligorId } } } }`
    const { data } = await bank.execute(query, { id: facilityId }, { caller: joe })
    expect(data.facility.obligors.nodes).toEqual([{ obligorId }])
  })
})
