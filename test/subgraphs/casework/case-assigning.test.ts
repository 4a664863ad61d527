import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../../subgraphs/_kernel/domain/problem.ts'
import {
  bank,
  caseFields,
  caseIn,
  doing,
  openBank,
  opening,
  routeCases,
  runs,
  told,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('assigning', () => {
  const assign = (id: string, to: string, options = {}) =>
    doing(`assignCase(caseId: $id, ${to}) { ${caseFields} }`, { id }, options)

  test('gives a case to somebody', async () => {
    const id = await caseIn('open')
    const { data } = await assign(id, 'agentId: "agt_mary"')
    expect(data.act).toMatchObject({ assigneeId: 'agt_mary', queueId: null })
    expect(data.act.timeline.nodes.at(-1)).toMatchObject({
      kind: 'ASSIGNED',
      text: 'agt_mary',
      isShared: false,
    })
    expect(await told(`case/${id}`)).toContain('casework.case.assigned')
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
  ])('with %s is refused', async (to, code, pointer) => {
    const { errors } = await assign(await caseIn('open'), to)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
  })

  test.each(['closed', 'withdrawn'] as const)(
    'nothing is done to a case that is %s',
    async (status) => {
      const id = await caseIn(status)
      expect((await assign(id, 'agentId: "agt_mary"')).code).toBe('STATE_CONFLICT')
      expect((await assign(id, 'routingProfileId: "rtp_retail"')).code).toBe('STATE_CONFLICT')
      expect((await doing(`addCaseNote(caseId: $id, text: "x") { caseId }`, { id })).code).toBe(
        'STATE_CONFLICT',
      )
      expect(
        (await doing(`linkCase(caseId: $id, subject: "loan/1") { caseId }`, { id })).code,
      ).toBe('STATE_CONFLICT')
    },
  )
})

describe('looking for somebody', () => {
  const looking = async (caseType: string) =>
    (await opening(`caseType: ${caseType}, partyId: "pty_ada", routingProfileId: "rtp_retail"`))
      .data.act.caseId as string

  /** What the graph is asked for; it refuses what is asked for the cases that are named. */
  const asking = (refused: readonly string[], code: ProblemCode) => {
    const asked: { caseId: string; partyId: string | null }[] = []
    bank.bank.ask = ((_: unknown, variables: (typeof asked)[number]) => {
      if (refused.includes(variables.caseId)) return Promise.reject(new Problem(code))
      asked.push(variables)
      return Promise.resolve({})
    }) as never
    return asked
  }

  test('one that cannot be routed now keeps no others, and is asked for again', async () => {
    const [stuck, free] = [await looking('COMPLAINT'), await looking('COMPLAINT')]
    for (const code of ['INTERNAL', 'VERSION_CONFLICT'] as const) {
      const asked = asking([stuck], code)
      await runs(routeCases).catch(() => undefined)
      expect(asked.map(({ caseId }) => caseId)).toEqual(code === 'INTERNAL' ? [free] : [])
    }
    const asked = asking([], 'INTERNAL')
    await runs(routeCases)
    expect(asked.map(({ caseId }) => caseId)).toEqual([stuck])
  })

  test('a case its party must not know of is nobody’s task', async () => {
    const [secret, open] = [await looking('FRAUD'), await looking('COMPLAINT')]
    const asked = asking([], 'INTERNAL')
    await runs(routeCases)
    expect(asked).toMatchObject([
      { caseId: secret, partyId: null },
      { caseId: open, partyId: 'pty_ada' },
    ])
  })
})
