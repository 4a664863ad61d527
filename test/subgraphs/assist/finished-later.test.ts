/** What was begun or approved, and is finished later: it is checked again whether it still may be. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import { execute } from '../../../subgraphs/assist/approvals.ts'
import { findToolCall } from '../../../subgraphs/assist/store/tool-call.ts'
import { eventually } from '../../kit/platform.ts'
import {
  aBankWithAModel,
  aSession,
  balanceOf,
  consent,
  say,
  sessionOf,
  type ABankWithAModel,
} from './kit.ts'

let bank: ABankWithAModel
beforeAll(async () => {
  bank = await aBankWithAModel()
})
afterAll(() => bank.stop())
beforeEach(() => {
  bank.model.requests.length = 0
  bank.model.replies.length = 0
})

const transfer = {
  name: 'transfer',
  args: {
    debtorArrangementId: 'arr_money',
    creditorArrangementId: 'arr_savings',
    amount: '40.00',
    currency: 'EUR',
  },
}

/** A session in which the model wants to move money and waits. */
async function aHeldCall() {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ tool: transfer })
  const { body } = await say(bank, sessionId, 'Move 40.00 EUR to my savings.')
  expect(body).toMatchObject({ status: 'awaiting-approval', finishReason: 'approval-required' })
  const { toolCalls } = await sessionOf(bank, sessionId)
  return { sessionId, call: toolCalls.at(-1) }
}

describe('what was approved by a process that died', () => {
  /** A call that is approved and was not executed. */
  async function anApprovedCall() {
    const held = await aHeldCall()
    await bank.bank.pool.query(
      `update assist.tool_call set state = 'approved', version = version + 1 where tool_call_id = $1`,
      [held.call.toolCallId],
    )
    return held
  }
  const executeLater = async (toolCallId: string) => {
    const context = bankContext(bank.bank)
    return execute(context, (await findToolCall(context, toolCallId))!)
  }

  test('is not done when the tool was switched off meanwhile', async () => {
    const before = await balanceOf(bank, 'arr_savings')
    const { call } = await anApprovedCall()
    const set = (isOn: boolean) =>
      bank.act(
        `mutation ($isOn: Boolean!) { setAssistKillSwitch(scope: "tool:transfer", isOn: $isOn) { isOn } }`,
        { isOn },
      )
    await set(true)
    const { state, result } = await executeLater(call.toolCallId)
    await set(false)
    expect([state, (result as { code: string }).code]).toEqual(['failed', 'ASSISTANT_DISABLED'])
    expect(await balanceOf(bank, 'arr_savings')).toBe(before)
  })

  test('is not done when the consent was withdrawn or the session has ended', async () => {
    const before = await balanceOf(bank, 'arr_savings')
    const [first, second] = [await anApprovedCall(), await anApprovedCall()]
    await bank.bank.pool.query(
      `update assist.session set status = 'terminated', version = version + 1 where session_id = $1`,
      [second.sessionId],
    )
    const ended = await executeLater(second.call.toolCallId)
    expect((ended.result as { code: string }).code).toBe('SESSION_NOT_ACTIVE')
    await consent(bank, 'servicing-agent', 'withdraw')
    const { result } = await executeLater(first.call.toolCallId)
    await consent(bank, 'servicing-agent')
    // A withdrawal ends the sessions that it was for; which of the two is seen first does not matter.
    expect(['CONSENT_REQUIRED', 'SESSION_NOT_ACTIVE']).toContain((result as { code: string }).code)
    expect(await balanceOf(bank, 'arr_savings')).toBe(before)
  })
})

test('a turn that lost its session to another writes nothing into it', async () => {
  const sessionId = await aSession(bank)
  let finish = () => {}
  const lastAfter = new Promise<void>((resolve) => (finish = resolve))
  bank.model.replies.push({ content: 'This took much too long.', lastAfter })
  const slow = say(bank, sessionId, 'Hello?')
  await eventually(async () => bank.model.requests.length === 1)
  await bank.bank.pool.query(
    `update assist.session set busy_until = busy_until + interval '1 second', version = version + 1
     where session_id = $1`,
    [sessionId],
  )
  finish()
  expect((await slow).body.code).toBe('SESSION_BUSY')
  const { messages } = await sessionOf(bank, sessionId)
  expect(messages.nodes).toEqual([])
})
