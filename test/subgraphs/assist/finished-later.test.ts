/** Work that was started or approved earlier is authorized again before it is executed. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { execute } from '../../../subgraphs/assist/commands/approval.ts'
import { findToolCall } from '../../../subgraphs/assist/store/tool-call.ts'
import { eventually } from '../../kit/platform.ts'
import {
  aBankWithAModel,
  aHeldCall,
  aSession,
  balanceOf,
  consent,
  post,
  sessionOf,
  type ABankWithAModel,
  setKillSwitch,
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

describe('Tool calls approved before the process died', () => {
  /** A tool call that is approved but was not executed. */
  async function anApprovedCall() {
    const held = await aHeldCall(bank)
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

  test('does not execute the call when its tool was disabled meanwhile', async () => {
    const before = await balanceOf(bank, 'arr_savings')
    const { call } = await anApprovedCall()
    await setKillSwitch(bank, 'tool:transfer', true)
    const { state, result } = await executeLater(call.toolCallId)
    await setKillSwitch(bank, 'tool:transfer', false)
    expect([state, (result as { code: string }).code]).toEqual(['failed', 'ASSISTANT_DISABLED'])
    expect(await balanceOf(bank, 'arr_savings')).toBe(before)
  })

  test('does not execute the call when consent was withdrawn or the session has ended', async () => {
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
    // Withdrawing the consent also ends the session; which of the two is noticed first does not
    // matter.
    expect(['CONSENT_REQUIRED', 'SESSION_NOT_ACTIVE']).toContain((result as { code: string }).code)
    expect(await balanceOf(bank, 'arr_savings')).toBe(before)
  })
})

test('discards a turn whose session was taken over by another turn', async () => {
  const sessionId = await aSession(bank)
  let finish = () => {}
  const lastAfter = new Promise<void>((resolve) => (finish = resolve))
  bank.model.replies.push({ content: 'This took much too long.', lastAfter })
  const slow = post(bank, sessionId, 'Hello?')
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
