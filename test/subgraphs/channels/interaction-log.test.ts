import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ada, anAgent, bank, tryMutation, interactionFields, openBank, eventsOf } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Logging an interaction', () => {
  const log = (more: string, options = {}) =>
    tryMutation(
      `logInteraction(input: { channel: VOICE, subject: "A visit", ${more} }) { ${interactionFields} }`,
      {},
      options,
    )

  test('records a completed interaction without routing it', async () => {
    const agent = await anAgent()
    const { data } =
      await log(`partyId: "pty_ada", caseId: "case_ada", agentId: "${agent}", notes: "Fine.",
      startedAt: "2026-03-02T08:00:00Z", endedAt: "2026-03-02T08:10:00Z"`)
    expect(data.act).toMatchObject({
      status: 'COMPLETED',
      agentId: agent,
      notes: 'Fine.',
      decision: null,
    })
    expect(await eventsOf(`interaction/${data.act.interactionId}`)).toEqual([
      'channels.interaction.logged',
    ])
  })

  test.each([
    ['endedAt: "2026-03-02T10:00:00Z"', 'VALIDATION_FAILED', '/endedAt'],
    [
      'startedAt: "2026-03-02T08:00:00Z", endedAt: "2026-03-02T07:00:00Z"',
      'INVALID_DATE_RANGE',
      '/endedAt',
    ],
    ['agentId: "agt_none"', 'AGENT_NOT_FOUND', '/agentId'],
    ['partyId: "pty_none"', 'PARTY_NOT_FOUND', '/partyId'],
  ])('rejects %s', async (more, code, pointer) => {
    const { errors } = await log(more)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
  })

  test('permits staff to link a case later', async () => {
    const { interactionId } = (await log('partyId: "pty_ada"')).data.act
    const link = (caseId: string, options = {}) =>
      tryMutation(
        `linkInteractionToCase(interactionId: $id, caseId: "${caseId}") { caseId case { caseId } }`,
        { id: interactionId },
        options,
      )
    expect((await link('case_none')).code).toBe('CASE_NOT_FOUND')
    expect((await link('case_ada', { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await link('case_ada')).data.act).toEqual({
      caseId: 'case_ada',
      case: { caseId: 'case_ada' },
    })
    await link('case_ada')
    expect(await eventsOf(`interaction/${interactionId}`)).toEqual([
      'channels.interaction.logged',
      'channels.interaction.case-linked',
    ])
  })
})
