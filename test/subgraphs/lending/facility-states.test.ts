import { FacilityState } from '../../../subgraphs/lending/model/facilities/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facilityTransitions } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { aLender, aLoan, eur, facilityOf, opened, payBack, eventsOf } from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(() => bank.drop())

const chargeOff = 'chargeOffFacility(facilityId: $id, reason: "The borrower is bankrupt.")'
const writeOff = 'writeOffFacility(facilityId: $id, reason: "The estate has no assets.")'
const recover = 'recoverFacility(input: { facilityId: $id, amount: "100.00" })'
const mutate = (document: string, id: string, options: object = { caller: employee }) =>
  bank.execute(`mutation ($id: ID!) { facility: ${document} { state } }`, { id }, options)

const cancel = 'cancelFacility(facilityId: $id)'
const commands = {
  [chargeOff]: 'charged-off',
  [writeOff]: 'written-off',
  [recover]: 'recovered',
  [cancel]: 'cancelled',
}
let serial = 0

describe('facility state machine', () => {
  test.each(
    FacilityState.values.flatMap((state) =>
      Object.entries(commands).map(([document, to]) => [state, to, document] as const),
    ),
  )('transition from %s to %s succeeds or is rejected as defined', async (state, to, document) => {
    const facilityId = `loan_state_${++serial}`
    await opened(bank, aLoan({ facilityId, disburseAmount: eur('500.00') }))
    await bank.rows(
      'update lending.facility set state = $2, charged_off_minor = 10000 where facility_id = $1',
      [facilityId, state],
    )
    const eventCount = (await bank.events()).length
    const rows = await bank.rows('select count(*) from ledger.entry')
    const answer = await mutate(document, facilityId)
    const isLegal = (facilityTransitions[state] as readonly string[]).includes(to)
    if (isLegal) {
      expect(answer.errors).toEqual([])
      expect((await eventsOf(bank, `facility/${facilityId}`)).at(-1)).toBe(to)
      return
    }
    expect(answer.errors[0]!.extensions).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      currentState: state,
      allowedStates: facilityTransitions[state],
    })
    expect((await bank.events()).length).toBe(eventCount)
    expect(await bank.rows('select count(*) from ledger.entry')).toEqual(rows)
    expect((await facilityOf(bank, facilityId)).state).toBe(state.toUpperCase().replace('-', '_'))
  })

  test.each(FacilityState.values)(
    'repayment in state %s is accepted if active or in arrears, else rejected',
    async (state) => {
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
    },
  )
})
