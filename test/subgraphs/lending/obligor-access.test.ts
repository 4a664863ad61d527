/** What co-borrowers, guarantors and strangers see of a loan, and what they may do. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { ada, findings, fund, grace, morningOf, payBack, publish } from './facility-kit.ts'
import {
  aCoBorrower,
  added,
  aGuarantor,
  aLenderWithParties,
  aLoanOfAda,
  codeOf,
  joe,
  obligorOf,
  stranger,
} from './obligor-kit.ts'

let bank: RunningSubgraph
let facilityId: string
beforeAll(async () => {
  bank = await aLenderWithParties()
})
afterAll(() => bank.drop())
beforeEach(async () => {
  facilityId = await aLoanOfAda(bank)
})
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

describe('what the parties see', () => {
  const fields = `facilityId obligors { nodes { party { partyId } guaranteed { amount } } }
    repayments { nodes { amount { amount } } } drawdowns { nodes { drawdownId } }
    promisesToPay { nodes { status } } openPromiseToPay { status }
    schedule { number } statement(from: "2026-04-01", to: "2026-04-30") { movements { kind } }`
  const read = async (caller: Caller) => {
    const { data, errors } = await bank.execute(
      `query ($id: ID!) { loan(loanId: $id) { loanId } facility(facilityId: $id) { ${fields} } }`,
      { id: facilityId },
      { caller },
    )
    return { ...data, codes: errors.map(({ extensions }: any) => extensions.code) }
  }

  test('a co-borrower reads the loan and repays it, and changes nothing else', async () => {
    await added(bank, aCoBorrower(facilityId))
    await added(bank, aGuarantor(facilityId))
    await fund(bank, 'arr_grace', 200_000n)
    const input = { facilityId, amount: '100.00', sourceArrangementId: 'arr_grace' }
    const { data, errors } = await payBack(bank, input, { caller: grace })
    expect(errors).toEqual([])
    const seen = await read(grace)
    expect(seen.codes).toEqual([])
    const { facility } = seen
    expect(facility.repayments.nodes).toEqual([{ amount: { amount: '100.00' } }])
    // Only its own obligation, and no drawdowns of the borrower.
    expect(facility.obligors.nodes.map(({ party }: any) => party.partyId)).toEqual(['pty_grace'])
    expect(facility.drawdowns.nodes).toEqual([])
    const asBorrower = (await read(ada)).facility
    expect(facility.statement).toEqual(asBorrower.statement)
    expect(facility.schedule).toEqual(asBorrower.schedule)
    expect(asBorrower.obligors.nodes).toHaveLength(2)
    const id = data.repayment.repaymentId
    for (const caller of [ada, grace]) {
      const query = 'query ($id: ID!) { repayment(repaymentId: $id) { repaymentId } }'
      const { data: found } = await bank.execute(query, { id }, { caller })
      expect(found.repayment).toEqual({ repaymentId: id })
    }
    for (const [type, text] of [
      ['CreateDrawdownInput', 'createDrawdown(input: $input) { drawdownId }'],
      ['CreateExtraPaymentInput', 'createExtraPayment(input: $input) { extraPaymentId }'],
      ['CreatePaymentHolidayInput', 'createPaymentHoliday(input: $input) { paymentHolidayId }'],
    ] as const) {
      const requests: Record<string, object> = {
        CreateDrawdownInput: {
          facilityId,
          amount: '1.00',
          destination: { arrangementId: 'arr_grace' },
        },
        CreateExtraPaymentInput: { facilityId, amount: '1.00', sourceArrangementId: 'arr_grace' },
        CreatePaymentHolidayInput: { facilityId, startDate: '2026-06-01' },
      }
      const answer = await bank.execute(
        `mutation ($input: ${type}!) { ${text} }`,
        { input: requests[type] },
        { caller: grace },
      )
      expect([type, codeOf(answer)]).toEqual([type, 'FACILITY_NOT_FOUND'])
    }
    const foreign = { ...input, sourceArrangementId: 'arr_ada' }
    expect(codeOf(await payBack(bank, foreign, { caller: grace }))).toBe('ARRANGEMENT_NOT_FOUND')
  })

  test('a co-borrower who is deceased cannot repay, but the borrower can', async () => {
    await added(bank, aCoBorrower(facilityId))
    const input = { facilityId, amount: '1.00', sourceArrangementId: 'arr_grace' }
    const publishAs = (status: string) => publish(bank, 'party/pty_grace', { status })
    await publishAs('deceased')
    expect(codeOf(await payBack(bank, input, { caller: grace }))).toBe('PARTY_DECEASED')
    await fund(bank, 'arr_ada', 100n)
    const own = { ...input, sourceArrangementId: 'arr_ada' }
    expect((await payBack(bank, own, { caller: ada })).errors).toEqual([])
    await publishAs('active')
  })

  test('a guarantor reads its guarantee and not the loan, a stranger nothing', async () => {
    const { obligorId } = await added(bank, aGuarantor(facilityId, { percentage: '50' }))
    await added(bank, aCoBorrower(facilityId))
    const own = await obligorOf(bank, obligorId, { caller: joe })
    expect(own).toMatchObject({ facility: null, guaranteed: { amount: '5000.00' } })
    for (const caller of [joe, stranger]) {
      const { facility, loan, codes } = await read(caller)
      expect([facility, loan, codes]).toEqual([null, null, []])
      expect(
        codeOf(
          await payBack(
            bank,
            { facilityId, amount: '1.00', sourceArrangementId: 'arr_joe' },
            { caller },
          ),
        ),
      ).toBe('FACILITY_NOT_FOUND')
    }
    expect(await obligorOf(bank, obligorId, { caller: stranger })).toBeNull()
    expect(await obligorOf(bank, obligorId, { caller: grace })).toBeNull()
    expect((await obligorOf(bank, obligorId, { caller: ada })).obligorId).toBe(obligorId)
  })

  test('the obligations of a party are listed in pages, to the party and to the bank', async () => {
    const first = await added(bank, aGuarantor(facilityId))
    const second = await added(bank, aGuarantor(await aLoanOfAda(bank)))
    const list = async (caller: Caller, after: string | null = null) => {
      const { data } = await bank.execute(
        `query ($r: [_Any!]!, $after: String) { _entities(representations: $r) { ... on Party {
          obligations(first: 100, after: $after) { nodes { obligorId } } } } }`,
        { r: [{ __typename: 'Party', partyId: 'pty_joe' }], after },
        { caller },
      )
      return data._entities[0].obligations.nodes.map(({ obligorId }: any) => obligorId)
    }
    const ids = [first.obligorId, second.obligorId]
    expect(await list(joe)).toEqual(expect.arrayContaining(ids))
    expect(await list(employee)).toEqual(await list(joe))
    expect(await list(stranger)).toEqual([])
  })

  test('events about arrears go to co-borrowers, and not to guarantors', async () => {
    await added(bank, aCoBorrower(facilityId))
    await added(bank, aGuarantor(facilityId))
    await morningOf(bank, '2026-06-20')
    const events = await bank.rows(
      "select type, parties from kernel.event where subject = $1 and type ~ 'arrears|delinquency'",
      [`facility/${facilityId}`],
    )
    expect(events.length).toBeGreaterThanOrEqual(2)
    for (const { parties } of events) expect(parties.toSorted()).toEqual(['pty_ada', 'pty_grace'])
  })
})
