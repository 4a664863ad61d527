import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { approve, aSession, consent, seedSample, post, setKillSwitch } from './kit.ts'

let bank: SampleBank
let startDate: string
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
  await seedSample(bank)
  await bank.act(`mutation { createLoanApplication(input: { applicationId: "app_ada",
    customerId: "cus_ada", productId: "prd_loan", termMonths: 12,
    requestedAmount: { amount: "6000.00", currency: "EUR" } }) { status } }`)
  const { facility } = await bank.act(
    '{ facility(facilityId: "loan_money") { nextInstallment { dueDate } } }',
  )
  startDate = facility.nextInstallment.dueDate
})
afterAll(() => bank.stop())

const loanOf = async () => {
  const { facility } = await bank.act(
    '{ facility(facilityId: "loan_money") { outstandingPrincipal { amount } payoffQuote { total { amount } } } }',
  )
  return facility
}

/** The latest tool call of a session, as the approver reads it. */
async function waitingIn(sessionId: string) {
  const { assistSession } = await bank.act(
    `{ assistSession(sessionId: "${sessionId}") { toolCalls { toolCallId name state arguments argumentsHash effect } } }`,
  )
  return assistSession.toolCalls.at(-1)
}

test('answers questions about an application’s status and a loan’s payoff amount', async () => {
  const sessionId = await aSession(bank)
  const { body } = await post(bank, sessionId, 'What about application app_ada?')
  expect(body.content).toBe('The application app_ada is draft.')
  const { payoffQuote } = await loanOf()
  const payoff = await post(bank, sessionId, 'What would pay loan_money off?')
  expect(payoff.body.content).toContain(`${payoffQuote.total.amount} EUR pay loan_money off on`)
  const foreign = await post(bank, sessionId, 'What about application app_none?')
  expect(foreign.body.content).toMatch(/^That did not work/)
})

test('previews an extra payment and a payment holiday without changing the loan', async () => {
  const sessionId = await aSession(bank)
  const before = await loanOf()
  const paid = await post(
    bank,
    sessionId,
    'What if I pay 500.00 extra on loan_money from arr_money?',
  )
  expect(paid.body.content).toMatch(
    /500\.00 EUR extra on .* save .* interest.* Nothing was paid\.$/,
  )
  const paused = await post(
    bank,
    sessionId,
    `What if I pause 2 installments of loan_money on ${startDate}?`,
  )
  expect(paused.body.content).toMatch(/^A pause from .* would cost .* Nothing was paused\.$/)
  expect([paid.body.status, paused.body.status]).toEqual(['completed', 'completed'])
  expect(await loanOf()).toEqual(before)
})

test('shows the effect of an extra payment to the approver and pays it once after approval', async () => {
  const sessionId = await aSession(bank)
  const before = Number((await loanOf()).outstandingPrincipal.amount)
  const { body } = await post(bank, sessionId, 'Pay 500.00 extra on loan_money from arr_money.')
  expect(body.status).toBe('awaiting-approval')
  const call = await waitingIn(sessionId)
  expect(call.arguments).toEqual({
    facilityId: 'loan_money',
    amount: '500.00',
    sourceArrangementId: 'arr_money',
  })
  expect(call.effect).toMatchObject({ amount: { amount: '500.00' }, before: {}, after: {} })
  expect(call.effect.after).not.toEqual(call.effect.before)
  const approved = await approve(bank, call)
  expect(approved.body.data.approveToolCall).toMatchObject({
    state: 'EXECUTED',
    result: { status: 'APPLIED', extraPaymentId: `xpm_${call.toolCallId.slice(4)}` },
  })
  const after = Number((await loanOf()).outstandingPrincipal.amount)
  expect(after).toBeLessThan(before)
  expect(after).toBeGreaterThanOrEqual(before - 500)
  expect((await waitingIn(sessionId)).effect).toBeNull()
})

test('shows the effect of edited arguments, or the expected error', async () => {
  const sessionId = await aSession(bank)
  await post(bank, sessionId, 'Pay 5.00 extra on loan_money from arr_money.')
  const { toolCallId } = await waitingIn(sessionId)
  await bank.act(
    `mutation ($args: JSONObject!) { editToolCall(toolCallId: "${toolCallId}", arguments: $args) { state } }`,
    { args: { facilityId: 'loan_none', amount: '7.00', sourceArrangementId: 'arr_money' } },
    { token: bank.token({ subject: 'editor' }) },
  )
  expect((await waitingIn(sessionId)).effect).toMatchObject({ code: 'FACILITY_NOT_FOUND' })
})

test('rejects approval when the tool is disabled or the session has ended', async () => {
  const before = await loanOf()
  const sessionId = await aSession(bank)
  await post(bank, sessionId, 'Pay 6.00 extra on loan_money from arr_money.')
  const call = await waitingIn(sessionId)
  const codeOf = async () => (await approve(bank, call)).body.errors[0].extensions.code
  await setKillSwitch(bank, 'tool:make_extra_payment', true)
  expect(await codeOf()).toBe('ASSISTANT_DISABLED')
  await setKillSwitch(bank, 'tool:make_extra_payment', false)
  await consent(bank, 'servicing-agent', 'withdraw')
  expect(await codeOf()).toBe('SESSION_NOT_ACTIVE')
  expect(await loanOf()).toEqual(before)
})

test('requests a payment holiday after another person has approved it', async () => {
  const sessionId = await aSession(bank)
  await post(bank, sessionId, `Pause 2 installments of loan_money from ${startDate}`)
  const call = await waitingIn(sessionId)
  expect(call).toMatchObject({
    name: 'request_payment_holiday',
    arguments: { facilityId: 'loan_money', startDate, installments: 2 },
    effect: { facilityId: 'loan_money', startDate, before: {}, after: {} },
  })
  const { body } = await approve(bank, call)
  const { state, result } = body.data.approveToolCall
  expect([state, result.paymentHolidayId]).toEqual(['EXECUTED', `hol_${call.toolCallId.slice(4)}`])
})
