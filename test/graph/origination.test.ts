/**
 * From an accepted application to the loan: wherever the booking is cut off, it goes on from there, and
 * in the end there is one signed agreement, one facility, and books that balance.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../subgraphs/_kernel/domain/problem.ts'
import { bankContext } from '../../subgraphs/_kernel/worker.ts'
import { origination } from '../../subgraphs/origination/index.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { actIn, lookInto, pullThePlug as pull } from './kit.ts'

let bank: Platform
let serial = 0
beforeAll(async () => {
  // Workers run when the test says so.
  bank = await aPlatform('live', undefined, true)
  bank.bank.log.level = 'silent'
  await act(
    `createParty(input: { partyId: "pty_ada", kind: PERSON, givenName: "Ada", familyName: "L" }) { partyId }`,
  )
  await act('createCustomer(input: { customerId: "cus_ada", partyId: "pty_ada" }) { customerId }')
  await act('startKyc(customerId: "cus_ada") { customerId }')
  await act('passKyc(customerId: "cus_ada", expiresOn: "2999-12-31") { customerId }')
  await act('activateCustomer(customerId: "cus_ada") { customerId }')
  await act(`createProduct(input: { productId: "prd_current", name: "Everyday",
    productClass: "current-account", status: "active", version: "2026.1" }) { productId }`)
  await act(`createProduct(input: { productId: "prd_loan", name: "Loan", productClass: "consumer-loan",
    status: "active", version: "2026.1", interest: { basePct: "5.9" } }) { productId }`)
  await act(`createProduct(input: { productId: "prd_limit", name: "Limit", productClass: "revolving-credit",
    status: "active", version: "2026.1", interest: { basePct: "7.4" } }) { productId }`)
  await act(`openAccountArrangement(input: { arrangementId: "arr_ada", customerId: "cus_ada",
    productId: "prd_current" }) { arrangementId }`)
})
afterAll(() => bank.stop())

/** Undone after each test, also one that failed. */
let undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.toReversed()) one()
  undo = []
})

const act = (field: string) => actIn(bank, field)
const look = (fields: string) => lookInto(bank, fields)

async function accepted(more = 'productId: "prd_loan", termMonths: 12') {
  const applicationId = `app_${++serial}`
  await act(`createLoanApplication(input: { applicationId: "${applicationId}", customerId: "cus_ada",
    decisionMode: MANUAL, requestedAmount: { amount: "6000.00", currency: "EUR" }, ${more} }) { status }`)
  await act(`submitCreditApplication(input: { applicationId: "${applicationId}" }) { status }`)
  await act(`recordCreditDecision(input: { applicationId: "${applicationId}", outcome: "approved",
    decidedBy: "officer_1" }) { outcome }`)
  await act(`acceptLoanTerms(input: { applicationId: "${applicationId}", acceptanceChannel: "web",
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
    await look(`loanApplication(applicationId: "${applicationId}") { status bookedAt bookingRefusal
      agreement { status signedAt agreementType productCode } acceptances { acceptedAt }
      facility { facilityId state } facilityId loanId agreementId }`)
  ).loanApplication

async function expectBookedOnce(applicationId: string, isPaidOut = false) {
  const loan = await loanOf(applicationId)
  expect(loan).toMatchObject({
    status: 'BOOKED',
    bookingRefusal: null,
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
       select type, subject from kernel.outbox, json_populate_recordset(null::kernel.told, events)
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

describe('an accepted application', () => {
  test('becomes a loan with a signed agreement', async () => {
    const id = await accepted()
    expect(await book()).toBe(1)
    expect(await book()).toBe(0)
    await expectBookedOnce(id)
  })

  test('is paid out when an account was named', async () => {
    const id = await accepted(
      'productId: "prd_loan", termMonths: 12, settlementArrangementId: "arr_ada"',
    )
    await book()
    await expectBookedOnce(id, true)
    const account = 'accountArrangement(arrangementId: "arr_ada") { balances { committed } }'
    expect((await look(account)).accountArrangement.balances).toEqual([{ committed: '6000.00' }])
  })

  test('of a limit becomes one to draw on', async () => {
    const id = await accepted('productId: "prd_limit"')
    await book()
    expect(await loanOf(id)).toMatchObject({ status: 'BOOKED', facility: { state: 'APPROVED' } })
  })
})

describe('a booking that is cut off', () => {
  // What it asks: three times how the agreement stands and to bring it on, once more, and the facility.
  const questions = [0, 1, 2, 3, 4, 5, 6, 7]
  test.each(questions.flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
    'at question %i, %s its answer, goes on from there',
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

  test('by nothing, but done by two at once, is done once', async () => {
    const id = await accepted()
    const done = await Promise.all([book(), book(), book()])
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(1)
    await expectBookedOnce(id)
  })

  test('by a refusal says so, and is tried again in a minute', async () => {
    const id = await accepted()
    await act('suspendCustomer(customerId: "cus_ada", reason: "Asked to.") { status }')
    expect(await book()).toBe(1)
    expect(await book()).toBe(0)
    expect(await loanOf(id)).toMatchObject({
      status: 'ACCEPTED',
      bookingRefusal: 'CUSTOMER_NOT_ACTIVE',
    })
    await act('reactivateCustomer(customerId: "cus_ada") { status }')
    const { now } = bank.bank
    undo.push(() => void (bank.bank.now = now))
    bank.bank.now = () => new Date(now().getTime() + 60_000)
    expect(await book()).toBe(1)
    await expectBookedOnce(id)
  })
})

test('an application in review has a case, however often it is asked for', async () => {
  const id = `app_${++serial}`
  await act(`createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada", productId: "prd_loan",
    requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`)
  await act(`submitCreditApplication(input: { applicationId: "${id}" }) { status }`)
  expect(await worker('judge-applications')()).toBe(1)
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

test('applications whose case cannot be opened keep no others waiting, nor does one that breaks', async () => {
  const inReview = async () => {
    const id = `app_${++serial}`
    await act(`createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada", productId: "prd_loan",
      requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`)
    await act(`submitCreditApplication(input: { applicationId: "${id}" }) { status }`)
    return id
  }
  const ids: string[] = []
  for (let count = 0; count < 22; count++) ids.push(await inReview())
  while ((await worker('judge-applications')()) > 0);
  const last = ids.toSorted((one, other) => (one < other ? -1 : 1)).at(-1)!
  const { ask } = bank.bank
  undo.push(() => void (bank.bank.ask = ask))
  bank.bank.ask = (document, variables, askedFor) => {
    const { subject } = variables as { subject: string }
    if (subject === `loan-application/${last}`) return ask(document, variables, askedFor)
    if (subject === `loan-application/${ids[3]}`) throw new Error('It breaks.')
    throw new Problem('PARTY_NOT_FOUND', { resourceId: 'pty_ada' })
  }
  expect(await worker('open-cases')()).toBe(1)
  const { loanApplication } = await look(
    `loanApplication(applicationId: "${last}") { case { status } }`,
  )
  expect(loanApplication.case.status).toBe('OPEN')
  bank.bank.ask = ask
  expect(await worker('open-cases')()).toBe(21)
})

describe('the case of an application that was decided', () => {
  const caseOf = async (id: string) =>
    (await look(`loanApplication(applicationId: "${id}") { case { caseId status outcome } }`))
      .loanApplication.case
  const close = worker('close-cases')
  const reviewed = async () => {
    const id = `app_${++serial}`
    await act(`createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada", productId: "prd_loan",
      requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`)
    await act(`submitCreditApplication(input: { applicationId: "${id}" }) { status }`)
    await worker('judge-applications')()
    await worker('open-cases')()
    return id
  }
  const approve = (id: string) =>
    act(`recordCreditDecision(input: { applicationId: "${id}", outcome: "approved",
      decidedBy: "officer_1" }) { outcome }`)

  test('is closed, wherever the closing is cut off', async () => {
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
      await act(`withdrawLoanApplication(applicationId: "${id}") { status }`)
    }
  })

  test('is closed from where somebody left it, and not touched when they ended it', async () => {
    const waiting = await reviewed()
    const { caseId } = await caseOf(waiting)
    await act(`startCase(caseId: "${caseId}") { status }`)
    await act(`waitForCustomer(caseId: "${caseId}", question: "Which?") { status }`)
    await act(`withdrawLoanApplication(applicationId: "${waiting}") { status }`)
    const ended = await reviewed()
    await act(`withdrawCase(caseId: "${(await caseOf(ended)).caseId}") { status }`)
    await act(`withdrawLoanApplication(applicationId: "${ended}") { status }`)
    expect(await close()).toBe(2)
    expect(await caseOf(waiting)).toMatchObject({
      status: 'CLOSED',
      outcome: 'Declined: withdrawn-by-customer',
    })
    expect(await caseOf(ended)).toMatchObject({ status: 'WITHDRAWN', outcome: null })
  })
})

test('a loan leads to the application it came from', async () => {
  const id = await accepted()
  await book()
  const { facilityId } = await loanOf(id)
  const { facility } = await look(
    `facility(facilityId: "${facilityId}") { application { applicationId status } }`,
  )
  expect(facility.application).toEqual({ applicationId: id, status: 'BOOKED' })
})
