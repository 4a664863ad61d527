import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../../subgraphs/_kernel/domain/problem.ts'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import {
  aBankWithAModel,
  approve,
  aSession,
  balanceOf,
  sessionOf,
  type ABankWithAModel,
} from './kit.ts'
import { executeApproved } from '../../../subgraphs/assist/workers.ts'

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

const sayAs = (token: string, sessionId: string, content: string) =>
  bank.rest('POST', `/v1/ai/assist/sessions/${sessionId}/messages`, { content }, { token })

test('who speaks in the session of another does not approve what they asked for there', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ tool: { name: 'transfer', args: transfer } })
  const token = bank.token({ clientId: 'colleague' })
  const { body } = await sayAs(token, sessionId, 'Move 40.00 EUR.')
  expect(body.status).toBe('awaiting-approval')
  const call = (await sessionOf(bank, sessionId)).toolCalls.at(-1)
  for (const by of ['colleague', 'test-client']) {
    const { errors } = (await approve(bank, call, by)).body
    expect(errors?.[0].extensions.code, by).toBe('SEGREGATION_OF_DUTIES')
  }
  const { data } = (await approve(bank, call, 'supervisor')).body
  expect(data.approveToolCall.state).toBe('EXECUTED')
})

test.each(['a colleague', 'another app of hers'])(
  '%s with fewer rights reads no more in the session of another',
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
    const { body } = await sayAs(token, sessionId, 'What is there?')
    expect(body.toolCalls).toMatchObject([{ name: 'get_balance', status: 'failed' }])
    const [call] = (await sessionOf(bank, sessionId)).toolCalls
    expect(call.result).toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
  },
)

test('a case its party must not know of is not there for her assistants either', async () => {
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

test('a turn that could not begin gives the session back', async () => {
  const sessionId = await aSession(bank)
  const { ask } = bank.bank
  bank.bank.ask = () => Promise.reject(new Problem('DEPENDENCY_UNAVAILABLE'))
  const token = bank.token()
  const failed = await sayAs(token, sessionId, 'Well?').finally(() => (bank.bank.ask = ask))
  expect(failed.status).toBe(503)
  bank.model.replies.push({ content: 'Yes.' })
  expect((await sayAs(token, sessionId, 'Well?')).body).toMatchObject({ content: 'Yes.' })
})

test('an approved act that cannot be done now keeps no others', async () => {
  const [stuck, free] = [await aSession(bank), await aSession(bank)]
  const calls: any[] = []
  for (const sessionId of [stuck, free]) {
    const args = { ...transfer, amount: sessionId === stuck ? '1.00' : '2.00' }
    bank.model.replies.push({ tool: { name: 'transfer', args } })
    await sayAs(bank.token(), sessionId, 'Move it.')
    calls.push((await sessionOf(bank, sessionId)).toolCalls.at(-1))
  }
  const decided = `update assist.tool_call set state = 'approved', decided_by = 'supervisor',
    decided_at = now() - interval '1 hour' where tool_call_id = any($1)`
  await bank.bank.pool.query(decided, [calls.map(({ toolCallId }) => toolCallId)])
  const { ask } = bank.bank
  bank.bank.ask = ((document: unknown, variables: any, by: unknown) =>
    variables.amount?.amount === '1.00'
      ? Promise.reject(new Problem('TIMEOUT'))
      : ask(document as never, variables as never, by as never)) as typeof ask
  const before = await balanceOf(bank, 'arr_savings')
  await executeApproved.run(bankContext(bank.bank)).finally(() => (bank.bank.ask = ask))
  const states = await Promise.all([stuck, free].map((each) => sessionOf(bank, each)))
  expect(states.map(({ toolCalls }) => toolCalls.at(-1).state)).toEqual(['APPROVED', 'EXECUTED'])
  expect(Number(await balanceOf(bank, 'arr_savings')) - Number(before)).toBe(2)
})
