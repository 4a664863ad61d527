/** Co-borrowers and guarantors: how they are added, released and shown. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  eur,
  eventsOf,
  facilityOf,
  findings,
  grace,
  morningOf,
  payBack,
  quoteOf,
  runOnce,
} from './facility-kit.ts'
import { sequenced } from '../interest/kit.ts'
import {
  aCoBorrower,
  add,
  added,
  aGuarantor,
  aLenderWithParties,
  aLoanOfAda,
  codeOf,
  decide,
  joe,
  manager,
  obligorOf,
  pointersOf,
  propose,
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

const releasedThrough = async (id: string) => {
  expect((await propose(bank, id)).errors).toEqual([])
  expect((await decide(bank, 'approve', id)).errors).toEqual([])
}

describe('an obligor', () => {
  test('that borrows together with the borrower is liable for everything', async () => {
    const { obligorId, ...obligor } = await added(bank, aCoBorrower(facilityId))
    expect(obligor).toMatchObject({
      role: 'CO_BORROWER',
      status: 'ACTIVE',
      addedBy: employee.subject,
      party: { partyId: 'pty_grace' },
      facility: { facilityId },
      amount: null,
      percentage: null,
      guaranteed: { amount: '12000.00', currency: 'EUR' },
    })
    expect(await eventsOf(bank, `obligor/${obligorId}`)).toEqual(['obligor-added'])
    const [event] = await bank.rows('select parties from kernel.event where subject = $1', [
      `obligor/${obligorId}`,
    ])
    expect(event!['parties'].toSorted()).toEqual(['pty_ada', 'pty_grace'])
  })

  test.each([
    ['an amount', { amount: '5000.00' }, '5000.00'],
    ['an amount above the debt', { amount: eur('50000.00') }, '12000.00'],
    ['a percentage', { amount: null, percentage: '33.3333' }, '3999.99'],
    ['the lower of both', { amount: '5000.00', percentage: '40' }, '4800.00'],
    ['everything', { amount: null, percentage: '100' }, '12000.00'],
  ])('that guarantees is liable for %s', async (_, terms, amount) => {
    const { guaranteed } = await added(bank, aGuarantor(facilityId, terms))
    expect(guaranteed).toEqual({ amount, currency: 'EUR' })
  })

  test('that guarantees until a day is liable through this day', async () => {
    const today = bank.bank.now().toISOString().slice(0, 10)
    const { obligorId } = await added(bank, aGuarantor(facilityId, { validUntil: today }))
    expect((await obligorOf(bank, obligorId)).guaranteed.amount).toBe('5000.00')
    await morningOf(bank, '2026-04-10')
    expect((await obligorOf(bank, obligorId)).guaranteed.amount).toBe('0.00')
    while ((await runOnce(bank, 'lending.end-obligors')) > 0);
    expect((await obligorOf(bank, obligorId)).status).toBe('ENDED')
    expect(await eventsOf(bank, `obligor/${obligorId}`)).toEqual(['obligor-added', 'obligor-ended'])
  })

  test('that cannot be ended does not hold up the others', async () => {
    const validUntil = bank.bank.now().toISOString().slice(0, 10)
    const first = { validUntil, obligorId: 'obl_blocked' }
    await added(bank, aGuarantor(facilityId, first))
    const { obligorId } = await added(bank, aGuarantor(await aLoanOfAda(bank), { validUntil }))
    await bank.rows(`alter table lending.facility_obligor add constraint blocked
      check (obligor_id <> 'obl_blocked' or status <> 'ended')`)
    await morningOf(bank, addDays(validUntil, 1))
    expect(await runOnce(bank, 'lending.end-obligors')).toBe(1)
    expect((await obligorOf(bank, obligorId)).status).toBe('ENDED')
    expect((await obligorOf(bank, 'obl_blocked')).status).toBe('ACTIVE')
    await bank.rows('alter table lending.facility_obligor drop constraint blocked')
    expect(await runOnce(bank, 'lending.end-obligors')).toBe(1)
    expect((await obligorOf(bank, 'obl_blocked')).status).toBe('ENDED')
  })

  test.each([
    ['the borrower', { partyId: 'pty_ada' }, 'OBLIGOR_IS_BORROWER'],
    ['an unknown party', { partyId: 'pty_none' }, 'PARTY_NOT_FOUND'],
    ['a deceased party', { partyId: 'pty_dead' }, 'PARTY_DECEASED'],
    ['a closed party', { partyId: 'pty_closed' }, 'PARTY_NOT_ACTIVE'],
    [
      'an amount in another currency',
      { amount: { amount: '1.00', currency: 'USD' } },
      'CURRENCY_MISMATCH',
    ],
    ['an unknown facility', { facilityId: 'loan_none' }, 'FACILITY_NOT_FOUND'],
  ])('is rejected for %s', async (_, more, code) => {
    expect(codeOf(await add(bank, aGuarantor(facilityId, more)))).toBe(code)
  })

  test('is rejected with every term that does not fit the role', async () => {
    const wrong = {
      amount: '0.00',
      percentage: '100.0001',
      validUntil: '2020-01-01',
      documentId: null,
    }
    expect(pointersOf(await add(bank, aGuarantor(facilityId, wrong)))).toEqual([
      '/amount OUT_OF_RANGE',
      '/percentage OUT_OF_RANGE',
      '/validUntil OUT_OF_RANGE',
      '/documentId REQUIRED',
    ])
    const unlimited = { amount: null, percentage: null }
    expect(pointersOf(await add(bank, aGuarantor(facilityId, unlimited)))).toEqual([
      '/amount REQUIRED',
    ])
    expect(pointersOf(await add(bank, aCoBorrower(facilityId, { percentage: '50' })))).toEqual([
      '/percentage NOT_ALLOWED',
    ])
  })

  test('is added once, and again after its release', async () => {
    const { obligorId } = await added(bank, aGuarantor(facilityId))
    const again = await add(bank, aCoBorrower(facilityId, { partyId: 'pty_joe' }))
    expect([codeOf(again), again.errors[0]!.extensions!['resourceId']]).toEqual([
      'RESOURCE_EXISTS',
      obligorId,
    ])
    await releasedThrough(obligorId)
    expect((await added(bank, aGuarantor(facilityId))).status).toBe('ACTIVE')
  })

  test('is added once by requests that arrive together', async () => {
    const requests = [1, 2, 3].map(() => add(bank, aGuarantor(facilityId)))
    const codes = (await Promise.all(requests)).map((answer) => codeOf(answer) ?? 'done')
    expect(codes.toSorted()).toEqual(['RESOURCE_EXISTS', 'RESOURCE_EXISTS', 'done'])
  })

  test('is added and released only by the bank', async () => {
    for (const caller of [ada, grace, joe]) {
      expect(codeOf(await add(bank, aGuarantor(facilityId), { caller }))).toBe(
        'NOT_FOR_DELEGATED_USERS',
      )
    }
    const { obligorId } = await added(bank, aGuarantor(facilityId))
    for (const caller of [ada, joe]) {
      const code = 'NOT_FOR_DELEGATED_USERS'
      expect(codeOf(await propose(bank, obligorId, { caller }))).toBe(code)
      expect(codeOf(await decide(bank, 'approve', obligorId, { caller }))).toBe(code)
    }
  })
})

describe('a release', () => {
  test('takes two people, and ends what the obligor may read', async () => {
    const { obligorId } = await added(bank, aCoBorrower(facilityId))
    expect(codeOf(await decide(bank, 'approve', obligorId))).toBe('INVALID_STATE_TRANSITION')
    expect((await propose(bank, obligorId)).data.it.status).toBe('RELEASE_PROPOSED')
    const same = await decide(bank, 'approve', obligorId, { caller: employee })
    expect(codeOf(same)).toBe('SEGREGATION_OF_DUTIES')
    expect((await obligorOf(bank, obligorId)).guaranteed.amount).toBe('12000.00')
    expect(await facilityOf(bank, facilityId, { caller: grace })).not.toBeNull()
    expect((await decide(bank, 'approve', obligorId)).data.it.status).toBe('RELEASED')
    expect(await obligorOf(bank, obligorId)).toMatchObject({
      status: 'RELEASED',
      guaranteed: { amount: '0.00' },
      releaseReason: 'The loan is secured',
      releaseProposedBy: employee.subject,
      releaseDecidedBy: manager.subject,
    })
    expect(await facilityOf(bank, facilityId, { caller: grace })).toBeNull()
    expect(codeOf(await decide(bank, 'approve', 'obl_none'))).toBe('OBLIGOR_NOT_FOUND')
  })

  test('that is considered or rejected is not shown to the parties', async () => {
    const { obligorId } = await added(bank, aGuarantor(facilityId))
    await propose(bank, obligorId)
    const seen = await obligorOf(bank, obligorId, { caller: joe })
    expect([seen.status, seen.releaseReason, seen.releaseProposedBy, seen.addedBy]).toEqual([
      'ACTIVE',
      null,
      null,
      null,
    ])
    expect((await decide(bank, 'reject', obligorId)).data.it.status).toBe('ACTIVE')
    const events = await bank.rows(
      'select type, parties from kernel.event where subject = $1 order by position',
      [`obligor/${obligorId}`],
    )
    expect(events.map(({ type, parties }) => [type, parties.length])).toEqual([
      ['lending.facility.obligor-added', 2],
      ['lending.facility.obligor-release-proposed', 0],
      ['lending.facility.obligor-release-rejected', 0],
    ])
  })
})

test('nothing of what was charged off is guaranteed', async () => {
  const guarantor = await added(bank, aGuarantor(facilityId))
  const coBorrower = await added(bank, aCoBorrower(facilityId))
  const proposal = await bank.execute(
    `mutation ($id: ID!) { loss: proposeFacilityLoss(input: {
      facilityId: $id, action: CHARGE_OFF, reason: "Insolvent" }) { lossProposalId } }`,
    { id: facilityId },
    { caller: employee },
  )
  const { data } = await bank.execute(
    'mutation ($id: ID!) { loss: approveFacilityLoss(lossProposalId: $id) { facility { state } } }',
    { id: proposal.data.loss.lossProposalId },
    { caller: manager },
  )
  expect(data.loss.facility.state).toBe('CHARGED_OFF')
  for (const { obligorId } of [guarantor, coBorrower]) {
    const { status, guaranteed } = await obligorOf(bank, obligorId)
    expect([status, guaranteed.amount]).toEqual(['ACTIVE', '0.00'])
  }
})

describe('a facility that ends', () => {
  test('ends its obligors and gets no others', async () => {
    const { obligorId } = await added(bank, aGuarantor(facilityId))
    const { total } = await quoteOf(bank, facilityId)
    await payBack(bank, { facilityId, amount: total.amount })
    expect((await obligorOf(bank, obligorId)).guaranteed.amount).toBe('0.00')
    expect(codeOf(await add(bank, aCoBorrower(facilityId)))).toBe('STATE_CONFLICT')
    await propose(bank, obligorId)
    expect(codeOf(await decide(bank, 'approve', obligorId))).toBe('STATE_CONFLICT')
    await sequenced(bank)
    while ((await runOnce(bank, 'lending.end-obligors')) > 0);
    expect((await obligorOf(bank, obligorId)).status).toBe('ENDED')
    expect((await eventsOf(bank, `obligor/${obligorId}`)).at(-1)).toBe('obligor-ended')
    const [fact] = await bank.rows('select data from kernel.fact where subject = $1', [
      `obligor/${obligorId}`,
    ])
    expect(fact!['data']).toMatchObject({ partyId: 'pty_joe', lifecycle: 'ended' })
  })
})
