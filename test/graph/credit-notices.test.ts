/** Who is refused credit is told, once, with the reasons, wherever the telling is cut off. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../subgraphs/_kernel/worker.ts'
import { deliverNotifications } from '../../subgraphs/notifications/delivery/worker.ts'
import { tellApplicants } from '../../subgraphs/origination/notice-worker.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { actIn, lookInto, pullThePlug } from './kit.ts'

let bank: Platform
let serial = 0
let undo: (() => void)[] = []
beforeAll(async () => {
  // Workers run when the test says so.
  bank = await aPlatform('live', undefined, true)
  bank.bank.log.level = 'silent'
  for (const name of ['ada', 'grace']) {
    await act(`createParty(input: { partyId: "pty_${name}", kind: PERSON, givenName: "${name}",
      familyName: "L" }) { partyId }`)
    await act(
      `createCustomer(input: { customerId: "cus_${name}", partyId: "pty_${name}" }) { status }`,
    )
    await act(`startKyc(customerId: "cus_${name}") { status }`)
    await act(`passKyc(customerId: "cus_${name}", expiresOn: "2999-12-31") { status }`)
    await act(`activateCustomer(customerId: "cus_${name}") { status }`)
  }
  await act(`createProduct(input: { productId: "prd_loan", name: "Loan", productClass: "consumer-loan",
    status: "active", version: "2026.1", interest: { basePct: "5.9" } }) { productId }`)
})
afterAll(() => bank.stop())
afterEach(() => {
  for (const one of undo.toReversed()) one()
  undo = []
})

const act = (field: string) => actIn(bank, field)
const look = (fields: string, token?: string) => lookInto(bank, fields, token ? { token } : {})

const tell = () => tellApplicants.run(bankContext(bank.bank))

/** An application of Ada's that was decided so. */
async function decided(decision: string): Promise<string> {
  const applicationId = `app_${++serial}`
  await act(`createLoanApplication(input: { applicationId: "${applicationId}", customerId: "cus_ada",
    decisionMode: MANUAL, productId: "prd_loan", termMonths: 12,
    requestedAmount: { amount: "6000.00", currency: "EUR" } }) { status }`)
  await act(`submitCreditApplication(input: { applicationId: "${applicationId}" }) { status }`)
  await act(`recordCreditDecision(input: { applicationId: "${applicationId}", decidedBy: "officer_1",
    ${decision} }) { outcome }`)
  return applicationId
}
const declining = `outcome: "declined", comment: "Never again.",
  reasons: [{ code: "income-insufficient" }, { code: "other", text: "You moved <b>twice</b>." }]`

async function noticeOf(applicationId: string, token?: string) {
  const { loanApplication } = await look(
    `loanApplication(applicationId: "${applicationId}") { decisions { decisionId adverseActionNoticeDueBy
      notice { toldAt refusal notification { notificationId templateCode channel status party { partyId } } } } }`,
    token,
  )
  return loanApplication.decisions.at(-1).notice
}

async function eventsOf(applicationId: string): Promise<string[]> {
  const { rows } = await bank.bank.pool.query<{ type: string }>(
    `select type from (
       select type, subject from kernel.event union all
       select type, subject from kernel.outbox, json_populate_recordset(null::kernel.told, events)
     ) told where subject = $1 and type ~ '(applicant-told|notice-refused)$' order by type`,
    [`loan-application/${applicationId}`],
  )
  return rows.map(({ type }) => type.slice(type.lastIndexOf('.') + 1))
}

/** Until the end of the test, or until what it answers is called. */
function moveClock(ms: number): () => void {
  const { now } = bank.bank
  const back = () => void (bank.bank.now = now)
  undo.push(back)
  bank.bank.now = () => new Date(now().getTime() + ms)
  return back
}

const letters = async () => {
  const { rows } = await bank.bank.pool.query<{ count: number }>(
    'select count(*)::int from notifications.notification',
  )
  return rows[0]!.count
}

test('without a wording the letter waits, and the bank sees whose time runs', async () => {
  const late = await decided(declining)
  const back = moveClock(-3 * 86_400_000)
  const soon = await decided(declining)
  back()
  expect(await tell()).toBe(2)
  expect(await tell()).toBe(0)
  expect(await noticeOf(late)).toEqual({
    toldAt: null,
    refusal: 'TEMPLATE_NOT_FOUND',
    notification: null,
  })
  const untold =
    'untoldCreditDecisions(first: 1) { nodes { applicationId } pageInfo { endCursor } }'
  const { nodes, pageInfo } = (await look(untold)).untoldCreditDecisions
  expect(nodes).toEqual([{ applicationId: soon }])
  const next = untold.replace('first: 1', `first: 5, after: "${pageInfo.endCursor}"`)
  expect((await look(next)).untoldCreditDecisions.nodes).toEqual([{ applicationId: late }])
  for (const [code, reasons] of [
    ['tpl_credit_declined', '{{ reason1 }} / {{ reason2 }} / {{ requestedAmount }} {{ currency }}'],
    ['tpl_credit_counter_offer', '{{ offeredAmount }} at {{ offeredRatePct }}: {{ reason1 }}'],
  ]) {
    const names = [...reasons!.matchAll(/{{ (\w+) }}/g)].map(([, name]) => `{ name: "${name}" }`)
    await act(`createNotificationTemplate(input: { templateCode: "${code}", channel: SECURE_MESSAGE,
      category: REGULATORY, status: "active", subject: "Your application", body: "${reasons}",
      variables: [${names.join(', ')}] }) { templateId }`)
  }
  expect(await tell()).toBe(0)
  moveClock(3_600_000)
  expect(await tell()).toBe(2)
  expect((await look(untold)).untoldCreditDecisions.nodes).toEqual([])
  expect(await eventsOf(late)).toEqual(['applicant-told', 'notice-refused'])
})

describe('an applicant', () => {
  test('who was declined reads why, and nothing that is not for them', async () => {
    const id = await decided(declining)
    expect(await tell()).toBe(1)
    const ada = bank.token({ partyId: 'pty_ada' })
    const notice = await noticeOf(id, ada)
    expect(notice).toMatchObject({
      refusal: null,
      notification: {
        templateCode: 'tpl_credit_declined',
        channel: 'SECURE_MESSAGE',
        party: { partyId: 'pty_ada' },
      },
    })
    expect(Date.parse(notice.toldAt)).toBeGreaterThan(Date.now() - 60_000)
    while ((await deliverNotifications.run(bankContext(bank.bank))) > 0);
    const inbox = 'mailbox(partyId: "pty_ada", first: 50) { nodes { body } }'
    const mails = (await look(inbox, ada)).mailbox.nodes
    expect(mails.map(({ body }: { body: string }) => body)).toContain(
      'Income insufficient for amount of credit requested / You moved <b>twice</b>. / 6000.00 EUR',
    )
    expect(JSON.stringify(mails)).not.toContain('Never again')
    const grace = bank.token({ partyId: 'pty_grace' })
    const { body } = await bank.graph(
      '{ untoldCreditDecisions { nodes { decisionId } } }',
      {},
      { token: grace },
    )
    expect(body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
  })

  test('who was offered something else reads what', async () => {
    const id = await decided(`outcome: "counter-offer", reasons: [{ code: "income-insufficient" }],
      approvedTerms: { amount: { amount: "4000.00", currency: "EUR" } }`)
    expect(await tell()).toBe(1)
    expect((await noticeOf(id)).notification.templateCode).toBe('tpl_credit_counter_offer')
  })

  test('whose application was approved or referred gets no such letter', async () => {
    const ids = [await decided('outcome: "approved"'), await decided('outcome: "referred"')]
    expect(await tell()).toBe(0)
    for (const id of ids) expect(await noticeOf(id)).toBeNull()
  })
})

describe('the telling', () => {
  test.each(['before', 'after'] as const)('cut off %s it was heard, is done once', async (when) => {
    const id = await decided(declining)
    const before = await letters()
    const plugIn = pullThePlug(bank, 0, when)
    undo.push(plugIn)
    await expect(tell()).rejects.toThrow('The plug was pulled.')
    plugIn()
    expect(await tell()).toBe(1)
    expect(await letters()).toBe(before + 1)
    expect(await eventsOf(id)).toEqual(['applicant-told'])
  })

  test('by three at once is done once', async () => {
    const id = await decided(declining)
    const before = await letters()
    const done = await Promise.all([tell(), tell(), tell()])
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(1)
    expect(await letters()).toBe(before + 1)
    expect(await eventsOf(id)).toEqual(['applicant-told'])
  })
})
