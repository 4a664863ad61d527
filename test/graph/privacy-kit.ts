import type { Logger } from 'pino'
import { seedFixtures } from '../../host/fixtures.ts'
import { aPlatform, eventually, theGraph, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

/** Two employees. The four-eyes rules compare their names. */
export const officer = 'mia.privacy'
export const secondOfficer = 'noah.privacy'

export interface PrivacyBank {
  bank: Platform
  /** Runs a document as the bank, a party or an employee. */
  run(document: string, variables?: object, actor?: object): Promise<any>
  /** The same for a document that is rejected: the code and the members of the problem. */
  rejected(document: string, variables?: object, actor?: object): Promise<any>
  /** Every text of the database that contains a part, as `table: value`. */
  search(part: string): Promise<string[]>
}

/** A sandbox with its fixtures. A quiet one runs no jobs. */
export async function aPrivacyBank(
  isQuiet = false,
  settings: Record<string, string> = {},
  databaseUrl?: string,
  log?: Logger,
): Promise<PrivacyBank> {
  const bank = databaseUrl
    ? await aPlatform('sandbox', databaseUrl, isQuiet, settings, log)
    : await aSeededPlatform('sandbox', isQuiet, settings, log)
  if (databaseUrl) await seedFixtures(await theGraph(), bank.bank)
  const answer = async (document: string, variables: object, actor?: object) => {
    const token = bank.token(actor)
    return (
      await bank.graph(document, variables as Record<string, unknown>, {
        token,
        headers: { 'sandbox-strict': 'true' },
      })
    ).body
  }
  return {
    bank,
    async run(document, variables = {}, actor) {
      const { data, errors } = await answer(document, variables, actor)
      if (errors) throw new Error(`${document}\n${JSON.stringify(errors)}`)
      return data
    },
    async rejected(document, variables = {}, actor) {
      const { errors } = await answer(document, variables, actor)
      return errors?.[0].extensions
    },
    async search(part) {
      const { rows: tables } = await bank.bank.pool.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
      )
      const found: string[] = []
      for (const { name } of tables) {
        const text = `select t::text as row from ${name} t where strpos(t::text, $1) > 0`
        const { rows } = await bank.bank.pool.query<{ row: string }>(text, [part])
        found.push(...rows.map(({ row }) => `${name}: ${row}`))
      }
      return found
    },
  }
}

/** Every text about the person contains one of these, and nothing else does. */
export const markers = {
  name: 'Zmarkname',
  address: 'zmarkmail',
  nickname: 'Zmarknick',
  remittance: 'Zmarkpay',
  payee: 'Zmarkpayee',
  purpose: 'Zmarkpurpose',
  title: 'Zmarktitle',
  note: 'Zmarknote',
  internal: 'Zmarkinternal',
  document: 'Zmarkdoc',
  interaction: 'Zmarkcall',
  release: 'Zmarkrelease',
  message: 'Zmarkletter',
  question: 'Zmarkquestion',
} as const

const m = markers

/** What the person and the bank do, so that every area has data about the person. */
const steps = [
  `createParty(input: { partyId: "pty_mona", kind: PERSON, givenName: "${m.name}", familyName: "M",
    contactPoints: [{ channel: EMAIL, address: "${m.address}@example.com", verified: true }] })
    { partyId }`,
  'createCustomer(input: { customerId: "cus_mona", partyId: "pty_mona" }) { customerId }',
  'startKyc(customerId: "cus_mona") { customerId }',
  'passKyc(customerId: "cus_mona", expiresOn: "2099-12-31") { customerId }',
  'activateCustomer(customerId: "cus_mona") { customerId }',
  `openAccountArrangement(input: { arrangementId: "arr_mona", customerId: "cus_mona",
    productId: "prd_current", currency: "EUR", nickname: "${m.nickname}" }) { arrangementId }`,
  `createPostingInstruction(input: { type: INBOUND_HARD_SETTLEMENT, arrangementId: "arr_mona",
    amount: { amount: "10.00", currency: "EUR" }, remittanceInformation: "Deposit" }) { status }`,
  `createTransfer(input: { paymentId: "pay_mona", debtorArrangementId: "arr_mona",
    creditorArrangementId: "arr_grace_current", creditorName: "${m.payee}",
    amount: { amount: "10.00", currency: "EUR" }, remittanceInformation: "${m.remittance}" })
    { state }`,
  `createLoanApplication(input: { applicationId: "app_mona", customerId: "cus_mona",
    productId: "prd_consumer_loan", purpose: "${m.purpose}",
    requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { applicationId }`,
  `openCase(input: { caseId: "case_mona", caseType: COMPLAINT, title: "${m.title}",
    partyId: "pty_mona" }) { caseId }`,
  `addCaseNote(caseId: "case_mona", text: "${m.note}", isShared: true) { caseId }`,
  `addCaseNote(caseId: "case_mona", text: "${m.internal}", isShared: false) { caseId }`,
  `attachDocument(input: { documentId: "doc_mona", caseId: "case_mona", title: "${m.document}",
    documentType: "letter", isShared: true, fileName: "${m.document}.txt", mediaType: "text/plain",
    content: "aGVsbG8=" }) { documentId }`,
  `logInteraction(input: { interactionId: "int_mona", partyId: "pty_mona", channel: VOICE,
    subject: "${m.interaction}", endedAt: "2026-01-15T09:00:00Z" }) { interactionId }`,
  `createNotification(input: { partyId: "pty_mona", channel: EMAIL, templateCode: "tpl_welcome",
    personalization: { name: "${m.message}" } }) { notificationId }`,
]
const ownSteps = [
  'createAssistSession(input: { sessionId: "ses_mona", assistantType: "customer-self-service" }) { sessionId }',
  `sendAssistMessage(input: { sessionId: "ses_mona", content: "${m.question}?" }) { messageId }`,
]

/** The person guarantees a loan of somebody else. */
const guarantorSteps = [
  `openFacility(input: { facilityId: "fac_guaranteed", customerId: "cus_grace", kind: CONSUMER_LOAN,
    limit: { amount: "100.00", currency: "EUR" }, ratePct: "5", installments: 12 }) { facilityId }`,
  `addFacilityObligor(input: { obligorId: "obl_mona", facilityId: "fac_guaranteed",
    partyId: "pty_mona", role: GUARANTOR, amount: "50.00", documentId: "doc_mona" }) { status }`,
  `proposeObligorRelease(obligorId: "obl_mona", reason: "${m.release}") { status }`,
]

/** Creates the person, with data in every area. */
export async function aPersonEverywhere({ run, bank }: PrivacyBank): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await run(`mutation { ${step} }`)
    // A stored response of an idempotency key is a copy, too.
    if (index === 0) {
      const document = `mutation { updateParty(input: { partyId: "pty_mona", familyName: "${m.name}" })
        { familyName displayName } }`
      await bank.graph(document, {}, { key: 'mona-name' })
    }
  }
  for (const step of guarantorSteps) await run(`mutation { ${step} }`, {}, { subject: officer })
  for (const step of ownSteps) await run(`mutation { ${step} }`, {}, { partyId: 'pty_mona' })
  // The positions of the accounts are opened a moment after the accounts.
  const position = "select from interest.position where party_id = 'pty_mona'"
  await eventually(async () => (await bank.bank.pool.query(position)).rowCount)
}

/** Ends all business with the person. */
export async function endBusiness({ run }: PrivacyBank): Promise<void> {
  const release = 'mutation { approveObligorRelease(obligorId: "obl_mona") { status } }'
  await run(release, {}, { subject: secondOfficer })
  for (const step of [
    'withdrawLoanApplication(applicationId: "app_mona") { applicationId }',
    'withdrawCase(caseId: "case_mona") { caseId }',
    'requestAccountArrangementClosure(arrangementId: "arr_mona") { state }',
    'closeAccountArrangement(arrangementId: "arr_mona") { state }',
    'closeCustomer(customerId: "cus_mona") { status }',
    'closeParty(partyId: "pty_mona") { status }',
  ]) {
    await run(`mutation { ${step} }`)
  }
}
