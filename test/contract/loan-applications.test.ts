/** The life of a loan over the documented operations, on a new sandbox. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { countEvents, unique } from './kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

const post = (path: string, body: object, options = {}) =>
  bank.rest('POST', `/v1${path}`, body, { key: unique('key'), ...options })
const submit = (id: string, body: object = {}, options = {}) =>
  post(`/credit-applications/${id}/submit`, body, options)
const decide = (id: string, body: object, options = {}) =>
  post(`/credit-applications/${id}/decision`, body, options)
const accept = (id: string, body: object = {}, options = {}) =>
  post(
    `/consumer-loan-applications/${id}/acceptance`,
    { acceptedAt: new Date().toISOString(), acceptanceChannel: 'web', ...body },
    options,
  )

describe('applications of the fixtures', () => {
  test('a draft can be submitted with an empty body', async () => {
    const { status, body } = await submit('app_draft')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      'applicationId',
      'status',
      'submittedAt',
      'decisionMode',
      'checks',
      'decisionDueBy',
    ])
    expect(body).toMatchObject({ status: 'submitted', decisionMode: 'hybrid' })
    expect(body.checks).toContainEqual({ code: 'consent', status: 'passed' })
    const again = await submit('app_draft')
    expect([again.status, again.body.code]).toEqual([409, 'APPLICATION_ALREADY_SUBMITTED'])
  })

  test('a submitted application is approved with an outcome alone and returns its facility id', async () => {
    const { status, body } = await decide('app_submitted', { outcome: 'approve' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      applicationId: 'app_submitted',
      outcome: 'approved',
      decisionMode: 'manual',
      applicationStatus: 'approved',
      reasons: [],
      conditions: [],
      approvedTerms: {
        amount: { amount: '12000.00', currency: 'EUR' },
        termMonths: 12,
        ratePct: '5.9',
        quoteId: 'quo_consumer_loan',
      },
      facilityId: expect.stringMatching(/^fac_/),
    })
    expect(body.loanId).toBe(body.facilityId)
    const again = await decide('app_submitted', { outcome: 'approve' })
    expect(again.body).toMatchObject({
      status: 409,
      code: 'APPLICATION_ALREADY_DECIDED',
      currentState: 'approved',
    })
  })

  test('an approved application is accepted and returns the documented members', async () => {
    const { status, body } = await accept('app_approved')
    expect(status).toBe(200)
    expect(body).toEqual({
      applicationId: 'app_approved',
      quoteId: 'quo_consumer_loan',
      customerId: 'cus_ada',
      status: 'accepted',
      decisionMode: 'manual',
      createdAt: expect.stringMatching(/Z$/),
    })
  })
})

describe('an application that does not exist', () => {
  const cases = [
    ['submit', submit, {}, { status: 'submitted' }, 'APPLICATION_ALREADY_SUBMITTED'],
    [
      'decision',
      decide,
      { outcome: 'approved' },
      { applicationStatus: 'approved' },
      'APPLICATION_ALREADY_DECIDED',
    ],
    [
      'acceptance',
      accept,
      { acceptedAt: new Date().toISOString() },
      { status: 'accepted' },
      'ALREADY_ACCEPTED',
    ],
  ] as const

  test.each(cases)(
    'is provisioned once for its %s',
    async (_name, send, body, expected, conflict) => {
      const id = unique('app')
      const key = unique('key')
      const first = await send(id, body, { key })
      expect(first.status, first.text).toBe(200)
      expect(first.headers.get('sandbox-provisioned')).toBe(`application=${id}`)
      expect(first.body).toMatchObject({ applicationId: id, ...expected })
      const replayed = await send(id, body, { key })
      expect([replayed.status, replayed.text]).toEqual([200, first.text])
      expect(replayed.headers.get('sandbox-provisioned')).toBeNull()
      // It exists now, so a second request is rejected for its state and provisions nothing.
      const second = await send(id, body)
      expect([second.status, second.body.code]).toEqual([409, conflict])
      expect(second.headers.get('sandbox-provisioned')).toBeNull()
    },
  )

  test.each(cases)('is not found for its %s in strict mode', async (_n, send, body) => {
    const answer = await send(unique('app'), body, {
      headers: { 'sandbox-strict': 'true' },
    })
    expect([answer.status, answer.body.code]).toEqual([404, 'APPLICATION_NOT_FOUND'])
  })

  test('is provisioned once for ten concurrent requests', async () => {
    const id = unique('app')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => decide(id, { outcome: 'approved' })),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses, answers.map(({ text }) => text).join()).toEqual([200, ...Array(9).fill(409)])
    expect(await countEvents(bank, 'lending.loan-application.approved', id)).toBe(1)
  })

  test('is created by a submission with all it needs, without provisioning', async () => {
    const id = unique('app')
    const full = { customerId: 'cus_ada', quoteId: 'quo_consumer_loan' }
    const { status, body, headers } = await submit(id, full)
    expect([status, body.status]).toEqual([200, 'submitted'])
    expect(headers.get('sandbox-provisioned')).toBeNull()
  })
})

/** Collects the events published from now on. */
function listen(): { received: { type: string; status: string | null }[]; stop(): void } {
  const received: { type: string; status: string | null }[] = []
  const query = `subscription { businessEvents(types: ["lending.*", "agreements.*"]) {
    type subject { ... on LoanApplication { applicationId status } } } }`
  const stop = bank.socket().subscribe<any>(
    { query },
    {
      next: ({ data }) => {
        const { type, subject } = data.businessEvents
        received.push({ type, status: subject?.status ?? null })
      },
      error: () => undefined,
      complete: () => undefined,
    },
  )
  return { received, stop }
}

const balanceOf = async (arrangementId: string) => {
  const { body } = await bank.graph(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { balances { committed } }
      trialBalance(currency: "EUR") { difference }
      lendingFindings { subject } ledgerFindings { invariant } }`,
    { id: arrangementId },
  )
  expect(body.data).toMatchObject({
    trialBalance: { difference: '0.00' },
    lendingFindings: [],
    ledgerFindings: [],
  })
  return Number(body.data.accountArrangement.balances[0].committed)
}

test('a loan from application to hardship request: ids chain the requests and the books balance', async () => {
  const listener = listen()
  const id = unique('app')
  const submitted = await submit(id, {
    customerId: 'cus_ada',
    quoteId: 'quo_consumer_loan',
    requestedAmount: { amount: '9000.00', currency: 'EUR' },
    settlementArrangementId: 'arr_ada_current',
    declarations: [{ code: 'credit-bureau-check', accepted: true }],
  })
  expect(submitted.status, submitted.text).toBe(200)
  const { applicationId } = submitted.body
  const decided = await decide(applicationId, {
    outcome: 'approved',
    decidedBy: 'officer_mary',
    approvedTerms: { termMonths: 24 },
  })
  expect(decided.status, decided.text).toBe(200)
  const { facilityId } = decided.body
  const before = await balanceOf('arr_ada_current')
  const taken = await accept(applicationId, { signatureReference: 'sig_42' })
  expect(taken.body).toMatchObject({ applicationId, status: 'accepted' })
  await eventually(async () => {
    const { body } = await bank.graph(
      'query ($id: ID!) { loanApplication(applicationId: $id) { status } }',
      { id: applicationId },
    )
    return body.data.loanApplication.status === 'BOOKED'
  })
  // Under this product the customer decides when to draw.
  expect(await balanceOf('arr_ada_current')).toBe(before)
  const drawn = await post(`/facilities/${facilityId}/drawdowns`, { amount: '9000.00' })
  expect(drawn.status, drawn.text).toBe(200)
  expect(drawn.body).toMatchObject({ facilityId, status: 'disbursed' })
  expect(await balanceOf('arr_ada_current')).toBe(before + 9000)
  const startDate = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const paused = await post(`/facilities/${drawn.body.facilityId}/payment-holidays`, { startDate })
  expect(paused.body, paused.text).toMatchObject({ facilityId, status: 'approved' })
  await balanceOf('arr_ada_current')
  const prepaid = await post(`/facilities/${paused.body.facilityId}/extra-payments`, {
    amount: '1000.00',
    sourceArrangementId: 'arr_ada_current',
  })
  expect(prepaid.body, prepaid.text).toMatchObject({ facilityId, status: 'applied' })
  expect(await balanceOf('arr_ada_current')).toBe(before + 8000)
  const request = await post(`/consumer-loans/${prepaid.body.facilityId}/hardship-requests`, {
    type: 'payment-holiday',
    reason: 'Out of work since last week',
  })
  expect([request.status, request.body.loanId, request.body.status]).toEqual([
    201,
    facilityId,
    'submitted',
  ])
  await balanceOf('arr_ada_current')
  const { body } = await bank.graph(
    `query ($id: ID!, $loan: ID!) {
      loanApplication(applicationId: $id) { loanId facility { state }
        agreement { status agreementType party { displayName } } customer { party { displayName } } }
      loan(loanId: $loan) { loanId state } }`,
    { id: applicationId, loan: decided.body.loanId },
  )
  expect(body.data).toEqual({
    loanApplication: {
      loanId: facilityId,
      facility: { state: 'ACTIVE' },
      agreement: {
        status: 'ACTIVE',
        agreementType: 'consumer-loan',
        party: { displayName: 'Ada Lovelace' },
      },
      customer: { party: { displayName: 'Ada Lovelace' } },
    },
    loan: { loanId: facilityId, state: 'ACTIVE' },
  })
  const types = [
    'lending.credit-application.submitted',
    'lending.loan-application.approved',
    'lending.loan-application.accepted',
    'agreements.agreement.signed',
    'lending.facility.opened',
    'lending.loan-application.booked',
    'lending.drawdown.disbursed',
    'lending.payment-holiday.approved',
    'lending.extra-payment.applied',
    'lending.hardship-request.submitted',
  ]
  await eventually(() => listener.received.some(({ type }) => type === types.at(-1)))
  const received = listener.received.map(({ type }) => type)
  // Each comes after the one before; loans of earlier tests may be booked in between.
  let at = -1
  for (const type of types) {
    at = received.indexOf(type, at + 1)
    expect(at, `${type} in ${received.join()}`).not.toBe(-1)
  }
  listener.stop()
})
