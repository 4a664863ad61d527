/** People and clients of a live bank, and every proposal on which a second person decides. */
import { aSampleBank, unique, type SampleBank } from '../contract/kit.ts'

/** What one person proposes, and how another decides on it. */
export interface FourEyesRule {
  /** The mutation that needs the second person. */
  mutation: string
  /** Proposes with a token; returns the document of the decision. */
  propose(act: Act): Promise<string>
}

type Act = (document: string) => Promise<any>

/** Creates a record by one mutation; returns its ID. */
const create = async (act: Act, mutation: string, idField: string): Promise<string> =>
  (await act(`mutation { it: ${mutation} { ${idField} } }`)).it[idField]

const templateInReview = async (act: Act) => {
  const id = unique('tpl')
  await act(`mutation { createNotificationTemplate(input: { templateId: "${id}", channel: PUSH,
    body: "Hello.", status: "in-review" }) { templateId } }`)
  return id
}

const anEmployee = async (act: Act) => {
  const username = unique('e')
  const hire = `hireEmployee(input: { username: "${username}", name: "N", roles: [TELLER] })`
  return create(act, hire, 'employeeId')
}

const anApplication = async (act: Act) => {
  const id = unique('app')
  await act(`mutation { createLoanApplication(input: { applicationId: "${id}", customerId: "cus_ada",
    productId: "prd_loan", requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 })
    { status } }`)
  await act(`mutation { submitCreditApplication(input: { applicationId: "${id}" }) { status } }`)
  return id
}

const aClosedParty = async (bank: SampleBank) => {
  const id = unique('pty')
  await bank.act(`mutation { createParty(input: { partyId: "${id}", kind: PERSON, givenName: "A",
    familyName: "B" }) { partyId } }`)
  await bank.act(`mutation { closeParty(partyId: "${id}") { partyId } }`)
  return id
}

const proposeLoss = (act: Act) =>
  create(
    act,
    'proposeFacilityLoss(input: { facilityId: "loan_money", action: CHARGE_OFF, reason: "Insolvent" })',
    'lossProposalId',
  )
const proposeCorrection = (act: Act) =>
  create(
    act,
    'proposeBalanceCorrection(input: { accountId: "arr_money", reason: "A finding." })',
    'correctionId',
  )

/**
 * Every four-eyes rule, except that of tool calls, which need a model. The order matters: the
 * rejections end proposals of which a record has at most one, and losses come last.
 */
export function rulesOf(bank: SampleBank): FourEyesRule[] {
  const rule = (mutation: string, propose: (act: Act) => Promise<string>): FourEyesRule => ({
    mutation,
    propose: async (act) => `mutation { ${mutation}${await propose(act)} }`,
  })
  const erasure = async (act: Act) => {
    const input = `{ partyId: "${await aClosedParty(bank)}", reason: "Asked" }`
    const id = await create(act, `proposeErasure(input: ${input})`, 'erasureRequestId')
    return `(erasureRequestId: "${id}") { state }`
  }
  return [
    rule('approveNotificationTemplate', async (act) => {
      return `(templateId: "${await templateInReview(act)}") { status }`
    }),
    rule('rejectNotificationTemplate', async (act) => {
      return `(templateId: "${await templateInReview(act)}", reason: "No") { status }`
    }),
    rule('publishAssistantVersion', async (act) => {
      const input = `{ assistantType: "${unique('t')}", purpose: "P", isForCustomers: false,
        consent: NEVER, tools: ["get_balance"], maxMessages: 9, maxTokens: 999, maxCostMicros: 999 }`
      const draft = `draftAssistantVersion(input: ${input})`
      return `(assistantVersionId: "${await create(act, draft, 'assistantVersionId')}") { status }`
    }),
    rule('approveEmployee', async (act) => {
      return `(employeeId: "${await anEmployee(act)}") { status }`
    }),
    rule('issueEmployeeLogInCode', async (act) => {
      const id = await anEmployee(bank.act)
      const approve = `mutation { approveEmployee(employeeId: "${id}") { status } }`
      await bank.graph(approve, {}, { token: bank.token({ subject: 'hans' }) })
      await act(`mutation { requestEmployeeLogInCode(employeeId: "${id}") { employeeId } }`)
      return `(employeeId: "${id}") { expiresAt }`
    }),
    rule('approveOAuthClient', async (act) => {
      const input = `{ clientId: "${unique('c')}", label: "C", scopes: ["fees:read"] }`
      const { it } = await act(
        `mutation { it: registerOAuthClient(input: ${input}) { client { clientId } } }`,
      )
      return `(clientId: "${it.client.clientId}") { clientId }`
    }),
    rule('reviewHardshipRequest', async (act) => {
      const input = `{ loanId: "loan_money", type: TERM_EXTENSION, reason: "${unique('r')}" }`
      const request = `createHardshipRequest(input: ${input})`
      const id = await create(act, request, 'hardshipRequestId')
      await bank.graph(
        `mutation { reviewHardshipRequest(input: { hardshipRequestId: "${id}", action: START }) {
          status } }`,
        {},
        { token: bank.token({ subject: 'hans' }) },
      )
      return `(input: { hardshipRequestId: "${id}", action: DECLINE,
        reasons: [NO_PROSPECT_OF_REPAYMENT] }) { status }`
    }),
    rule('approveErasure', erasure),
    rule('rejectErasure', erasure),
    rule('recordCreditDecision', async (act) => {
      return `(input: { applicationId: "${await anApplication(act)}", outcome: "declined",
        reasons: [{ code: "INCOME_INSUFFICIENT" }] }) { outcome }`
    }),
    rule('rejectBalanceCorrection', async (act) => {
      return `(correctionId: "${await proposeCorrection(act)}") { state }`
    }),
    rule('approveBalanceCorrection', async (act) => {
      return `(correctionId: "${await proposeCorrection(act)}") { state }`
    }),
    rule('rejectFacilityLoss', async (act) => {
      return `(lossProposalId: "${await proposeLoss(act)}") { state }`
    }),
  ]
}

/** A live bank in which Pia has a program, and a client of Uma speaks for Pia. */
export async function aBankOfPersons() {
  const bank = await aSampleBank('live')
  const tokens = {
    pia: bank.token({ subject: 'pia', clientId: 'console-one' }),
    'pia in another app': bank.token({ subject: 'pia', clientId: 'console-two' }),
    'pia in another session': bank.token({ subject: 'pia', clientId: 'console-one' }),
    uma: bank.token({ subject: 'uma' }),
    olga: bank.token({ subject: 'olga' }),
    'pia-program': bank.token({ clientId: 'pia-program' }),
    'pia-speaker': bank.token({ clientId: 'pia-speaker' }),
    'choir-speaker': bank.token({ clientId: 'choir-speaker' }),
  }
  type Actor = keyof typeof tokens
  const as = (actor: Actor, document: string) =>
    bank.graph(document, {}, { token: tokens[actor] }).then(({ body }) => body)
  const act = (actor: Actor) => async (document: string) => {
    const { errors, data } = await as(actor, document)
    if (errors) throw new Error(`${document}: ${JSON.stringify(errors)}`)
    return data
  }
  const register = async (actor: Actor, clientId: string, actsFor: string) => {
    await act(actor)(`mutation { registerOAuthClient(input: { clientId: "${clientId}", label: "C",
      scopes: ["fees:read"], actsFor: [${actsFor}] }) { client { clientId } } }`)
    await act('olga')(`mutation { approveOAuthClient(clientId: "${clientId}") { clientId } }`)
  }
  await register('pia', 'pia-program', '')
  await register('uma', 'pia-speaker', '"pia"')
  await register('uma', 'choir-speaker', '"pia", "hans"')
  return { bank, as, act }
}
