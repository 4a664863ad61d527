import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import {
  caseActs,
  caseMoves,
  caseStatuses,
  type CaseAct,
  type CaseStatus,
} from '../../../subgraphs/casework/domain/case.ts'
import { doneOf } from '../../../subgraphs/casework/domain/timeline.ts'
import { bank, caseIn, day, does, doing, openBank, opening, readCase, told, unique } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const row = async (id: string) =>
  (await bank.rows('select * from casework.case_file where case_id = $1', [id]))[0]!

describe('a case', () => {
  test('is opened with all its time, and tells so', async () => {
    const { data, errors } =
      await opening(`partyId: "pty_ada", priority: HIGH, description: "Twice.",
      subjects: ["arrangement/arr_1", "arrangement/arr_1", "posting-instruction/pin_1"]`)
    expect(errors).toEqual([])
    const now = bank.bank.now()
    expect(data.act).toMatchObject({
      caseType: 'COMPLAINT',
      status: 'OPEN',
      priority: 'HIGH',
      subjects: ['arrangement/arr_1', 'posting-instruction/pin_1'],
      clock: {
        isRunning: true,
        dueAt: new Date(now.getTime() + 21 * day).toISOString(),
        remainingSeconds: (21 * day) / 1000,
        breachedAt: null,
      },
      timeline: { nodes: [{ number: 1, kind: 'OPENED', by: 'test-client', isShared: true }] },
    })
    const subject = `case/${data.act.caseId}`
    expect(await told(subject)).toEqual(['casework.case.opened'])
    expect(await bank.fact(subject)).toMatchObject({ status: 'open', visibleTo: ['pty_ada'] })
  })

  test.each([
    ['partyId: "pty_none"', 'PARTY_NOT_FOUND', '/partyId'],
    ['routingProfileId: "rtp_none"', 'ROUTING_PROFILE_NOT_FOUND', '/routingProfileId'],
    ['subjects: ["loan/loan_1", "loan"]', 'VALIDATION_FAILED', '/subjects/1'],
    ['subjects: ["Loan/1"]', 'VALIDATION_FAILED', '/subjects/0'],
    ['subjects: ["loan/1/2"]', 'VALIDATION_FAILED', '/subjects/0'],
    ['status: "closed"', 'INVALID_INITIAL_STATUS', '/status'],
  ])('with %s is refused', async (more, code, pointer) => {
    const before = (await bank.events()).length
    const { errors } = await opening(more)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
    expect(await bank.events()).toHaveLength(before)
  })

  test('is opened once, however often it is asked for', async () => {
    const more = `caseId: "${unique('case')}", partyId: "pty_ada"`
    const first = await opening(more, { idempotencyKey: unique('key') })
    expect((await opening(more)).data).toEqual(first.data)
    const key = unique('key')
    const [one, two] = [
      await opening('', { idempotencyKey: key }),
      await opening('', { idempotencyKey: key }),
    ]
    expect(two.isReplayed).toBe(true)
    expect(two.data.act.caseId).toBe(one.data.act.caseId)
    expect((await opening(`${more}, priority: LOW`)).code).toBe('RESOURCE_EXISTS')
  })

  test('is linked to more, each thing once', async () => {
    const id = await caseIn('open')
    const link = (subject: string) =>
      doing(`linkCase(caseId: $id, subject: "${subject}") { subjects }`, { id })
    expect((await link('hardship-request/hrd_1')).data.act.subjects).toEqual([
      'hardship-request/hrd_1',
    ])
    await link('hardship-request/hrd_1')
    expect(await told(`case/${id}`)).toEqual(['casework.case.opened', 'casework.case.linked'])
    expect((await link('nonsense')).errors[0]!.extensions).toMatchObject({
      errors: [{ pointer: '/subject/0' }],
    })
    const found = '{ cases(subject: "hardship-request/hrd_1") { nodes { caseId } } }'
    expect((await bank.execute(found)).data.cases.nodes).toEqual([{ caseId: id }])
  })
})

describe('moves', () => {
  for (const status of caseStatuses) {
    for (const name of Object.keys(caseActs) as CaseAct[]) {
      const { from, to }: { from: readonly CaseStatus[]; to: CaseStatus } = caseActs[name]
      const isLegal = from.includes(status)
      test(`${name} on ${status} is ${isLegal ? to : 'refused'}`, async () => {
        const id = await caseIn(status)
        const before = { row: await row(id), told: await told(`case/${id}`) }
        const { data, errors } = await does(name, id)
        const after = await told(`case/${id}`)
        if (isLegal) {
          expect(errors).toEqual([])
          expect(data.act.status).toBe(to.toUpperCase().replaceAll('-', '_'))
          expect(after).toEqual([...before.told, `casework.case.${doneOf[name]}`])
          const isRunning = ['open', 'in-progress'].includes(to)
          expect(data.act.clock.isRunning).toBe(isRunning)
          expect(data.act.timeline.nodes).toHaveLength(before.row['entries'] + 1)
          expect(await bank.fact(`case/${id}`)).toMatchObject({ status: to })
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
          })
          expect(errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect({ row: await row(id), told: after }).toEqual(before)
        }
      })
    }
  }

  test('the table and the acts say the same', () => {
    for (const status of caseStatuses) {
      const reached = Object.values(caseActs)
        .filter(({ from }) => (from as readonly string[]).includes(status))
        .map(({ to }) => to)
      expect(new Set(reached)).toEqual(new Set(caseMoves[status]))
    }
  })

  test('a case nobody has is not found', async () => {
    expect((await does('start', 'case_none')).code).toBe('CASE_NOT_FOUND')
    expectAbsent(await readCase('case_none'))
  })

  test('of two acts at once one happens', async () => {
    const id = await caseIn('resolved')
    const answers = await Promise.all([does('close', id), does('reopen', id)])
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
  })
})
