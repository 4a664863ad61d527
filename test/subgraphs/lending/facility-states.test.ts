import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facilityMoves, facilityStates } from '../../../subgraphs/lending/domain/facility.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLoan,
  booked,
  facilityOf,
  findings,
  morningOf,
  opened,
  payBack,
  toldOf,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(() => bank.drop())

const chargeOff = 'chargeOffFacility(facilityId: $id)'
const writeOff = 'writeOffFacility(facilityId: $id)'
const recover = 'recoverFacility(input: { facilityId: $id, amount: "100.00" })'
const act = (document: string, id: string, options: object = {}) =>
  bank.execute(`mutation ($id: ID!) { facility: ${document} { state } }`, { id }, options)

const commands = { [chargeOff]: 'charged-off', [writeOff]: 'written-off', [recover]: 'recovered' }
let serial = 0

describe('losses', () => {
  test.each(
    facilityStates.flatMap((state) =>
      Object.entries(commands).map(([document, to]) => [state, to, document] as const),
    ),
  )('from %s to %s', async (state, to, document) => {
    const facilityId = `loan_state_${++serial}`
    await opened(bank, aLoan({ facilityId }))
    await bank.rows(
      'update lending.facility set state = $2, charged_off_minor = 10000 where facility_id = $1',
      [facilityId, state],
    )
    const told = (await bank.events()).length
    const rows = await bank.rows('select count(*) from ledger.entry')
    const answer = await act(document, facilityId)
    const isLegal = (facilityMoves[state] as readonly string[]).includes(to)
    if (isLegal) {
      expect(answer.errors).toEqual([])
      expect((await toldOf(bank, `facility/${facilityId}`)).at(-1)).toBe(to)
      return
    }
    expect(answer.errors[0]!.extensions).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      currentState: state,
      allowedStates: facilityMoves[state],
    })
    expect((await bank.events()).length).toBe(told)
    expect(await bank.rows('select count(*) from ledger.entry')).toEqual(rows)
    expect((await facilityOf(bank, facilityId)).state).toBe(state.toUpperCase().replace('-', '_'))
  })

  test.each(facilityStates)('a facility that is %s is repaid, or refuses', async (state) => {
    const facilityId = `loan_pay_${state}`
    await opened(bank, aLoan({ facilityId }))
    const late = state === 'in-arrears'
    await bank.rows('update lending.facility set state = $2 where facility_id = $1', [
      facilityId,
      state,
    ])
    const answer = await payBack(bank, { facilityId, amount: '1.00' })
    if (state === 'active' || late) expect(answer.errors).toEqual([])
    else expect(answer.code).toBe('FACILITY_NOT_ACTIVE')
  })
})

test('what is charged off is off the books, and what comes back is less of a loss', async () => {
  const other = await aLender()
  const mutate = (document: string, options: object = {}) =>
    other.execute(`mutation { facility: ${document} { state } }`, {}, options)
  await opened(other, aLoan({ facilityId: 'loan_lost', settlementArrangementId: 'arr_ada' }))
  await morningOf(other, '2026-03-12')
  const lost = 'chargeOffFacility(facilityId: "loan_lost")'
  expect((await mutate(lost, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
  expect((await mutate(lost)).data.facility.state).toBe('CHARGED_OFF')
  expect(await booked(other, 'loan-losses/EUR')).toBe(1_200_000 + 1935)
  for (const address of ['principal', 'accrued', 'interest-due']) {
    expect(await booked(other, 'loan@loan_lost', address)).toBe(0)
  }
  const back = (amount: string) =>
    `recoverFacility(input: { facilityId: "loan_lost", amount: "${amount}", sourceArrangementId: "arr_ada" })`
  expect((await mutate(back('99999.00'))).code).toBe('EXCEEDS_PAYOFF_AMOUNT')
  expect((await mutate(back('0.00'))).code).toBe('INVALID_AMOUNT')
  expect((await mutate(back('500.00'))).data.facility.state).toBe('RECOVERED')
  expect(await booked(other, 'loan-losses/EUR')).toBe(1_200_000 + 1935 - 50_000)
  expect(await findings(other)).toEqual([])
  await morningOf(other, '2026-06-12')
  expect((await facilityOf(other, 'loan_lost')).state).toBe('RECOVERED')
  await other.drop()
})
