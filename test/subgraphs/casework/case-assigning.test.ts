import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../../kernel/domain/problem.ts'
import {
  bank,
  caseFields,
  caseIn,
  tryMutation,
  openBank,
  opening,
  routeCases,
  runs,
  eventsOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Assigning a case', () => {
  const assign = (id: string, to: string, options = {}) =>
    tryMutation(`assignCase(caseId: $id, ${to}) { ${caseFields} }`, { id }, options)

  test('records the agent in the timeline and emits an event', async () => {
    const id = await caseIn('open')
    const { data } = await assign(id, 'agentId: "agt_mary"')
    expect(data.act).toMatchObject({ assigneeId: 'agt_mary', queueId: null })
    expect(data.act.timeline.nodes.at(-1)).toMatchObject({
      kind: 'ASSIGNED',
      text: 'agt_mary',
      isShared: false,
    })
    expect(await eventsOf(`case/${id}`)).toContain('casework.case.assigned')
    const found = await bank.execute(
      '{ cases(assigneeId: "agt_mary") { nodes { caseId assignee { agentId } } } }',
    )
    expect(found.data.cases.nodes).toContainEqual({ caseId: id, assignee: { agentId: 'agt_mary' } })
  })

  test.each([
    ['agentId: "agt_none"', 'AGENT_NOT_FOUND', '/agentId'],
    ['routingProfileId: "rtp_none"', 'ROUTING_PROFILE_NOT_FOUND', '/routingProfileId'],
    ['agentId: "agt_mary", routingProfileId: "rtp_retail"', 'VALIDATION_FAILED', '/agentId'],
    ['agentId: null', 'VALIDATION_FAILED', '/agentId'],
  ])('rejects %s', async (to, code, pointer) => {
    const { errors } = await assign(await caseIn('open'), to)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
  })

  test.each(['closed', 'withdrawn'] as const)(
    'rejects assignments, notes and links of a case that is %s',
    async (status) => {
      const id = await caseIn(status)
      expect((await assign(id, 'agentId: "agt_mary"')).code).toBe('STATE_CONFLICT')
      expect((await assign(id, 'routingProfileId: "rtp_retail"')).code).toBe('STATE_CONFLICT')
      expect(
        (await tryMutation(`addCaseNote(caseId: $id, text: "x") { caseId }`, { id })).code,
      ).toBe('STATE_CONFLICT')
      expect(
        (await tryMutation(`linkCase(caseId: $id, subject: "loan/1") { caseId }`, { id })).code,
      ).toBe('STATE_CONFLICT')
    },
  )
})

describe('Routing of cases', () => {
  const looking = async (caseType: string) =>
    (await opening(`caseType: ${caseType}, partyId: "pty_ada", routingProfileId: "rtp_retail"`))
      .data.act.caseId as string

  /**
   * Records the routing requests to the graph; requests for the cases in `refused` fail with
   * `code`.
   */
  const pending = (refused: readonly string[], code: ProblemCode) => {
    const request: { caseId: string; partyId: string | null }[] = []
    bank.bank.queryGraph = ((_: unknown, variables: (typeof request)[number]) => {
      if (refused.includes(variables.caseId)) return Promise.reject(new Problem(code))
      request.push(variables)
      return Promise.resolve({})
    }) as never
    return request
  }

  test('retries a case that cannot be routed, without blocking the others', async () => {
    const [stuck, free] = [await looking('COMPLAINT'), await looking('COMPLAINT')]
    for (const code of ['INTERNAL', 'VERSION_CONFLICT'] as const) {
      const request = pending([stuck], code)
      await runs(routeCases).catch(() => undefined)
      expect(request.map(({ caseId }) => caseId)).toEqual(code === 'INTERNAL' ? [free] : [])
    }
    const request = pending([], 'INTERNAL')
    await runs(routeCases)
    expect(request.map(({ caseId }) => caseId)).toEqual([stuck])
  })

  test('routes a confidential case without its party', async () => {
    const [secret, open] = [await looking('FRAUD'), await looking('COMPLAINT')]
    const request = pending([], 'INTERNAL')
    await runs(routeCases)
    expect(request).toMatchObject([
      { caseId: secret, partyId: null },
      { caseId: open, partyId: 'pty_ada' },
    ])
  })
})
