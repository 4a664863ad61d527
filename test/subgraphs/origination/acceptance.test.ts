import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  accepting,
  ada,
  applicationIn,
  bank,
  creating,
  day,
  deciding,
  tryMutation,
  expireOffers,
  good,
  grace,
  officer,
  openBank,
  read,
  row,
  runs,
  start,
  statusOf,
  submitting,
  eventTypesOf,
  unique,
  withCounterOffer,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())
beforeEach(() => bank.clock.set(start))

const problemOf = ({ errors }: { errors: readonly any[] }) => errors[0]?.extensions

describe('acceptance of terms', () => {
  test('stores the accepted terms, and sets a cooling-off period of 14 days', async () => {
    const id = await applicationIn('approved')
    const { termsHash } = (await read(id)).data.loanApplication
    bank.clock.advance(3600_000)
    const taken = good(
      await accepting(id, { acceptanceChannel: 'branch', signatureReference: 'sig_1' }),
    )
    expect(taken).toMatchObject({
      status: 'ACCEPTED',
      coolingOffEndsOn: '2026-03-16',
      acceptances: [
        {
          acceptedAt: '2026-03-02T10:00:00.000Z',
          acceptanceChannel: 'branch',
          signatureReference: 'sig_1',
          termsHash,
        },
      ],
    })
    expect((await eventTypesOf(id)).at(-1)).toBe('loan-application.accepted')
  })

  test('reports ALREADY_ACCEPTED for the same acceptance, and rejects a different one', async () => {
    const id = await applicationIn('approved')
    const body = { acceptedAt: start }
    const first = await accepting(id, body, { idempotencyKey: unique('key') })
    good(first)
    const before = await row(id)
    const again = await accepting(id, body, { idempotencyKey: unique('key') })
    expect(problemOf(again)).toMatchObject({
      code: 'ALREADY_ACCEPTED',
      currentState: 'accepted',
      allowedStates: ['booked'],
    })
    const other = await accepting(id, { ...body, acceptanceChannel: 'phone' })
    expect(other.code).toBe('INVALID_STATE_TRANSITION')
    expect(await row(id)).toEqual(before)
  })

  test.each<[string, string, string]>([
    ['a time more than 5 minutes ahead', '2026-03-02T09:05:00.001Z', 'ACCEPTED_AT_IN_FUTURE'],
    ['a time before the approval', '2026-03-02T08:59:59Z', 'ACCEPTED_BEFORE_APPROVAL'],
  ])('rejects %s', async (_name, acceptedAt, code) => {
    const id = await applicationIn('approved')
    const refused = problemOf(await accepting(id, { acceptedAt }))
    expect(refused).toMatchObject({ code, errors: [{ pointer: '/acceptedAt' }] })
    good(await accepting(id, { acceptedAt: '2026-03-02T09:05:00Z' }))
  })

  test('requires a signature if the product does', async () => {
    const declarations = [{ code: 'credit-bureau-check', accepted: true }]
    const id = await applicationIn('approved', { productId: 'prd_signed', declarations })
    expect(problemOf(await accepting(id))).toMatchObject({
      code: 'SIGNATURE_REQUIRED',
      errors: [{ pointer: '/signatureReference' }],
    })
    good(await accepting(id, { signatureReference: 'sig_2' }))
  })

  test('waits until every condition is fulfilled or waived', async () => {
    const id = await applicationIn('submitted')
    const conditions = [
      { code: 'payslip', description: 'The last payslip', dueBy: '2026-03-20' },
      { code: 'insurance' },
    ]
    good(await deciding(id, { outcome: 'approved', conditions }))
    const refused = problemOf(await accepting(id))
    expect(refused).toMatchObject({ code: 'CONDITIONS_NOT_MET', currentState: 'approved' })
    expect(refused.errors.map(({ detail }: any) => detail)).toEqual([
      'payslip: The last payslip',
      'insurance',
    ])
    const fulfill =
      'fulfillCondition(applicationId: $id, code: "payslip") { conditions { status } }'
    good(await tryMutation(fulfill, id))
    expect((await tryMutation(fulfill, id)).code).toBe('STATE_CONFLICT')
    expect((await accepting(id)).code).toBe('CONDITIONS_NOT_MET')
    const waived = good(
      await tryMutation(
        'waiveCondition(applicationId: $id, code: "insurance", note: "Covered.") { conditions { status } }',
        id,
        { caller: officer },
      ),
    )
    expect(waived.conditions).toEqual([{ status: 'FULFILLED' }, { status: 'WAIVED' }])
    good(await accepting(id))
  })
})

describe('expiry of an offer', () => {
  test('declines an application whose terms were not accepted in time, once', async () => {
    const id = await applicationIn('approved')
    bank.clock.advance(30 * day - 1)
    expect(await runs(expireOffers)).toBe(0)
    bank.clock.advance(1)
    expect((await accepting(id)).code).toBe('OFFER_EXPIRED')
    expect(await runs(expireOffers)).toBe(1)
    expect(await runs(expireOffers)).toBe(0)
    expect((await read(id)).data.loanApplication).toMatchObject({
      status: 'DECLINED',
      closureReason: 'EXPIRED',
      facilityId: null,
    })
    expect((await eventTypesOf(id)).slice(-2)).toEqual([
      'credit-application.declined',
      'loan-application.declined',
    ])
  })

  test('declines an unanswered counter-offer, but no accepted application or one in review', async () => {
    const offered = await withCounterOffer()
    const others = [await applicationIn('accepted'), await applicationIn('in-review')]
    bank.clock.advance(60 * day)
    expect(await runs(expireOffers)).toBe(1)
    expect(await statusOf(offered)).toBe('declined')
    expect(await Promise.all(others.map(statusOf))).toEqual(['accepted', 'in-review'])
  })
})

describe('delegated user of the applicant', () => {
  const asAda = { caller: ada }
  const asGrace = { caller: grace }
  const own = aCaller({
    partyId: 'pty_ada',
    scopes: ['credit:submit', 'loans:accept', 'lending:read'],
  })

  test('drafts, submits, accepts and withdraws only their own applications', async () => {
    expect((await creating({}, asGrace)).code).toBe('CUSTOMER_NOT_FOUND')
    expect((await creating({ decisionMode: 'AUTOMATED' }, asAda)).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const { applicationId: id } = good(await creating({}, { caller: own }))
    expect((await submitting(id, {}, asGrace)).code).toBe('APPLICATION_NOT_FOUND')
    const complete = { customerId: 'cus_ada', quoteId: 'quo_1' }
    expect((await submitting(unique('app'), complete, asGrace)).code).toBe('CUSTOMER_NOT_FOUND')
    good(await submitting(id, {}, { caller: own }))
    good(await deciding(id, { outcome: 'approved' }))
    expect((await accepting(id, {}, asGrace)).code).toBe('APPLICATION_NOT_FOUND')
    good(await accepting(id, {}, { caller: own }))
    const other = await applicationIn('submitted')
    const withdraw = 'withdrawLoanApplication(applicationId: $id, reason: "No.") { status }'
    expect((await tryMutation(withdraw, other, asGrace)).code).toBe('APPLICATION_NOT_FOUND')
    expect(good(await tryMutation(withdraw, other, { caller: own })).status).toBe('DECLINED')
  })

  test('never decides', async () => {
    const id = await applicationIn('submitted')
    const refused = 'NOT_FOR_DELEGATED_USERS'
    expect((await deciding(id, { outcome: 'approved' }, asAda)).code).toBe(refused)
    for (const field of [
      'startCreditReview(applicationId: $id) { status }',
      'returnLoanApplication(applicationId: $id, wanted: "x") { status }',
      'fulfillCondition(applicationId: $id, code: "x") { status }',
      'waiveCondition(applicationId: $id, code: "x") { status }',
    ]) {
      expect((await tryMutation(field, id, asAda)).code).toBe(refused)
      const caller = aCaller({ scopes: ['lending:read', 'credit:submit'] })
      expect((await tryMutation(field, id, { caller })).code).toBe('INSUFFICIENT_SCOPE')
    }
  })

  test('sees only their own applications, without internal fields', async () => {
    const id = await applicationIn('submitted')
    const reasons = [{ code: 'bankruptcy' }]
    good(await deciding(id, { outcome: 'declined', reasons, comment: 'Between us.' }))
    expectAbsent(await read(id, asGrace))
    const seen = (await read(id, asAda)).data.loanApplication
    expect(seen.decisions).toMatchObject([
      { outcome: 'DECLINED', decidedBy: null, comment: null, reasons: [{ text: 'Bankruptcy' }] },
    ])
    const list = `query ($customerId: ID, $status: LoanApplicationStatus) {
      loanApplications(customerId: $customerId, status: $status, first: 200) {
        nodes { applicationId status } pageInfo { hasNextPage } } }`
    const listed = async (options: object, variables = {}) =>
      (await bank.execute(list, variables, options)).data.loanApplications.nodes
    expect(await listed(asGrace)).toEqual([])
    expect(await listed(asGrace, { customerId: 'cus_ada' })).toEqual([])
    const found = await listed(asAda, { status: 'DECLINED' })
    expect(found).toContainEqual({ applicationId: id, status: 'DECLINED' })
    expect(new Set(found.map(({ status }: any) => status))).toEqual(new Set(['DECLINED']))
    const entities = `query ($keys: [_Any!]!) { _entities(representations: $keys) {
      ... on LoanApplication { status decisions { number } }
      ... on Customer { loanApplications(first: 200) { nodes { applicationId } } } } }`
    const keys = [
      { __typename: 'LoanApplication', applicationId: id },
      { __typename: 'Customer', customerId: 'cus_ada' },
    ]
    const joined = async (caller: typeof ada) => bank.execute(entities, { keys }, { caller })
    expect((await joined(grace)).data._entities).toEqual([
      null,
      { loanApplications: { nodes: [] } },
    ])
    expect((await joined(ada)).data._entities[0]).toEqual({
      status: 'DECLINED',
      decisions: [{ number: 1 }],
    })
    const blind = await joined(aCaller({ scopes: ['parties:read'] }))
    expect(blind.errors.map(({ extensions }) => extensions!['code'])).toEqual(
      Array(2).fill('INSUFFICIENT_SCOPE'),
    )
  })
})
