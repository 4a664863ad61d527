/** Collateral and relief as clients use them: over REST, joined in the graph, in a provisioning sandbox. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('sandbox')
})
afterAll(() => bank.stop())

async function queryGraph(query: string) {
  const { body } = await bank.graph(query)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

test('an approved hardship request has a case, and its relief is in the schedule of the loan', async () => {
  const input = { type: 'temporary-reduction', reason: 'Out of work' }
  const path = '/v1/consumer-loans/loan_eve/hardship-requests'
  const { status, body, headers } = await bank.rest('POST', path, input, { key: 'hardship-1' })
  expect(status).toBe(201)
  expect(headers.get('sandbox-provisioned')).toBe('loan=loan_eve')
  const { hardshipRequestId: id } = body
  const request = await eventually(async () => {
    const { hardshipRequest } = await queryGraph(`{ hardshipRequest(hardshipRequestId: "${id}") {
      status case { caseType status title subjects party { displayName } } } }`)
    return hardshipRequest.case && hardshipRequest
  })
  expect(request).toMatchObject({
    status: 'SUBMITTED',
    case: {
      caseType: 'HARDSHIP',
      status: 'OPEN',
      subjects: [`hardship-request/${id}`, 'facility/loan_eve'],
      party: { displayName: 'Sandbox Person' },
    },
  })
  const reviewer = { token: bank.token({ subject: 'assessor' }) }
  for (const action of ['START', 'APPROVE']) {
    const review = `mutation { reviewHardshipRequest(input: { hardshipRequestId: "${id}", action: ${action}
      relief: { installmentAmount: "50.00", installments: 2 } }) { status } }`
    const { body: reviewed } = await bank.graph(review, {}, reviewer)
    expect(reviewed.errors, JSON.stringify(reviewed.errors)).toBeUndefined()
  }
  const { loan } = await queryGraph(`{ loan(loanId: "loan_eve") { schedule { payment }
    hardshipRequests { nodes { hardshipRequestId status } } scheduleVersions { cause } } }`)
  expect(loan.schedule.filter(({ payment }: any) => payment === '50.00')).toHaveLength(2)
  expect(loan.hardshipRequests.nodes).toEqual([{ hardshipRequestId: id, status: 'APPROVED' }])
  expect(loan.scheduleVersions[0].cause).toBe('HARDSHIP_RELIEF')
})

test('a payment holiday and an extra payment can be made over REST', async () => {
  const next = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const holiday = await bank.rest('POST', '/v1/facilities/loan_joe/payment-holidays', {
    startDate: next,
  })
  expect(holiday.body).toMatchObject({
    facilityId: 'loan_joe',
    status: 'approved',
    type: 'full',
    interestTreatment: 'defer',
    termTreatment: 'extend',
    affectedInstalments: [{}],
  })
  const extra = await bank.rest('POST', '/v1/facilities/loan_joe/extra-payments', {
    amount: '250.00',
    strategy: 'reduce-instalment',
    sourceArrangementId: 'arr_loan_joe',
  })
  expect(extra.body).toMatchObject({
    amount: { amount: '250.00', currency: 'EUR' },
    status: 'applied',
    strategy: 'reduce-instalment',
  })
  const { facility } = await queryGraph(`{ facility(facilityId: "loan_joe") {
    extraPayments { nodes { status source { arrangementId } } } paymentHolidays { nodes { status } } } }`)
  expect(facility).toEqual({
    extraPayments: { nodes: [{ status: 'APPLIED', source: { arrangementId: 'arr_loan_joe' } }] },
    paymentHolidays: { nodes: [{ status: 'APPROVED' }] },
  })
})

test('collateral limits what can be drawn from a secured facility, and its impairment is a margin call', async () => {
  await queryGraph(`mutation { openFacility(input: { facilityId: "fac_secured", customerId: "cus_loan_joe", kind: REVOLVING,
    limit: { amount: "5000.00", currency: "EUR" }, ratePct: "7", requiredCoveragePct: "150",
    settlementArrangementId: "arr_loan_joe" }) { facilityId } }`)
  const draw = (amount: string) =>
    bank.rest('POST', '/v1/facilities/fac_secured/drawdowns', { amount })
  expect((await draw('1000.00')).body.code).toBe('INSUFFICIENT_COLLATERAL')
  const { body } = await bank.rest('POST', '/v1/collateral', { collateralType: 'cash-deposit' })
  expect(body).toMatchObject({ status: 'proposed', collateralType: 'cash-deposit' })
  const collateralId = JSON.stringify(body.collateralId)
  for (const act of [
    `updateCollateral(input: { collateralId: ${collateralId}, owners: [{ partyId: "pty_cus_loan_joe" }] }) { status }`,
    `valueCollateral(input: { collateralId: ${collateralId}, method: MARKET_PRICE,
      marketValue: { amount: "1500.00", currency: "EUR" } }) { status }`,
    `perfectCollateral(input: { collateralId: ${collateralId}, registry: "Pledge of the account" }) { status }`,
    `allocateCollateral(input: { collateralId: ${collateralId}, facilityId: "fac_secured" }) { status }`,
  ]) {
    await queryGraph(`mutation { ${act} }`)
  }
  expect((await draw('1000.01')).body.code).toBe('INSUFFICIENT_COLLATERAL')
  expect((await draw('1000.00')).status).toBe(200)
  const { facility } =
    await queryGraph(`{ facility(facilityId: "fac_secured") { outstandingPrincipal { amount }
    coverage { allocated { amount } required { amount } shortfall { amount } }
    collaterals { nodes { owners { party { displayName } } links { facility { state } isCovering } } } } }`)
  expect(facility).toEqual({
    outstandingPrincipal: { amount: '1000.00' },
    coverage: {
      allocated: { amount: '1500.00' },
      required: { amount: '1500.00' },
      shortfall: { amount: '0.00' },
    },
    collaterals: {
      nodes: [
        {
          owners: [{ party: { displayName: 'Sandbox Person' } }],
          links: [{ facility: { state: 'ACTIVE' }, isCovering: true }],
        },
      ],
    },
  })
  const impair = `mutation { impairCollateral(collateralId: ${collateralId}, reason: "Frozen") { status } }`
  await queryGraph(impair)
  const called = await eventually(async () => {
    const { businessEvents } =
      await queryGraph(`{ businessEvents(types: ["collateral.collateral.margin-call"]) {
      nodes { data subject { ... on Facility { facilityId coverage { shortfall { amount } } } } } } }`)
    return businessEvents.nodes[0]
  })
  expect(called).toMatchObject({
    data: { facilityId: 'fac_secured', allocatedMinor: '0', requiredMinor: '150000' },
    subject: { facilityId: 'fac_secured', coverage: { shortfall: { amount: '1500.00' } } },
  })
})
