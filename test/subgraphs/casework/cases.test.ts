import { CaseStatus } from '../../../subgraphs/casework/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { caseStates, type CaseAction } from '../../../subgraphs/casework/model/case.ts'
import { entryKindOf } from '../../../subgraphs/casework/domain/timeline.ts'
import {
  bank,
  caseIn,
  day,
  does,
  grace,
  tryMutation,
  openBank,
  opening,
  readCase,
  eventsOf,
  unique,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const row = async (id: string) =>
  (await bank.rows('select * from casework.case_file where case_id = $1', [id]))[0]!

describe('Opening and linking a case', () => {
  test('starts the clock with the full time and emits an event', async () => {
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
    expect(await eventsOf(subject)).toEqual(['casework.case.opened'])
    expect(await bank.fact(subject)).toMatchObject({ status: 'open', visibleTo: ['pty_ada'] })
  })

  test.each([
    ['partyId: "pty_none"', 'PARTY_NOT_FOUND', '/partyId'],
    ['routingProfileId: "rtp_none"', 'ROUTING_PROFILE_NOT_FOUND', '/routingProfileId'],
    ['subjects: ["loan/loan_1", "loan"]', 'VALIDATION_FAILED', '/subjects/1'],
    ['subjects: ["Loan/1"]', 'VALIDATION_FAILED', '/subjects/0'],
    ['subjects: ["loan/1/2"]', 'VALIDATION_FAILED', '/subjects/0'],
    ['status: "closed"', 'INVALID_INITIAL_STATUS', '/status'],
  ])('rejects a case with %s', async (more, code, pointer) => {
    const before = (await bank.events()).length
    const { errors } = await opening(more)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
    expect(await bank.events()).toHaveLength(before)
  })

  test('is idempotent by id and by idempotency key', async () => {
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

  test('links each subject once', async () => {
    const id = await caseIn('open')
    const link = (subject: string) =>
      tryMutation(`linkCase(caseId: $id, subject: "${subject}") { subjects }`, { id })
    expect((await link('hardship-request/hrd_1')).data.act.subjects).toEqual([
      'hardship-request/hrd_1',
    ])
    await link('hardship-request/hrd_1')
    expect(await eventsOf(`case/${id}`)).toEqual(['casework.case.opened', 'casework.case.linked'])
    expect((await link('nonsense')).errors[0]!.extensions).toMatchObject({
      errors: [{ pointer: '/subject/0' }],
    })
    const found = '{ cases(subject: "hardship-request/hrd_1") { nodes { caseId } } }'
    expect((await bank.execute(found)).data.cases.nodes).toEqual([{ caseId: id }])
  })
})

describe('State transitions of a case', () => {
  for (const status of CaseStatus.values) {
    for (const name of Object.keys(caseStates.transitions) as CaseAction[]) {
      const { from, to }: { from: readonly CaseStatus[]; to: CaseStatus } =
        caseStates.transitions[name]
      const isLegal = from.includes(status)
      test(`${name} from ${status} leads to ${isLegal ? to : 'INVALID_STATE_TRANSITION'}`, async () => {
        const id = await caseIn(status)
        const before = { row: await row(id), event: await eventsOf(`case/${id}`) }
        const { data, errors } = await does(name, id)
        const after = await eventsOf(`case/${id}`)
        if (isLegal) {
          expect(errors).toEqual([])
          expect(data.act.status).toBe(to.toUpperCase().replaceAll('-', '_'))
          expect(after).toEqual([...before.event, `casework.case.${entryKindOf[name]}`])
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
          expect({ row: await row(id), event: after }).toEqual(before)
        }
      })
    }
  }

  test('statuses have the documented transitions', () => {
    expect(caseStates.table).toEqual({
      open: ['in-progress', 'withdrawn'],
      'in-progress': ['waiting-for-customer', 'resolved', 'withdrawn'],
      'waiting-for-customer': ['in-progress', 'withdrawn'],
      resolved: ['in-progress', 'closed'],
      closed: [],
      withdrawn: [],
    })
    for (const status of CaseStatus.values) {
      const reached = Object.values(caseStates.transitions)
        .filter(({ from }) => (from as readonly string[]).includes(status))
        .map(({ to }) => to)
      expect(new Set(reached)).toEqual(new Set(caseStates.table[status]))
    }
  })

  test('returns CASE_NOT_FOUND for an unknown case', async () => {
    expect((await does('startCase', 'case_none')).code).toBe('CASE_NOT_FOUND')
    expectAbsent(await readCase('case_none'))
  })

  test('permits exactly one of two concurrent actions', async () => {
    const id = await caseIn('resolved')
    const answers = await Promise.all([does('closeCase', id), does('reopenCase', id)])
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
  })
})

test('cases are listed by type, and customers find no confidential ones', async () => {
  const fraud = (await opening('caseType: FRAUD, partyId: "pty_grace"')).data.act.caseId
  const dispute = (await opening('caseType: DISPUTE, partyId: "pty_grace"')).data.act.caseId
  const list = async (caseType: string, options = {}) => {
    const text = `{ cases(partyId: "pty_grace", caseType: ${caseType}) { nodes { caseId } } }`
    const { data } = await bank.execute(text, {}, options)
    return data.cases.nodes
  }
  expect(await list('FRAUD')).toEqual([{ caseId: fraud }])
  expect(await list('DISPUTE')).toEqual([{ caseId: dispute }])
  expect(await list('DISPUTE', { caller: grace })).toEqual([{ caseId: dispute }])
  expect(await list('FRAUD', { caller: grace })).toEqual([])
})
