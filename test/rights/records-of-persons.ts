/** Records in the states in which persons decide on them. The bank's program prepares them. */
import { generateKeyPairSync } from 'node:crypto'
import { unique, type SampleBank } from '../contract/kit.ts'
import { eventually } from '../kit/eventually.ts'
import { create, type Act } from './persons-kit.ts'

export const ahead = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** An employee whose roles a second person has approved. */
export async function anActiveEmployee(bank: SampleBank): Promise<string> {
  const as = (subject: string) => (document: string) =>
    bank.act(document, {}, { token: bank.token({ subject }) })
  const hire = `hireEmployee(input: { username: "${unique('e')}", name: "N", roles: [TELLER] })`
  const employeeId = await create(as('ruth'), hire, 'employeeId')
  await as('rolf')(`mutation { approveEmployee(employeeId: "${employeeId}") { status } }`)
  return employeeId
}

/** A submitted application of Ada. */
export async function anApplication(act: Act): Promise<string> {
  const id = unique('app')
  await act(`mutation { createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada",
    productId: "prd_loan", requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 })
    { status } }`)
  await act(`mutation { submitCreditApplication(input: { applicationId: "${id}" }) { status } }`)
  return id
}

/** An approved application with the condition `payslip`. */
export async function aConditionalApproval({ act }: SampleBank): Promise<string> {
  const id = await anApplication(act)
  await act(`mutation { recordCreditDecision(input: { applicationId: "${id}", outcome: "approved",
    decidedBy: "officer_1", conditions: [{ code: "payslip" }] }) { outcome } }`)
  return id
}

/** A loan of 900.00 EUR that is paid out. */
export const aLoan = ({ act }: SampleBank, more = '') =>
  create(
    act,
    `openFacility(input: { customerId: "cus_ada", kind: CONSUMER_LOAN, ratePct: "5.4",
      limit: { amount: "900.00", currency: "EUR" }, installments: 24, disburse: true,
      settlementArrangementId: "arr_money" ${more} })`,
    'facilityId',
  )

/** A loan with a late installment, for which a fee was charged. */
export async function aLateLoan({ act }: SampleBank): Promise<string> {
  const productId = unique('prd')
  await act(`mutation { createProduct(input: { productId: "${productId}", name: "Charged when late",
    productClass: "consumer-loan", status: "active", version: "2026.1", currencies: ["EUR"],
    fees: [{ code: "late", frequency: PER_LATE_INSTALLMENT, amount: { amount: "9.00", currency: "EUR" } }]
  }) { productId } }`)
  const loan = await create(
    act,
    `openFacility(input: { customerId: "cus_ada", kind: CONSUMER_LOAN, ratePct: "5.4",
      productId: "${productId}", limit: { amount: "900.00", currency: "EUR" }, installments: 24,
      frequency: BIWEEKLY, openedOn: "${ahead(-20)}" })`,
    'facilityId',
  )
  await act(`mutation { createDrawdown(input: { facilityId: "${loan}", amount: "900.00",
    valueDate: "${ahead(-20)}", destination: { arrangementId: "arr_money" } }) { drawdownId } }`)
  await act(`mutation { closeFacilityDays(facilityId: "${loan}") { facilityId } }`)
  return loan
}

/** A drawdown that waits for the approval of the bank. */
export async function aRequestedDrawdown({ act }: SampleBank): Promise<string> {
  const limit = await create(
    act,
    `openFacility(input: { customerId: "cus_ada", kind: REVOLVING, ratePct: "7.4",
      limit: { amount: "900.00", currency: "EUR" }, isApprovalRequired: true,
      settlementArrangementId: "arr_money" })`,
    'facilityId',
  )
  const draw = `createDrawdown(input: { facilityId: "${limit}", amount: "10.00" })`
  return create(act, draw, 'drawdownId')
}

/** A payment holiday that waits for the approval of the bank. */
export async function aRequestedHoliday(bank: SampleBank): Promise<string> {
  const productId = unique('prd')
  await bank.act(`mutation { createProduct(input: { productId: "${productId}", name: "Asks",
    productClass: "consumer-loan", status: "active", version: "2026.1", interest: { basePct: "5.9" },
    parameters: [{ name: "isHolidayApprovalRequired", type: BOOLEAN, default: "true" }] })
    { productId } }`)
  const loan = await aLoan(bank, `productId: "${productId}"`)
  return create(
    bank.act,
    `createPaymentHoliday(input: { facilityId: "${loan}", startDate: "${ahead(70)}", installments: 1 })`,
    'paymentHolidayId',
  )
}

/** A drawdown, a repayment or an extra payment that is booked. */
export const aDrawdown = ({ act }: SampleBank) =>
  create(act, 'createDrawdown(input: { facilityId: "fac_money", amount: "10.00" })', 'drawdownId')
export const aRepayment = async (bank: SampleBank) =>
  create(
    bank.act,
    `recordRepayment(input: { facilityId: "${await aLoan(bank)}", amount: "10.00",
      sourceArrangementId: "arr_money" })`,
    'repaymentId',
  )
export const anExtraPayment = async (bank: SampleBank) =>
  create(
    bank.act,
    `createExtraPayment(input: { facilityId: "${await aLoan(bank)}", amount: "10.00",
      sourceArrangementId: "arr_money" })`,
    'extraPaymentId',
  )

/** A completed fee run, and the fee that an account without money still owes after it. */
export async function aFeeRun({ act }: SampleBank) {
  const productId = unique('prd')
  await act(`mutation { createProduct(input: { productId: "${productId}", name: "Charged",
    productClass: "current-account", status: "active", version: "2026.1", fees: [{ code: "account",
    frequency: MONTHLY, amount: { amount: "1.00", currency: "EUR" } }] }) { productId } }`)
  const open = `openAccountArrangement(input: { customerId: "cus_ada", productId: "${productId}" })`
  const arrangementId = await create(act, open, 'arrangementId')
  const start = `startFeeRun(input: { feeCode: "account", productId: "${productId}" })`
  const feeRunId = await create(act, start, 'feeRunId')
  await eventually(async () => {
    const { feeRun } = await act(`{ feeRun(feeRunId: "${feeRunId}") { status } }`)
    return feeRun.status.startsWith('COMPLETED')
  })
  const { feeReceivables } = await act(
    `{ feeReceivables(arrangementId: "${arrangementId}") { nodes { feeReceivableId } } }`,
  )
  return { feeRunId, feeReceivableId: feeReceivables.nodes[0].feeReceivableId as string }
}

/** The account and the fee of a charge that an employee can make, as an input. */
export async function aFeeToCharge({ act }: SampleBank): Promise<string> {
  const productId = unique('prd')
  await act(`mutation { createProduct(input: { productId: "${productId}", name: "Served",
    productClass: "current-account", status: "active", version: "2026.1", fees: [{ code: "copy",
    frequency: ON_REQUEST, amount: { amount: "1.00", currency: "EUR" } }] }) { productId } }`)
  const open = `openAccountArrangement(input: { customerId: "cus_ada", productId: "${productId}" })`
  return `(input: { arrangementId: "${await create(act, open, 'arrangementId')}", feeCode: "copy" })`
}

/** Collateral whose security interest is perfected. */
export async function anActiveCollateral({ act }: SampleBank): Promise<string> {
  const id = await create(
    act,
    'createCollateral(input: { collateralType: "real-estate", owners: [{ partyId: "pty_ada" }] })',
    'collateralId',
  )
  await act(`mutation { valueCollateral(input: { collateralId: "${id}", method: INDEX,
    marketValue: { amount: "90.00", currency: "EUR" } }) { status } }`)
  await act(`mutation { perfectCollateral(input: { collateralId: "${id}", registry: "Land register" })
    { status } }`)
  return id
}

/** A document under a legal hold. */
export async function aHeldDocument({ act }: SampleBank): Promise<string> {
  const id = await create(
    act,
    `attachDocument(input: { title: "Deed", documentType: "deed", partyId: "pty_ada",
      content: "aGVsbG8=", fileName: "deed.txt", mediaType: "text/plain" })`,
    'documentId',
  )
  await act(`mutation { placeLegalHold(input: { documentId: "${id}", reason: "A lawsuit." })
    { status } }`)
  return id
}

/** A tool call of the bank's program that waits for approval. */
export async function aHeldTransfer(bank: SampleBank & { model: { replies: object[] } }, act: Act) {
  const args = {
    debtorArrangementId: 'arr_money',
    creditorArrangementId: 'arr_savings',
    amount: '1.00',
    currency: 'EUR',
  }
  bank.model.replies.push({ tool: { name: 'transfer', args } })
  const input = '{ assistantType: "servicing-agent", subject: { partyId: "pty_ada" } }'
  const sessionId = await create(act, `createAssistSession(input: ${input})`, 'sessionId')
  await act(`mutation { sendAssistMessage(input: { sessionId: "${sessionId}", content: "Move 1.00." })
    { status } }`)
  const { assistSession } = await act(
    `{ assistSession(sessionId: "${sessionId}") { toolCalls { toolCallId argumentsHash } } }`,
  )
  return assistSession.toolCalls.at(-1) as { toolCallId: string; argumentsHash: string }
}

/** A public key, as the input of a client. */
export function aPublicKey(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  return `{ keys: [{ kty: "${kty}", crv: "${crv}", x: "${x}", y: "${y}" }] }`
}
