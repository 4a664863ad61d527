/** Every mutation that needs a person, but no second one. */
import type { ABankWithAModel } from '../subgraphs/assist/kit.ts'
import { unique } from '../contract/kit.ts'
import { create, prepared, type Act, type Prepared } from './persons-kit.ts'
import { accountingMutations } from './records-of-accountants.ts'
import { guaranteeMutations } from './records-of-guarantors.ts'
import * as records from './records-of-persons.ts'
import { interestMutations } from './records-of-savers.ts'

const pauseOf = (loan: string) =>
  `(input: { facilityId: "${loan}", until: "${records.ahead(5)}", reason: LEGAL }) { state }`

const draftVersion = (act: Act) =>
  create(
    act,
    `draftAssistantVersion(input: { assistantType: "${unique('t')}", purpose: "P", consent: NEVER,
      tools: ["get_balance"], maxMessages: 9, maxTokens: 999, maxCostMicros: 999 })`,
    'assistantVersionId',
  )

const hire = (act: Act) =>
  create(
    act,
    `hireEmployee(input: { username: "${unique('e')}", name: "N", roles: [TELLER] })`,
    'employeeId',
  )

async function register(act: Act, more = ''): Promise<string> {
  const { it } = await act(`mutation { it: registerOAuthClient(input: { label: "C",
    scopes: ["fees:read"] ${more} }) { client { clientId } } }`)
  return it.client.clientId as string
}

function ofAssistants(bank: ABankWithAModel): Prepared[] {
  return [
    prepared('rejectToolCall', async () => {
      const { toolCallId } = await records.aHeldTransfer(bank, bank.act)
      return `(toolCallId: "${toolCallId}") { state }`
    }),
    prepared('editToolCall', async () => {
      const { toolCallId } = await records.aHeldTransfer(bank, bank.act)
      return `(toolCallId: "${toolCallId}", arguments: { debtorArrangementId: "arr_money",
        creditorArrangementId: "arr_savings", amount: "2.00", currency: "EUR" }) { state }`
    }),
    prepared('draftAssistantVersion', async () => {
      return `(input: { assistantType: "${unique('t')}", purpose: "P", tools: ["get_balance"] })
        { status }`
    }),
    prepared('retireAssistantVersion', async (act) => {
      return `(assistantVersionId: "${await draftVersion(act)}") { status }`
    }),
    prepared('setAssistKillSwitch', async () => {
      return `(scope: "model:${unique('m')}", isOn: true) { isOn }`
    }),
  ]
}

function ofClients(): Prepared[] {
  const ofClient = async (act: Act, more = '') => `(clientId: "${await register(act, more)}")`
  return [
    prepared('registerOAuthClient', async () => {
      return '(input: { label: "C", scopes: ["fees:read"] }) { client { clientId } }'
    }),
    prepared('changeOAuthClient', async (act) => {
      return `(input: { clientId: "${await register(act)}", label: "D" }) { clientId }`
    }),
    prepared('rejectOAuthClient', async (act) => `${await ofClient(act)} { clientId }`),
    prepared('enableOAuthClient', async (act) => {
      const client = await ofClient(act)
      await act(`mutation { disableOAuthClient${client} { clientId } }`)
      return `${client} { clientId }`
    }),
    prepared('rotateOAuthClientSecret', async (act) => `${await ofClient(act)} { secret }`),
    prepared('replaceOAuthClientKeys', async (act) => {
      const more = `authentication: PRIVATE_KEY, jwks: ${records.aPublicKey()}`
      return `(clientId: "${await register(act, more)}", jwks: ${records.aPublicKey()}) { clientId }`
    }),
  ]
}

function ofEmployees(bank: ABankWithAModel): Prepared[] {
  return [
    prepared('hireEmployee', async () => {
      return `(input: { username: "${unique('e')}", name: "N", roles: [TELLER] }) { status }`
    }),
    prepared('changeEmployeeRoles', async () => {
      return `(employeeId: "${await records.anActiveEmployee(bank)}", roles: [AUDITOR]) { status }`
    }),
    prepared('rejectEmployee', async (act) => `(employeeId: "${await hire(act)}") { status }`),
    prepared('dismissEmployee', async () => {
      return `(employeeId: "${await records.anActiveEmployee(bank)}") { status }`
    }),
    prepared('reinstateEmployee', async (act) => {
      const id = await records.anActiveEmployee(bank)
      await act(`mutation { suspendEmployee(employeeId: "${id}", reason: "R") { status } }`)
      return `(employeeId: "${id}", roles: [TELLER]) { status }`
    }),
    prepared('requestEmployeeLogInCode', async () => {
      return `(employeeId: "${await records.anActiveEmployee(bank)}") { status }`
    }),
  ]
}

function ofCredit(bank: ABankWithAModel): Prepared[] {
  const loss = (facilityId: string) =>
    `(facilityId: "${facilityId}", reason: "Insolvent") { state }`
  const stageOf = (facilityId: string) =>
    `(input: { facilityId: "${facilityId}", stage: STAGE_2, reason: "R" }) { stageOverrideId }`
  return [
    prepared('grantCreditAuthority', async () => {
      return `(decider: "${unique('d')}", limit: { amount: "1.00", currency: "EUR" }) { decider }`
    }),
    prepared('waiveCondition', async () => {
      return `(applicationId: "${await records.aConditionalApproval(bank)}", code: "payslip") { status }`
    }),
    prepared('setFacilityStage', async () => stageOf(await records.aLoan(bank))),
    prepared('endStageOverride', async (act) => {
      const set = `setFacilityStage${stageOf(await records.aLoan(bank))}`
      const { it } = await act(`mutation { it: ${set} }`)
      return `(stageOverrideId: "${it.stageOverrideId}", reason: "R") { status }`
    }),
    prepared('chargeOffFacility', async () => loss(await records.aLoan(bank))),
    prepared('writeOffFacility', async (act) => {
      const id = await records.aLoan(bank)
      await act(`mutation { chargeOffFacility${loss(id)} }`)
      return loss(id)
    }),
    prepared('waiveLateCharges', async () => {
      const input = `{ facilityId: "${await records.aLateLoan(bank)}", installment: 1, reason: GOODWILL }`
      return `(input: ${input}) { state }`
    }),
    ...guaranteeMutations(bank),
    prepared('pauseLateCharges', async () => pauseOf(await records.aLateLoan(bank))),
    prepared('endLateChargePause', async (act) => {
      const loan = await records.aLateLoan(bank)
      await act(`mutation { pauseLateCharges${pauseOf(loan)} }`)
      return `(facilityId: "${loan}") { state }`
    }),
    prepared('reverseRepayment', async () => {
      return `(repaymentId: "${await records.aRepayment(bank)}") { status }`
    }),
    prepared('reverseDrawdown', async () => {
      return `(drawdownId: "${await records.aDrawdown(bank)}") { status }`
    }),
    prepared('reverseExtraPayment', async () => {
      return `(extraPaymentId: "${await records.anExtraPayment(bank)}") { status }`
    }),
    ...['approvePaymentHoliday', 'declinePaymentHoliday'].map((name) =>
      prepared(name, async () => {
        return `(paymentHolidayId: "${await records.aRequestedHoliday(bank)}") { status }`
      }),
    ),
    ...['approveDrawdown', 'declineDrawdown'].map((name) =>
      prepared(name, async () => {
        return `(drawdownId: "${await records.aRequestedDrawdown(bank)}") { status }`
      }),
    ),
    prepared('liquidateCollateral', async () => {
      return `(collateralId: "${await records.anActiveCollateral(bank)}") { status }`
    }),
  ]
}

/** The mutations, each with what it needs. */
export const onePersonMutations = (bank: ABankWithAModel): Prepared[] => [
  ...ofAssistants(bank),
  ...ofClients(),
  ...ofEmployees(bank),
  ...ofCredit(bank),
  ...accountingMutations(bank),
  ...interestMutations(bank),
  prepared('waiveFeeReceivable', async () => {
    const { feeReceivableId } = await records.aFeeRun(bank)
    return `(feeReceivableId: "${feeReceivableId}", reason: "Hardship") { status }`
  }),
  prepared('chargeFee', async () => `${await records.aFeeToCharge(bank)} { status }`),
  prepared('reverseFeeRun', async () => {
    return `(feeRunId: "${(await records.aFeeRun(bank)).feeRunId}") { feeRunId }`
  }),
  prepared('releaseLegalHold', async () => {
    return `(documentId: "${await records.aHeldDocument(bank)}") { status }`
  }),
]
