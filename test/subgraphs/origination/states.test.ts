/** Every command in every state: it makes the transition in the table, or changes and emits nothing. */
import { ApplicationStatus } from '../../../subgraphs/origination/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationStates } from '../../../subgraphs/origination/model/application.ts'
import {
  accepting,
  applicationIn,
  bank,
  deciding,
  decisionsOf,
  declined,
  tryMutation,
  officer,
  openBank,
  read,
  row,
  statusOf,
  submitting,
  eventTypesOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

interface Command {
  run(id: string): ReturnType<typeof deciding>
  /** The target state, for each state in which the command is allowed. */
  transitions: Partial<Record<ApplicationStatus, ApplicationStatus>>
  /** The rejection codes of other states, where they are not INVALID_STATE_TRANSITION. */
  codes?: Partial<Record<ApplicationStatus, string>>
  emits: string
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
    // A different body from the one that was submitted, so that it is not a repetition.
    run: (id) => submitting(id, { purpose: 'A bicycle' }),
    transitions: { draft: 'submitted' },
    emits: 'credit-application.submitted',
  },
  approve: {
    run: (id) => deciding(id, { outcome: 'approved' }),
    transitions: { submitted: 'approved', 'in-review': 'approved' },
    codes: tooEarlyOrLate,
    emits: 'loan-application.approved',
  },
  decline: {
    run: (id) => deciding(id, declined),
    transitions: { submitted: 'declined', 'in-review': 'declined', approved: 'declined' },
    codes: tooEarlyOrLate,
    emits: 'loan-application.declined',
  },
  refer: {
    run: (id) => deciding(id, { outcome: 'referred' }),
    transitions: { submitted: 'in-review', 'in-review': 'in-review' },
    codes: tooEarlyOrLate,
    emits: 'credit-application.referred',
  },
  review: {
    run: (id) => tryMutation('startCreditReview(applicationId: $id) { status }', id, asOfficer),
    transitions: { submitted: 'in-review' },
    emits: 'credit-application.in-review',
  },
  return: {
    run: (id) =>
      tryMutation('returnLoanApplication(applicationId: $id, wanted: "A payslip.") { status }', id),
    transitions: { 'in-review': 'submitted' },
    emits: 'credit-application.returned',
  },
  accept: {
    run: (id) => accepting(id, { acceptanceChannel: 'branch' }),
    transitions: { approved: 'accepted' },
    emits: 'loan-application.accepted',
  },
  withdraw: {
    run: (id) => tryMutation('withdrawLoanApplication(applicationId: $id) { status }', id),
    transitions: {
      draft: 'declined',
      submitted: 'declined',
      'in-review': 'declined',
      approved: 'declined',
    },
    emits: 'loan-application.declined',
  },
  answer: {
    run: (id) =>
      tryMutation('answerCounterOffer(applicationId: $id, isTaken: true) { status }', id),
    transitions: {},
    codes: Object.fromEntries(
      ApplicationStatus.values.map((status) => [status, 'NO_COUNTER_OFFER']),
    ),
    emits: '',
  },
  fulfill: {
    run: (id) =>
      tryMutation('fulfillCondition(applicationId: $id, code: "payslip") { status }', id),
    transitions: {},
    codes: { approved: 'CONDITION_NOT_FOUND' },
    emits: '',
  },
}

const everything = async (id: string) => ({
  row: await row(id),
  event: await eventTypesOf(id),
  decisions: await decisionsOf(id),
})

for (const [name, { run, transitions, codes = {}, emits }] of Object.entries(commands)) {
  describe(name, () => {
    test.each(ApplicationStatus.values)(
      'in state %s makes its transition or is rejected',
      async (status) => {
        const id = await applicationIn(status)
        const before = await everything(id)
        const { errors } = await run(id)
        const to = transitions[status]
        if (to) {
          expect(errors).toEqual([])
          expect(await statusOf(id)).toBe(to)
          expect((await eventTypesOf(id)).slice(before.event.length)).toContain(emits)
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
      },
    )
  })
}

test('the transition table matches the commands', () => {
  const byCommand = Object.values(commands).flatMap(({ transitions }) =>
    Object.entries(transitions),
  )
  for (const status of ApplicationStatus.values) {
    const reached = byCommand.flatMap(([from, to]) => (from === status && to !== from ? [to] : []))
    // A worker books the loan.
    if (status === 'accepted') reached.push('booked')
    expect(new Set(reached), status).toEqual(new Set(applicationStates.table[status]))
  }
})

test('every command rejects an unknown application, and a query returns null', async () => {
  for (const { run } of Object.values(commands)) {
    expect((await run('app_none')).code).toBe('APPLICATION_NOT_FOUND')
  }
  expect(await read('app_none')).toMatchObject({ errors: [], code: undefined })
})

test('records one of two concurrent decisions', async () => {
  const id = await applicationIn('submitted')
  const answers = await Promise.all([
    deciding(id, { outcome: 'approved' }),
    deciding(id, { outcome: 'approved' }),
  ])
  expect(answers.map(({ code }) => String(code)).toSorted()).toEqual([decided, 'undefined'])
  expect(await decisionsOf(id)).toHaveLength(1)
})
