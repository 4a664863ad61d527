/** Every state and every command: what the table allows happens, anything else changes and tells nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  applicationMoves,
  applicationStatuses,
  type ApplicationStatus,
} from '../../../subgraphs/origination/domain/application.ts'
import {
  accepting,
  applicationIn,
  bank,
  deciding,
  decisionsOf,
  declined,
  doing,
  officer,
  openBank,
  read,
  row,
  statusOf,
  submitting,
  told,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

interface Command {
  run(id: string): ReturnType<typeof deciding>
  /** From which states, to which. */
  moves: Partial<Record<ApplicationStatus, ApplicationStatus>>
  /** What an application in another state refuses with, when it is not INVALID_STATE_TRANSITION. */
  codes?: Partial<Record<ApplicationStatus, string>>
  tells: string
}

const decided = 'APPLICATION_ALREADY_DECIDED'
const tooEarlyOrLate = {
  draft: 'APPLICATION_NOT_SUBMITTED',
  approved: decided,
  declined: decided,
  accepted: decided,
  booked: decided,
}
const asOfficer = { caller: officer }

const commands: Record<string, Command> = {
  submit: {
    // Another body than the one it was submitted with: nothing is repeated.
    run: (id) => submitting(id, { purpose: 'A bicycle' }),
    moves: { draft: 'submitted' },
    tells: 'credit-application.submitted',
  },
  approve: {
    run: (id) => deciding(id, { outcome: 'approved' }),
    moves: { submitted: 'approved', 'in-review': 'approved' },
    codes: tooEarlyOrLate,
    tells: 'loan-application.approved',
  },
  decline: {
    run: (id) => deciding(id, declined),
    moves: { submitted: 'declined', 'in-review': 'declined', approved: 'declined' },
    codes: tooEarlyOrLate,
    tells: 'loan-application.declined',
  },
  refer: {
    run: (id) => deciding(id, { outcome: 'referred' }),
    moves: { submitted: 'in-review', 'in-review': 'in-review' },
    codes: tooEarlyOrLate,
    tells: 'credit-application.referred',
  },
  review: {
    run: (id) => doing('startCreditReview(applicationId: $id) { status }', id, asOfficer),
    moves: { submitted: 'in-review' },
    tells: 'credit-application.in-review',
  },
  return: {
    run: (id) =>
      doing('returnLoanApplication(applicationId: $id, wanted: "A payslip.") { status }', id),
    moves: { 'in-review': 'submitted' },
    tells: 'credit-application.returned',
  },
  accept: {
    run: (id) => accepting(id, { acceptanceChannel: 'branch' }),
    moves: { approved: 'accepted' },
    tells: 'loan-application.accepted',
  },
  withdraw: {
    run: (id) => doing('withdrawLoanApplication(applicationId: $id) { status }', id),
    moves: {
      draft: 'declined',
      submitted: 'declined',
      'in-review': 'declined',
      approved: 'declined',
    },
    tells: 'loan-application.declined',
  },
  answer: {
    run: (id) => doing('answerCounterOffer(applicationId: $id, isTaken: true) { status }', id),
    moves: {},
    codes: Object.fromEntries(applicationStatuses.map((status) => [status, 'NO_COUNTER_OFFER'])),
    tells: '',
  },
  fulfil: {
    run: (id) => doing('fulfilCondition(applicationId: $id, code: "payslip") { status }', id),
    moves: {},
    codes: { approved: 'CONDITION_NOT_FOUND' },
    tells: '',
  },
}

const everything = async (id: string) => ({
  row: await row(id),
  told: await told(id),
  decisions: await decisionsOf(id),
})

for (const [name, { run, moves, codes = {}, tells }] of Object.entries(commands)) {
  describe(name, () => {
    test.each(applicationStatuses)('on %s', async (status) => {
      const id = await applicationIn(status)
      const before = await everything(id)
      const { errors } = await run(id)
      const to = moves[status]
      if (to) {
        expect(errors).toEqual([])
        expect(await statusOf(id)).toBe(to)
        expect((await told(id)).slice(before.told.length)).toContain(tells)
        expect(await bank.fact(`loan-application/${id}`)).toMatchObject({ status: to })
        return
      }
      const code = codes[status] ?? 'INVALID_STATE_TRANSITION'
      expect(errors[0]?.extensions).toMatchObject({ code })
      if (code !== 'CONDITION_NOT_FOUND') {
        expect(errors[0]!.extensions).toMatchObject({ currentState: status })
        expect(errors[0]!.extensions!['allowedStates']).toBeInstanceOf(Array)
      }
      expect(await everything(id)).toEqual(before)
    })
  })
}

test('the table and the commands say the same', () => {
  const byCommand = Object.values(commands).flatMap(({ moves }) => Object.entries(moves))
  for (const status of applicationStatuses) {
    const reached = byCommand.flatMap(([from, to]) => (from === status && to !== from ? [to] : []))
    // The loan is made by a worker.
    if (status === 'accepted') reached.push('booked')
    expect(new Set(reached), status).toEqual(new Set(applicationMoves[status]))
  }
})

test('an unknown application is not found by any command, and null in a query', async () => {
  for (const { run } of Object.values(commands)) {
    expect((await run('app_none')).code).toBe('APPLICATION_NOT_FOUND')
  }
  expect(await read('app_none')).toMatchObject({ errors: [], code: undefined })
})

test('of two decisions at once one is recorded', async () => {
  const id = await applicationIn('submitted')
  const answers = await Promise.all([
    deciding(id, { outcome: 'approved' }),
    deciding(id, { outcome: 'approved' }),
  ])
  expect(answers.map(({ code }) => String(code)).toSorted()).toEqual([decided, 'undefined'])
  expect(await decisionsOf(id)).toHaveLength(1)
})
