/**
 * A loan from the application to the write-off takes two people. One person cannot do it, not even
 * with the roles of both.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../kit/platform.ts'
import { aStaffedBank, type StaffedBank } from './staff-kit.ts'

let kit: StaffedBank
const tokens = new Map<string, string>()
beforeAll(async () => {
  kit = await aStaffedBank()
  await prepare()
  const people = {
    tina: 'TELLER',
    liam: 'LOAN_OFFICER',
    anna: 'APPROVER',
    omar: 'OPERATIONS',
    aron: 'LOAN_OFFICER, APPROVER, OPERATIONS, TELLER',
  }
  for (const [username, roles] of Object.entries(people)) {
    await kit.hired(username, roles)
    await kit.approve(username)
    const { tokens: own } = await kit.staffLogIn(username)
    tokens.set(username, own!.token)
  }
})
afterAll(() => kit.bank.stop())

/** A product and an account of the bank, which operations set up before. */
async function prepare(): Promise<void> {
  const product = async (id: string, kind: string, more = '') =>
    expect(
      await as(
        '',
        `createProduct(input: { productId: "${id}", name: "${id}", productClass: "${kind}",
          status: "active", version: "2026.1", currencies: ["EUR"] ${more} }) { productId }`,
      ),
    ).toEqual({ productId: id })
  await product('prd_current', 'current-account')
  await product(
    'prd_loan',
    'consumer-loan',
    `interest: { basePct: "5.9", marginPct: "1.0" }, parameters: [
      { name: "amount", type: DECIMAL, minimum: "500", maximum: "20000" }
      { name: "termMonths", type: DECIMAL, minimum: "6", maximum: "60" }]`,
  )
}

/** Sends a mutation as an employee, or as the bank's own client; returns its result or its code. */
async function as(username: string, mutation: string): Promise<any> {
  const token = tokens.get(username)
  const { body } = await kit.bank.graph(`mutation { it: ${mutation} }`, {}, token ? { token } : {})
  return body.errors ? body.errors[0].extensions.code : body.data.it
}

const stateOf = async (applicationId: string) => {
  const { body } = await kit.bank.graph(`{ loanApplication(applicationId: "${applicationId}") {
    status loanId facility { facilityId state } recommendation { outcome } } }`)
  return body.data.loanApplication
}

/** A customer with an account, whom a teller admits. */
async function aCustomer(name: string, teller: string): Promise<void> {
  const steps = [
    `createParty(input: { partyId: "pty_${name}", kind: PERSON, givenName: "E", familyName: "N",
      dateOfBirth: "1982-03-23" }) { partyId }`,
    `createCustomer(input: { customerId: "cus_${name}", partyId: "pty_${name}", segment: "retail" })
      { customerId }`,
    `startKyc(customerId: "cus_${name}") { kycState }`,
    `passKyc(customerId: "cus_${name}", expiresOn: "2099-12-31") { kycState }`,
    `activateCustomer(customerId: "cus_${name}") { status }`,
    `openAccountArrangement(input: { arrangementId: "arr_${name}", customerId: "cus_${name}",
      productId: "prd_current" }) { state }`,
  ]
  for (const step of steps) expect(await as(teller, step), step).toBeInstanceOf(Object)
}

const apply = (name: string) =>
  `createLoanApplication(input: { applicationId: "app_${name}", customerId: "cus_${name}",
    productId: "prd_loan", requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12,
    monthlyIncome: { amount: "3000.00", currency: "EUR" },
    monthlyObligations: { amount: "400.00", currency: "EUR" }, employedMonths: 60,
    settlementArrangementId: "arr_${name}" }) { status }`
const submit = (name: string) =>
  `submitCreditApplication(input: { applicationId: "app_${name}" }) { status }`
const decide = (name: string) =>
  `recordCreditDecision(input: { applicationId: "app_${name}", outcome: "approved" })
    { applicationStatus }`
const accept = (name: string) =>
  `acceptLoanTerms(input: { applicationId: "app_${name}",
    acceptedAt: "${new Date().toISOString()}", acceptanceChannel: "branch" }) { status }`
const authorize = (decider: string) =>
  `grantCreditAuthority(decider: "${decider}", limit: { amount: "20000.00", currency: "EUR" })
    { decider }`
const propose = (loan: string, action: string) =>
  `proposeFacilityLoss(input: { facilityId: "${loan}", action: ${action}, reason: "Insolvent" })
    { lossProposalId proposedBy }`
const approveLoss = (id: string) =>
  `approveFacilityLoss(lossProposalId: "${id}") { decidedBy facility { state } }`

/** The application with its recommendation. */
const reviewed = (name: string) =>
  eventually(async () => {
    const application = await stateOf(`app_${name}`)
    return application.recommendation && application
  })

test('two people do a loan from the application to the write-off, in their own names', async () => {
  await aCustomer('two', 'tina')
  expect(await as('liam', apply('two'))).toBeInstanceOf(Object)
  expect(await as('liam', submit('two'))).toBeInstanceOf(Object)
  await reviewed('two')
  expect(await as('anna', decide('two'))).toBe('LIMIT_OF_AUTHORITY_EXCEEDED')
  expect(await as('omar', authorize('anna'))).toEqual({ decider: 'anna' })
  expect(await as('liam', decide('two'))).toBe('SEGREGATION_OF_DUTIES')
  expect(await as('anna', decide('two'))).toEqual({ applicationStatus: 'APPROVED' })
  expect(await as('liam', accept('two'))).toBeInstanceOf(Object)
  const { loanId } = await eventually(async () => {
    const application = await stateOf('app_two')
    return application.facility?.state === 'ACTIVE' && application
  })
  for (const [action, state] of [
    ['CHARGE_OFF', 'CHARGED_OFF'],
    ['WRITE_OFF', 'WRITTEN_OFF'],
  ] as const) {
    const { lossProposalId, proposedBy } = await as('liam', propose(loanId, action))
    expect(proposedBy).toBe('liam')
    expect(await as('liam', approveLoss(lossProposalId))).toBe('SEGREGATION_OF_DUTIES')
    expect(await as('anna', approveLoss(lossProposalId))).toEqual({
      decidedBy: 'anna',
      facility: { state },
    })
  }
})

test('one person cannot, not even with all roles', async () => {
  await aCustomer('one', 'aron')
  expect(await as('aron', apply('one'))).toBeInstanceOf(Object)
  expect(await as('aron', submit('one'))).toBeInstanceOf(Object)
  await reviewed('one')
  expect(await as('aron', authorize('aron'))).toBe('SEGREGATION_OF_DUTIES')
  expect(await as('omar', authorize('aron'))).toEqual({ decider: 'aron' })
  expect(await as('aron', decide('one'))).toBe('SEGREGATION_OF_DUTIES')
  // Somebody else decides, so that the rest can be tried.
  expect(await as('anna', decide('one'))).toEqual({ applicationStatus: 'APPROVED' })
  expect(await as('aron', accept('one'))).toBeInstanceOf(Object)
  const { loanId } = await eventually(async () => {
    const application = await stateOf('app_one')
    return application.facility?.state === 'ACTIVE' && application
  })
  for (const action of ['CHARGE_OFF', 'WRITE_OFF']) {
    const { lossProposalId } = await as('aron', propose(loanId, action))
    expect(await as('aron', approveLoss(lossProposalId))).toBe('SEGREGATION_OF_DUTIES')
    expect(await as('anna', approveLoss(lossProposalId))).toMatchObject({ decidedBy: 'anna' })
  }
})
