/**
 * From an accepted application to the loan: an interrupted booking resumes where it stopped and ends
 * with one signed agreement, one facility and books that balance.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../kernel/domain/problem.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { origination } from '../../subgraphs/origination/index.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { runMutation, runQuery, pullThePlug as pull } from './kit.ts'

let bank: Platform
let serial = 0
beforeAll(async () => {
  // Workers run only when the test calls them.
  bank = await aPlatform('live', undefined, true)
  bank.bank.log.level = 'silent'
  await mutate(
    `createParty(input: { partyId: "pty_ada", kind: PERSON, givenName: "Ada", familyName: "L" }) { partyId }`,
  )
  await mutate(
    'createCustomer(input: { customerId: "cus_ada", partyId: "pty_ada" }) { customerId }',
  )
  await mutate('startKyc(customerId: "cus_ada") { customerId }')
  await mutate('passKyc(customerId: "cus_ada", expiresOn: "2999-12-31") { customerId }')
  await mutate('activateCustomer(customerId: "cus_ada") { customerId }')
  await mutate(`createProduct(input: { productId: "prd_current", name: "Everyday",
    productClass: "current-account", status: "active", version: "2026.1" }) { productId }`)
  await mutate(`createProduct(input: { productId: "prd_loan", name: "Loan", productClass: "consumer-loan",
    status: "active", version: "2026.1", interest: { basePct: "5.9" } }) { productId }`)
  await mutate(`createProduct(input: { productId: "prd_limit", name: "Limit", productClass: "revolving-credit",
    status: "active", version: "2026.1", interest: { basePct: "7.4" } }) { productId }`)
  await mutate(`openAccountArrangement(input: { arrangementId: "arr_ada", customerId: "cus_ada",
    productId: "prd_current" }) { arrangementId }`)
})
afterAll(() => bank.stop())

/** Run after each test, even one that failed. */
let undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.toReversed()) one()
  undo = []
})

const mutate = (field: string) => runMutation(bank, field)
const look = (fields: string) => runQuery(bank, fields)

async function accepted(more = 'productId: "prd_loan", termMonths: 12') {
  const applicationId = `app_${++serial}`
  await mutate(`createLoanApplication(input: { applicationId: "${applicationId}", customerId: "cus_ada",
    decisionMode: MANUAL, requestedAmount: { amount: "6000.00", currency: "EUR" }, ${more} }) { status }`)
  await mutate(`submitCreditApplication(input: { applicationId: "${applicationId}" }) { status }`)
  await mutate(`recordCreditDecision(input: { applicationId: "${applicationId}", outcome: "approved",
    decidedBy: "officer_1" }) { outcome }`)
  await mutate(`acceptLoanTerms(input: { applicationId: "${applicationId}", acceptanceChannel: "web",
    acceptedAt: "${new Date().toISOString()}" }) { status }`)
  return applicationId
}

const worker = (name: string) => {
  const { run } = origination.workers.find((each) => each.name === `origination.${name}`)!
  return () => run(bankContext(bank.bank))
}
const book = worker('book-loans')

function pullThePlug(at: number, when: 'before' | 'after') {
  const plugIn = pull(bank, at, when)
  undo.push(plugIn)
  return plugIn
}

const loanOf = async (applicationId: string) =>
  (
    await look(`loanApplication(applicationId: "${applicationId}") { status bookedAt bookingError
      agreement { status signedAt agreementType productCode } acceptances { acceptedAt }
      facility { facilityId state } facilityId loanId agreementId }`)
  ).loanApplication

async function expectBookedOnce(applicationId: string, isPaidOut = false) {
  const loan = await loanOf(applicationId)
  expect(loan).toMatchObject({
    status: 'BOOKED',
    bookingError: null,
    agreement: {
      status: 'ACTIVE',
      signedAt: loan.acceptances[0].acceptedAt,
      agreementType: 'consumer-loan',
    },
    facility: { facilityId: loan.facilityId, state: isPaidOut ? 'ACTIVE' : 'APPROVED' },
  })
  const { rows } = await bank.bank.pool.query<{ type: string; count: number }>(
    `select type, count(*)::int from (
       select type, subject from kernel.event union all
       select type, subject from kernel.outbox, json_populate_recordset(null::kernel.emitted_event, events)
     ) told where subject = any($1) and type in ('agreements.agreement.signed',
       'lending.facility.opened', 'lending.loan-application.booked') group by 1`,
    [
      [
        `loan-application/${applicationId}`,
        `facility/${loan.facilityId}`,
        `agreement/${loan.agreementId}`,
      ],
    ],
  )
  expect(rows.map(({ count }) => count)).toEqual([1, 1, 1])
  const { trialBalance } = await look('trialBalance(currency: "EUR") { difference }')
  expect(trialBalance.difference).toBe('0.00')
}

describe('booking of an accepted application', () => {
  test('creates a loan with a signed agreement', async () => {
    const id = await accepted()
    expect(await book()).toBe(1)
    expect(await book()).toBe(0)
    await expectBookedOnce(id)
  })

  test('pays the loan out to the account that was named', async () => {
    const id = await accepted(
      'productId: "prd_loan", termMonths: 12, settlementArrangementId: "arr_ada"',
    )
    await book()
    await expectBookedOnce(id, true)
    const account = 'accountArrangement(arrangementId: "arr_ada") { balances { committed } }'
    expect((await look(account)).accountArrangement.balances).toEqual([{ committed: '6000.00' }])
  })

  test('creates a credit line to draw on for a revolving product', async () => {
    const id = await accepted('productId: "prd_limit"')
    await book()
    expect(await loanOf(id)).toMatchObject({ status: 'BOOKED', facility: { state: 'APPROVED' } })
  })
})

describe('an interrupted booking', () => {
  // Queries of the worker: three times the agreement and its next step, once more the agreement, and the facility.
  const questions = [0, 1, 2, 3, 4, 5, 6, 7]
  test.each(questions.flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
    'resumes after an interruption at query %i, %s its response',
    async (at, when) => {
      const id = await accepted()
      const plugIn = pullThePlug(at, when)
      await expect(book()).rejects.toThrow('The plug was pulled.')
      plugIn()
      expect((await loanOf(id)).status).toBe('ACCEPTED')
      expect(await book()).toBe(1)
      await expectBookedOnce(id)
    },
  )

  test('is done once by three concurrent runs', async () => {
    const id = await accepted()
    const done = await Promise.all([book(), book(), book()])
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(1)
    await expectBookedOnce(id)
  })

  test('records a rejection and is retried after a minute', async () => {
    const id = await accepted()
    await mutate('suspendCustomer(customerId: "cus_ada", reason: "Asked to.") { status }')
    expect(await book()).toBe(1)
    expect(await book()).toBe(0)
    expect(await loanOf(id)).toMatchObject({
      status: 'ACCEPTED',
      bookingError: 'CUSTOMER_NOT_ACTIVE',
    })
    await mutate('reactivateCustomer(customerId: "cus_ada") { status }')
    const { now } = bank.bank
    undo.push(() => void (bank.bank.now = now))
    bank.bank.now = () => new Date(now().getTime() + 60_000)
    expect(await book()).toBe(1)
    await expectBookedOnce(id)
  })
})

test('an application in review gets one case, even when opening it is interrupted', async () => {
  const id = `app_${++serial}`
  await mutate(`createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada", productId: "prd_loan",
    requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`)
  await mutate(`submitCreditApplication(input: { applicationId: "${id}" }) { status }`)
  expect(await worker('decide-applications')()).toBe(1)
  const open = worker('open-cases')
  const plugIn = pullThePlug(0, 'after')
  await expect(open()).rejects.toThrow('The plug was pulled.')
  plugIn()
  expect(await open()).toBe(1)
  expect(await open()).toBe(0)
  const { loanApplication } = await look(
    `loanApplication(applicationId: "${id}") { status case { caseId caseType subjects status } }`,
  )
  expect(loanApplication).toMatchObject({
    status: 'IN_REVIEW',
    case: { caseType: 'CREDIT_REVIEW', subjects: [`loan-application/${id}`], status: 'OPEN' },
  })
})

test('applications whose case cannot be opened do not block the others', async () => {
  const inReview = async () => {
    const id = `app_${++serial}`
    await mutate(`createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada", productId: "prd_loan",
      requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`)
    await mutate(`submitCreditApplication(input: { applicationId: "${id}" }) { status }`)
    return id
  }
  const ids: string[] = []
  for (let count = 0; count < 22; count++) ids.push(await inReview())
  while ((await worker('decide-applications')()) > 0);
  const last = ids.toSorted((one, other) => (one < other ? -1 : 1)).at(-1)!
  const { queryGraph } = bank.bank
  undo.push(() => void (bank.bank.queryGraph = queryGraph))
  bank.bank.queryGraph = (document, variables, originalRequest) => {
    const { subject } = variables as { subject: string }
    if (subject === `loan-application/${last}`)
      return queryGraph(document, variables, originalRequest)
    if (subject === `loan-application/${ids[3]}`) throw new Error('Unexpected failure.')
    throw new Problem('PARTY_NOT_FOUND', { resourceId: 'pty_ada' })
  }
  expect(await worker('open-cases')()).toBe(1)
  const { loanApplication } = await look(
    `loanApplication(applicationId: "${last}") { case { status } }`,
  )
  expect(loanApplication.case.status).toBe('OPEN')
  bank.bank.queryGraph = queryGraph
  expect(await worker('open-cases')()).toBe(21)
})

describe('the case of a decided application', () => {
  const caseOf = async (id: string) =>
    (await look(`loanApplication(applicationId: "${id}") { case { caseId status outcome } }`))
      .loanApplication.case
  const close = worker('close-cases')
  const reviewed = async () => {
    const id = `app_${++serial}`
    await mutate(`createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada", productId: "prd_loan",
      requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`)
    await mutate(`submitCreditApplication(input: { applicationId: "${id}" }) { status }`)
    await worker('decide-applications')()
    await worker('open-cases')()
    return id
  }
  const approve = (id: string) =>
    mutate(`recordCreditDecision(input: { applicationId: "${id}", outcome: "approved",
      decidedBy: "officer_1" }) { outcome }`)

  test('is closed once, wherever closing it is interrupted', async () => {
    for (const [at, when] of [0, 1, 2, 3].flatMap((at) => [
      [at, 'before'] as const,
      [at, 'after'] as const,
    ])) {
      const id = await reviewed()
      expect(await close()).toBe(0)
      await approve(id)
      const plugIn = pullThePlug(at, when)
      await expect(close()).rejects.toThrow('The plug was pulled.')
      plugIn()
      expect(await close()).toBe(1)
      expect(await close()).toBe(0)
      expect(await caseOf(id)).toMatchObject({ status: 'CLOSED', outcome: 'Approved' })
      await mutate(`withdrawLoanApplication(applicationId: "${id}") { status }`)
    }
  })

  test('is closed from any open status, and left alone when already ended', async () => {
    const waiting = await reviewed()
    const { caseId } = await caseOf(waiting)
    await mutate(`startCase(caseId: "${caseId}") { status }`)
    await mutate(`waitForCustomer(caseId: "${caseId}", question: "Which?") { status }`)
    await mutate(`withdrawLoanApplication(applicationId: "${waiting}") { status }`)
    const ended = await reviewed()
    await mutate(`withdrawCase(caseId: "${(await caseOf(ended)).caseId}") { status }`)
    await mutate(`withdrawLoanApplication(applicationId: "${ended}") { status }`)
    expect(await close()).toBe(2)
    expect(await caseOf(waiting)).toMatchObject({
      status: 'CLOSED',
      outcome: 'Declined: withdrawn-by-customer',
    })
    expect(await caseOf(ended)).toMatchObject({ status: 'WITHDRAWN', outcome: null })
  })
})

test('a loan links to its application', async () => {
  const id = await accepted()
  await book()
  const { facilityId } = await loanOf(id)
  const { facility } = await look(
    `facility(facilityId: "${facilityId}") { application { applicationId status } }`,
  )
  expect(facility.application).toEqual({ applicationId: id, status: 'BOOKED' })
})
