import type { Platform } from '../kit/platform.ts'
import { runMutation } from './kit.ts'

/** The clients of the bank, each with the same number of records in every area. */
export const pageSize = 50

const mutationsOf = (at: number) => [
  `createParty(input: { partyId: "pty_p${at}", kind: PERSON, givenName: "P${at}", familyName: "Q",
    contactPoints: [{ channel: SECURE_MESSAGE, address: "inbox", verified: true }] }) { partyId }`,
  `createCustomer(input: { customerId: "cus_p${at}", partyId: "pty_p${at}" }) { customerId }`,
  `startKyc(customerId: "cus_p${at}") { customerId }`,
  `passKyc(customerId: "cus_p${at}", expiresOn: "2099-12-31") { customerId }`,
  `activateCustomer(customerId: "cus_p${at}") { customerId }`,
  `createAgreement(input: { agreementId: "agr_p${at}", partyId: "pty_p${at}",
    productCode: "prd_current", agreementType: "current-account" }) { agreementId }`,
  `openAccountArrangement(input: { arrangementId: "arr_p${at}", customerId: "cus_p${at}",
    productId: "prd_current", currency: "EUR" }) { arrangementId }`,
  `createPostingInstruction(input: { type: INBOUND_HARD_SETTLEMENT, arrangementId: "arr_p${at}",
    amount: { amount: "${at + 1}.00", currency: "EUR" } }) { status }`,
  `createNotification(input: { partyId: "pty_p${at}", channel: SECURE_MESSAGE,
    templateCode: "tpl_welcome" }) { notificationId }`,
  `openCase(input: { caseId: "case_p${at}", caseType: SERVICING, title: "Case", partyId: "pty_p${at}",
    subjects: ["arrangement/arr_p${at}"], routingProfileId: "rtp_retail" }) { caseId }`,
  `attachDocument(input: { documentId: "doc_p${at}", caseId: "case_p${at}", title: "Letter",
    documentType: "letter", isShared: true, fileName: "a.txt", mediaType: "text/plain",
    content: "SGVsbG8K" }) { documentId }`,
  `createCollateral(input: { collateralId: "col_p${at}", collateralType: "real-estate",
    owners: [{ partyId: "pty_p${at}" }] }) { collateralId }`,
  `openFacility(input: { facilityId: "loan_p${at}", customerId: "cus_p${at}", kind: CONSUMER_LOAN,
    productId: "prd_consumer_loan", productVersion: "2026.1", ratePct: "5.9", installments: 12,
    limit: { amount: "1200.00", currency: "EUR" }, settlementArrangementId: "arr_p${at}",
    disburse: true }) { facilityId }`,
  `createLoanApplication(input: { applicationId: "app_p${at}", customerId: "cus_p${at}",
    quoteId: "quo_consumer_loan", settlementArrangementId: "arr_p${at}" }) { applicationId }`,
]

/** Fifty at once make a busy machine reply that the database is not available. */
const seedersAtOnce = 10

/** Creates `pageSize` clients in a sandbox, each with a record of every kind. */
export async function seedPage(bank: Platform): Promise<void> {
  const seedClient = async (at: number) => {
    for (const mutation of mutationsOf(at)) await runMutation(bank, mutation)
  }
  let next = 0
  const seedNext = async () => {
    while (next < pageSize) await seedClient(next++)
  }
  await Promise.all(Array.from({ length: seedersAtOnce }, seedNext))
}
