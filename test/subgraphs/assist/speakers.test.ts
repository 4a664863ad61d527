import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import {
  aBankWithAModel,
  approve,
  aSession,
  balanceOf,
  sessionOf,
  type ABankWithAModel,
} from './kit.ts'
import { executeApproved } from '../../../subgraphs/assist/workers/assist.ts'

let bank: ABankWithAModel
beforeAll(async () => {
  bank = await aBankWithAModel()
})
afterAll(() => bank.stop())

const transfer = {
  debtorArrangementId: 'arr_money',
  creditorArrangementId: 'arr_savings',
  amount: '40.00',
  currency: 'EUR',
}

const sendAs = (token: string, sessionId: string, content: string) =>
  bank.rest('POST', `/v1/ai/assist/sessions/${sessionId}/messages`, { content }, { token })

test('denies approval by the sender and by the owner of the session', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ tool: { name: 'transfer', args: transfer } })
  const token = bank.token({ subject: 'colleague' })
  const { body } = await sendAs(token, sessionId, 'Move 40.00 EUR.')
  expect(body.status).toBe('awaiting-approval')
  const call = (await sessionOf(bank, sessionId)).toolCalls.at(-1)
  for (const [by, code] of [
    ['colleague', 'SEGREGATION_OF_DUTIES'],
    ['test-client', 'PERSON_REQUIRED'],
  ] as const) {
    const { errors } = (await approve(bank, call, by)).body
    expect(errors?.[0].extensions.code, by).toBe(code)
  }
  await bank.act(
    `mutation { registerOAuthClient(input: { clientId: "speaks-for-colleague", label: "C",
      scopes: ["assist:approve"], actsFor: ["colleague"] }) { client { clientId } } }`,
    {},
    { token },
  )
  const speaker = bank.token({ clientId: 'speaks-for-colleague' })
  const { toolCallId, argumentsHash } = call
  const mutation = `mutation ($input: ApproveToolCallInput!) { approveToolCall(input: $input) { state } }`
  const variables = { input: { toolCallId, argumentsHash } }
  const spoken = await bank.graph(mutation, variables, { token: speaker })
  expect(spoken.body.errors[0].extensions.code).toBe('SEGREGATION_OF_DUTIES')
  const { data } = (await approve(bank, call, 'supervisor')).body
  expect(data.approveToolCall.state).toBe('EXECUTED')
})

test.each(['a colleague', 'another app of the party'])(
  'gives %s with fewer scopes no access through the session of another',
  async (who) => {
    const isHers = who !== 'a colleague'
    const ada = { partyId: 'pty_ada', clientId: 'first-app' }
    const sessionId = `ses_of_${isHers ? 'hers' : 'the_bank'}`
    const opened = await bank.graph(
      `mutation { createAssistSession(input: { sessionId: "${sessionId}",
        assistantType: "customer-self-service", subject: { partyId: "pty_ada" } }) { sessionId } }`,
      {},
      { token: isHers ? bank.token(ada) : bank.token() },
    )
    expect(opened.body.errors).toBeUndefined()
    const tool = { name: 'get_balance', args: { arrangementId: 'arr_money' } }
    bank.model.replies.push({ tool }, { content: 'So it is.' })
    const token = bank.token({
      ...(isHers && ada),
      clientId: 'other',
      scopes: ['assist:use'],
    })
    const { body } = await sendAs(token, sessionId, 'What is there?')
    expect(body.toolCalls).toMatchObject([{ name: 'get_balance', status: 'failed' }])
    const [call] = (await sessionOf(bank, sessionId)).toolCalls
    expect(call.result).toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
  },
)

test('rejects a confidential case as the subject of its party’s session', async () => {
  await bank.act(`mutation { openCase(input: { caseId: "case_secret", caseType: FRAUD, title: "Odd",
    partyId: "pty_ada" }) { caseId } }`)
  await bank.act(`mutation { openCase(input: { caseId: "case_open", caseType: COMPLAINT, title: "Late",
    partyId: "pty_ada" }) { caseId } }`)
  const about = (caseId: string, token: string) =>
    bank.graph(
      `mutation { createAssistSession(input: { assistantType: "customer-self-service",
        subject: { caseId: "${caseId}" } }) { sessionId } }`,
      {},
      { token },
    )
  const codeOf = async (caseId: string, token: string) =>
    (await about(caseId, token)).body.errors?.[0].extensions.code as string | undefined
  const hers = bank.token({ partyId: 'pty_ada' })
  expect(await codeOf('case_open', hers)).toBeUndefined()
  expect(await codeOf('case_none', hers)).toBe('CASE_NOT_FOUND')
  expect(await codeOf('case_secret', hers)).toBe('CASE_NOT_FOUND')
  expect(await codeOf('case_secret', bank.token())).toBeUndefined()
})

test('releases the session when a turn could not begin', async () => {
  const sessionId = await aSession(bank)
  const { queryGraph } = bank.bank
  bank.bank.queryGraph = () => Promise.reject(new Problem('DEPENDENCY_UNAVAILABLE'))
  const token = bank.token()
  const failed = await sendAs(token, sessionId, 'Well?').finally(
    () => (bank.bank.queryGraph = queryGraph),
  )
  expect(failed.status).toBe(503)
  bank.model.replies.push({ content: 'Yes.' })
  expect((await sendAs(token, sessionId, 'Well?')).body).toMatchObject({ content: 'Yes.' })
})

test('continues with other approved tool calls when one fails for now', async () => {
  const [stuck, free] = [await aSession(bank), await aSession(bank)]
  const calls: any[] = []
  for (const sessionId of [stuck, free]) {
    const args = { ...transfer, amount: sessionId === stuck ? '1.00' : '2.00' }
    bank.model.replies.push({ tool: { name: 'transfer', args } })
    await sendAs(bank.token(), sessionId, 'Move it.')
    calls.push((await sessionOf(bank, sessionId)).toolCalls.at(-1))
  }
  const decided = `update assist.tool_call set state = 'approved', decided_by = 'supervisor',
    decided_at = now() - interval '1 hour' where tool_call_id = any($1)`
  await bank.bank.pool.query(decided, [calls.map(({ toolCallId }) => toolCallId)])
  const { queryGraph } = bank.bank
  bank.bank.queryGraph = ((document: unknown, variables: any, by: unknown) =>
    variables.amount?.amount === '1.00'
      ? Promise.reject(new Problem('TIMEOUT'))
      : queryGraph(document as never, variables as never, by as never)) as typeof queryGraph
  const before = await balanceOf(bank, 'arr_savings')
  await executeApproved
    .run(bankContext(bank.bank))
    .finally(() => (bank.bank.queryGraph = queryGraph))
  const states = await Promise.all([stuck, free].map((each) => sessionOf(bank, each)))
  expect(states.map(({ toolCalls }) => toolCalls.at(-1).state)).toEqual(['APPROVED', 'EXECUTED'])
  expect(Number(await balanceOf(bank, 'arr_savings')) - Number(before)).toBe(2)
})
