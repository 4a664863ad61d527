/** An applicant who is refused credit receives one adverse action notice with the reasons, whatever is interrupted. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../kernel/work/worker.ts'
import { deliverNotifications } from '../../subgraphs/notifications/delivery/worker.ts'
import { notifyApplicants } from '../../subgraphs/origination/workers/notice.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { runMutation, runQuery, pullThePlug } from './kit.ts'

let bank: Platform
let serial = 0
let undo: (() => void)[] = []
beforeAll(async () => {
  // Workers run only when the test calls them.
  bank = await aPlatform('live', undefined, true)
  bank.bank.log.level = 'silent'
  for (const name of ['ada', 'grace']) {
    await mutate(`createParty(input: { partyId: "pty_${name}", kind: PERSON, givenName: "${name}",
      familyName: "L" }) { partyId }`)
    await mutate(
      `createCustomer(input: { customerId: "cus_${name}", partyId: "pty_${name}" }) { status }`,
    )
    await mutate(`startKyc(customerId: "cus_${name}") { status }`)
    await mutate(`passKyc(customerId: "cus_${name}", expiresOn: "2999-12-31") { status }`)
    await mutate(`activateCustomer(customerId: "cus_${name}") { status }`)
  }
  await mutate(`createProduct(input: { productId: "prd_loan", name: "Loan", productClass: "consumer-loan",
    status: "active", version: "2026.1", interest: { basePct: "5.9" } }) { productId }`)
})
afterAll(() => bank.stop())
afterEach(() => {
  for (const one of undo.toReversed()) one()
  undo = []
})

const mutate = (field: string) => runMutation(bank, field)
const look = (fields: string, token?: string) => runQuery(bank, fields, token ? { token } : {})

const emit = () => notifyApplicants.run(bankContext(bank.bank))

/** Creates an application of Ada with this decision. */
async function decided(decision: string): Promise<string> {
  const applicationId = `app_${++serial}`
  await mutate(`createLoanApplication(input: { applicationId: "${applicationId}", customerId: "cus_ada",
    decisionMode: MANUAL, productId: "prd_loan", termMonths: 12,
    requestedAmount: { amount: "6000.00", currency: "EUR" } }) { status }`)
  await mutate(`submitCreditApplication(input: { applicationId: "${applicationId}" }) { status }`)
  await mutate(`recordCreditDecision(input: { applicationId: "${applicationId}", decidedBy: "officer_1",
    ${decision} }) { outcome }`)
  return applicationId
}
const declining = `outcome: "declined", comment: "Never again.",
  reasons: [{ code: "income-insufficient" }, { code: "other", text: "You moved <b>twice</b>." }]`

async function noticeOf(applicationId: string, token?: string) {
  const { loanApplication } = await look(
    `loanApplication(applicationId: "${applicationId}") { decisions { decisionId adverseActionNoticeDueBy
      notice { notifiedAt refusal notification { notificationId templateCode channel status party { partyId } } } } }`,
    token,
  )
  return loanApplication.decisions.at(-1).notice
}

async function eventsOf(applicationId: string): Promise<string[]> {
  const { rows } = await bank.bank.pool.query<{ type: string }>(
    `select type from (
       select type, subject from kernel.event union all
       select type, subject from kernel.outbox, json_populate_recordset(null::kernel.emitted_event, events)
     ) told where subject = $1 and type ~ '(applicant-told|notice-refused)$' order by type`,
    [`loan-application/${applicationId}`],
  )
  return rows.map(({ type }) => type.slice(type.lastIndexOf('.') + 1))
}

/** Moves the clock until the end of the test, or until the returned function is called. */
function setClock(ms: number): () => void {
  const { now } = bank.bank
  const back = () => void (bank.bank.now = now)
  undo.push(back)
  bank.bank.now = () => new Date(now().getTime() + ms)
  return back
}

const notices = async () => {
  const { rows } = await bank.bank.pool.query<{ count: number }>(
    'select count(*)::int from notifications.notification',
  )
  return rows[0]!.count
}

test('without a template the notice waits, and the bank sees pending notices by due date', async () => {
  const late = await decided(declining)
  const back = setClock(-3 * 86_400_000)
  const soon = await decided(declining)
  back()
  expect(await emit()).toBe(2)
  expect(await emit()).toBe(0)
  expect(await noticeOf(late)).toEqual({
    notifiedAt: null,
    refusal: 'TEMPLATE_NOT_FOUND',
    notification: null,
  })
  const unpublished =
    'pendingAdverseActionNotices(first: 1) { nodes { applicationId } pageInfo { endCursor } }'
  const { nodes, pageInfo } = (await look(unpublished)).pendingAdverseActionNotices
  expect(nodes).toEqual([{ applicationId: soon }])
  const next = unpublished.replace('first: 1', `first: 5, after: "${pageInfo.endCursor}"`)
  expect((await look(next)).pendingAdverseActionNotices.nodes).toEqual([{ applicationId: late }])
  for (const [code, reasons] of [
    ['tpl_credit_declined', '{{ reason1 }} / {{ reason2 }} / {{ requestedAmount }} {{ currency }}'],
    ['tpl_credit_counter_offer', '{{ offeredAmount }} at {{ offeredRatePct }}: {{ reason1 }}'],
  ]) {
    const names = [...reasons!.matchAll(/{{ (\w+) }}/g)].map(([, name]) => `{ name: "${name}" }`)
    await mutate(`createNotificationTemplate(input: { templateId: "${code}", channel: SECURE_MESSAGE,
      category: REGULATORY, status: "in-review", subject: "Your application", body: "${reasons}",
      variables: [${names.join(', ')}] }) { templateId }`)
    const reviewer = { token: bank.token({ subject: 'reviewer' }) }
    for (const step of ['approve', 'activate']) {
      await runMutation(
        bank,
        `${step}NotificationTemplate(templateId: "${code}") { status }`,
        reviewer,
      )
    }
  }
  expect(await emit()).toBe(0)
  setClock(3_600_000)
  expect(await emit()).toBe(2)
  expect((await look(unpublished)).pendingAdverseActionNotices.nodes).toEqual([])
  expect(await eventsOf(late)).toEqual(['applicant-told', 'notice-refused'])
})

describe('credit decision notice', () => {
  test('tells a declined applicant the reasons, without internal comments', async () => {
    const id = await decided(declining)
    expect(await emit()).toBe(1)
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
    expect(Date.parse(notice.notifiedAt)).toBeGreaterThan(Date.now() - 60_000)
    while ((await deliverNotifications.run(bankContext(bank.bank))) > 0);
    const inbox = 'mailbox(partyId: "pty_ada", first: 50) { nodes { body } }'
    const mails = (await look(inbox, ada)).mailbox.nodes
    expect(mails.map(({ body }: { body: string }) => body)).toContain(
      'Income insufficient for amount of credit requested / You moved <b>twice</b>. / 6000.00 EUR',
    )
    expect(JSON.stringify(mails)).not.toContain('Never again')
    const grace = bank.token({ partyId: 'pty_grace' })
    const { body } = await bank.graph(
      '{ pendingAdverseActionNotices { nodes { decisionId } } }',
      {},
      { token: grace },
    )
    expect(body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
  })

  test('tells an applicant about a counter-offer', async () => {
    const id = await decided(`outcome: "counter-offer", reasons: [{ code: "income-insufficient" }],
      approvedTerms: { amount: { amount: "4000.00", currency: "EUR" } }`)
    expect(await emit()).toBe(1)
    expect((await noticeOf(id)).notification.templateCode).toBe('tpl_credit_counter_offer')
  })

  test('is not sent for approved or referred applications', async () => {
    const ids = [await decided('outcome: "approved"'), await decided('outcome: "referred"')]
    expect(await emit()).toBe(0)
    for (const id of ids) expect(await noticeOf(id)).toBeNull()
  })
})

describe('idempotency of the notice worker', () => {
  test.each(['before', 'after'] as const)(
    'sends one notice when interrupted %s its request was executed',
    async (when) => {
      const id = await decided(declining)
      const before = await notices()
      const plugIn = pullThePlug(bank, 0, when)
      undo.push(plugIn)
      await expect(emit()).rejects.toThrow('The plug was pulled.')
      plugIn()
      expect(await emit()).toBe(1)
      expect(await notices()).toBe(before + 1)
      expect(await eventsOf(id)).toEqual(['applicant-told'])
    },
  )

  test('sends one notice when run three times concurrently', async () => {
    const id = await decided(declining)
    const before = await notices()
    const done = await Promise.all([emit(), emit(), emit()])
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(1)
    expect(await notices()).toBe(before + 1)
    expect(await eventsOf(id)).toEqual(['applicant-told'])
  })
})
