/** Every decision on which a second person is needed, with what the first person proposes. */
import type { ABankWithAModel } from '../subgraphs/assist/kit.ts'
import { unique } from '../contract/kit.ts'
import {
  aFeeToCharge,
  aHeldTransfer,
  aLoan,
  anActiveEmployee,
  anApplication,
} from './records-of-persons.ts'
import { accountingDecisions } from './records-of-accountants.ts'
import { create, prepared, type Act, type Prepared } from './persons-kit.ts'
import { guaranteeDecisions } from './records-of-guarantors.ts'
import { interestDecisions } from './records-of-savers.ts'

const templateInReview = async (act: Act) => {
  const id = unique('tpl')
  await act(`mutation { createNotificationTemplate(input: { templateId: "${id}", channel: PUSH,
    body: "Hello.", status: "in-review" }) { templateId } }`)
  return id
}

const aClosedParty = async (bank: ABankWithAModel) => {
  const id = unique('pty')
  await bank.act(`mutation { createParty(input: { partyId: "${id}", kind: PERSON, givenName: "A",
    familyName: "B" }) { partyId } }`)
  await bank.act(`mutation { closeParty(partyId: "${id}") { partyId } }`)
  return id
}

const proposeLoss = async (bank: ABankWithAModel, act: Act) =>
  create(
    act,
    `proposeFacilityLoss(input: { facilityId: "${await aLoan(bank)}", action: CHARGE_OFF,
      reason: "Insolvent" })`,
    'lossProposalId',
  )

const proposeCorrection = (act: Act) =>
  create(
    act,
    'proposeBalanceCorrection(input: { accountId: "arr_money", reason: "A finding." })',
    'correctionId',
  )

const proposeTable = (act: Act) =>
  create(
    act,
    `proposeProvisioningTable(input: { effectiveFrom: "2030-01-31", reason: "Estimates",
      segments: [{ segment: MORTGAGE, stages: [
        { stage: STAGE_1, pdPct: "1", lgdPct: "40", securedLgdPct: "20" }
        { stage: STAGE_2, pdPct: "9", lgdPct: "40", securedLgdPct: "20" }
        { stage: STAGE_3, pdPct: "100", lgdPct: "40", securedLgdPct: "20" }] }] })`,
    'provisioningTableId',
  )

const proposeStrategy = (act: Act) =>
  create(
    act,
    `proposeCollectionsStrategy(input: { effectiveFrom: "2099-01-01", reason: "Letters",
      steps: [{ code: "case", fromDaysPastDue: 30, action: OPEN_CASE }] })`,
    'collectionsStrategyId',
  )

export function secondPersonDecisions(bank: ABankWithAModel): Prepared[] {
  const erasure = async (act: Act) => {
    const input = `{ partyId: "${await aClosedParty(bank)}", reason: "Asked" }`
    const id = await create(act, `proposeErasure(input: ${input})`, 'erasureRequestId')
    return `(erasureRequestId: "${id}") { state }`
  }
  return [
    ...accountingDecisions(),
    prepared('approveNotificationTemplate', async (act) => {
      return `(templateId: "${await templateInReview(act)}") { status }`
    }),
    prepared('rejectNotificationTemplate', async (act) => {
      return `(templateId: "${await templateInReview(act)}", reason: "No") { status }`
    }),
    prepared('publishAssistantVersion', async (act) => {
      const input = `{ assistantType: "${unique('t')}", purpose: "P", isForCustomers: false,
        consent: NEVER, tools: ["get_balance"], maxMessages: 9, maxTokens: 999, maxCostMicros: 999 }`
      const draft = `draftAssistantVersion(input: ${input})`
      return `(assistantVersionId: "${await create(act, draft, 'assistantVersionId')}") { status }`
    }),
    prepared('approveToolCall', async (act) => {
      const { toolCallId, argumentsHash } = await aHeldTransfer(bank, act)
      return `(input: { toolCallId: "${toolCallId}", argumentsHash: "${argumentsHash}" }) { state }`
    }),
    prepared('approveEmployee', async (act) => {
      const input = `{ username: "${unique('e')}", name: "N", roles: [TELLER] }`
      const id = await create(act, `hireEmployee(input: ${input})`, 'employeeId')
      return `(employeeId: "${id}") { status }`
    }),
    prepared('issueEmployeeLogInCode', async (act) => {
      const id = await anActiveEmployee(bank)
      await act(`mutation { requestEmployeeLogInCode(employeeId: "${id}") { employeeId } }`)
      return `(employeeId: "${id}") { expiresAt }`
    }),
    prepared('approveOAuthClient', async (act) => {
      const input = `{ clientId: "${unique('c')}", label: "C", scopes: ["fees:read"] }`
      const { it } = await act(
        `mutation { it: registerOAuthClient(input: ${input}) { client { clientId } } }`,
      )
      return `(clientId: "${it.client.clientId}") { clientId }`
    }),
    prepared('reviewHardshipRequest', async (act) => {
      const input = `{ loanId: "loan_money", type: TERM_EXTENSION, reason: "${unique('r')}" }`
      const request = `createHardshipRequest(input: ${input})`
      const id = await create(act, request, 'hardshipRequestId')
      const start = `{ hardshipRequestId: "${id}", action: START }`
      const token = bank.token({ subject: 'ruth' })
      await bank.act(
        `mutation { reviewHardshipRequest(input: ${start}) { status } }`,
        {},
        { token },
      )
      return `(input: { hardshipRequestId: "${id}", action: DECLINE,
        reasons: [NO_PROSPECT_OF_REPAYMENT] }) { status }`
    }),
    prepared('approveErasure', erasure),
    prepared('rejectErasure', erasure),
    prepared('recordCreditDecision', async (act) => {
      return `(input: { applicationId: "${await anApplication(act)}", outcome: "declined",
        reasons: [{ code: "INCOME_INSUFFICIENT" }] }) { outcome }`
    }),
    prepared('rejectBalanceCorrection', async (act) => {
      return `(correctionId: "${await proposeCorrection(act)}") { state }`
    }),
    prepared('approveBalanceCorrection', async (act) => {
      return `(correctionId: "${await proposeCorrection(act)}") { state }`
    }),
    prepared('approveProvisioningTable', async (act) => {
      return `(provisioningTableId: "${await proposeTable(act)}") { status }`
    }),
    prepared('rejectProvisioningTable', async (act) => {
      return `(provisioningTableId: "${await proposeTable(act)}") { status }`
    }),
    prepared('approveCollectionsStrategy', async (act) => {
      return `(collectionsStrategyId: "${await proposeStrategy(act)}") { status }`
    }),
    prepared('rejectCollectionsStrategy', async (act) => {
      return `(collectionsStrategyId: "${await proposeStrategy(act)}") { status }`
    }),
    ...['approveFeeRefund', 'rejectFeeRefund'].map((name) =>
      prepared(name, async (act) => {
        const charge = `chargeFee${await aFeeToCharge(bank)}`
        const token = bank.token({ subject: 'ruth' })
        const asRuth: Act = (document) => bank.act(document, {}, { token })
        const id = await create(asRuth, charge, 'feeChargeId')
        await act(`mutation { proposeFeeRefund(feeChargeId: "${id}", reason: "No") { status } }`)
        return `(feeChargeId: "${id}") { status }`
      }),
    ),
    ...interestDecisions(bank),
    ...guaranteeDecisions(bank),
    prepared('rejectFacilityLoss', async (act) => {
      return `(lossProposalId: "${await proposeLoss(bank, act)}") { state }`
    }),
    prepared('approveFacilityLoss', async (act) => {
      return `(lossProposalId: "${await proposeLoss(bank, act)}") { state }`
    }),
  ]
}
