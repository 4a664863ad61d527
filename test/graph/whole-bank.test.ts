/**
 * The sandbox as a newcomer finds it: one query across all areas, and a clock advance of one year.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

async function queryGraph(query: string, variables: Record<string, unknown> = {}) {
  const { body } = await bank.graph(query, variables)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

test('returns a party with its records in every area from one query', async () => {
  await queryGraph(`mutation { createNotification(input: { partyId: "pty_ada", channel: EMAIL,
    templateCode: "tpl_welcome" }) { notificationId } }`)
  await queryGraph(`mutation { createPricingQuote(input: { pricingQuoteId: "quo_ada", productId: "prd_savings",
    customerId: "cus_ada" }) { pricingQuoteId } }`)
  await queryGraph(`mutation { createProductOffer(input: { offerId: "off_ada", productId: "prd_savings",
    pricingQuoteId: "quo_ada", customerId: "cus_ada" }) { offerId } }`)
  const { party } = await queryGraph(`{ party(partyId: "pty_ada") {
    displayName
    accounts { arrangementId balances { available } entries(first: 1) { nodes { amount } } }
    agreements { nodes { agreementId } }
    collaterals { nodes { collateralId links { facility { facilityId } } } }
    cases { nodes { caseId documents { nodes { documentId } } } }
    documents { nodes { documentId } }
    notifications { nodes { channel } }
    interactions { nodes { interactionId } }
    customers {
      loanApplications { nodes { applicationId decisions { outcome } } }
      facilities { nodes { facilityId state outstandingPrincipal { amount } schedule { dueDate }
        drawdowns { nodes { status } } } }
      offers { nodes { offerId } }
    } } }`)
  const [customer] = party.customers
  expect(party.accounts.map(({ arrangementId }: any) => arrangementId)).toContain('arr_ada_current')
  expect(party.accounts[0].entries.nodes).toHaveLength(1)
  expect(party.agreements.nodes.length).toBeGreaterThanOrEqual(3)
  expect(party.collaterals.nodes[0].collateralId).toBe('col_ada_house')
  expect(party.cases.nodes[0].documents.nodes).toEqual([{ documentId: 'doc_ada_letter' }])
  expect(party.documents.nodes).toEqual([{ documentId: 'doc_ada_letter' }])
  const channels = party.notifications.nodes.map(({ channel }: any) => channel)
  expect(channels.toSorted()).toEqual(['EMAIL', 'SECURE_MESSAGE'])
  expect(party.interactions.nodes).toBeInstanceOf(Array)
  expect(customer.loanApplications.nodes.map((each: any) => each.applicationId)).toEqual([
    'app_draft',
    'app_submitted',
    'app_approved',
  ])
  const facilities = Object.fromEntries(
    customer.facilities.nodes.map((each: any) => [each.facilityId, each]),
  )
  expect(facilities.loan_ada.schedule).toHaveLength(12)
  expect(facilities.fac_ada.drawdowns.nodes).toEqual([{ status: 'DISBURSED' }])
  expect(customer.offers.nodes).toEqual([{ offerId: 'off_ada' }])
})

const stateOf = ({ authorizations }: any, id: string) =>
  authorizations.nodes.find((each: any) => each.clientTransactionId === id)?.state

test('repays a loan, charges fees, expires authorizations and balances over a clock advance of a year', async () => {
  const now = bank.bank.now()
  const sendAt = new Date(now.getTime() + 60 * 86_400_000).toISOString()
  const { createNotification } = await queryGraph(
    `mutation ($sendAt: DateTime!) { createNotification(input: { partyId: "pty_ada", channel: EMAIL,
      templateCode: "tpl_welcome", sendAt: $sendAt }) { notificationId status } }`,
    { sendAt },
  )
  await queryGraph(
    `mutation ($expiresAt: DateTime!) { createPostingInstruction(input: { type: OUTBOUND_AUTHORIZATION,
      arrangementId: "arr_ada_current", amount: { amount: "10.00", currency: "EUR" },
      clientTransactionId: "card-1", expiresAt: $expiresAt }) { status } }`,
    { expiresAt: new Date(now.getTime() + 7 * 86_400_000).toISOString() },
  )
  const to = new Date(now)
  to.setUTCFullYear(to.getUTCFullYear() + 1)
  const startedAt = performance.now()
  const { advanceClock } = await queryGraph(
    `mutation ($to: DateTime!) { advanceClock(to: $to) { clockAdvance { clockAdvanceId } } }`,
    { to: to.toISOString() },
  )
  const { clockAdvanceId } = advanceClock.clockAdvance
  await eventually(async () => {
    const query = `{ clockAdvance(clockAdvanceId: "${clockAdvanceId}") { status } }`
    return (await queryGraph(query)).clockAdvance.status === 'COMPLETED'
  }, 60_000)
  const after =
    await queryGraph(`{ loan(loanId: "loan_ada") { state outstandingPrincipal { amount } }
    notification(notificationId: "${createNotification.notificationId}") { status }
    authorizations(arrangementId: "arr_ada_current", isOpen: false, first: 200) {
      nodes { clientTransactionId state } }
    feeRuns(status: "completed", productId: "prd_current", first: 200) { nodes { runType } } }`)
  expect(after.loan.state).toBe('PAID_OFF')
  expect(after.notification.status).toBe('DELIVERED')
  expect(stateOf(after, 'card-1')).toBe('EXPIRED')
  const periodic = after.feeRuns.nodes.filter(({ runType }: any) => runType === 'PERIODIC')
  expect(periodic.length).toBeGreaterThanOrEqual(11)
  expect(after.loan.outstandingPrincipal.amount).toBe('0.00')
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  const books = await queryGraph(`{ trialBalance(currency: "EUR") { difference }
    ledgerFindings { invariant } lendingFindings { invariant } }`)
  expect(books).toEqual({
    trialBalance: { difference: '0.00' },
    ledgerFindings: [],
    lendingFindings: [],
  })
})
