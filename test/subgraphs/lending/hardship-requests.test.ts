import { HardshipStatus } from '../../../subgraphs/lending/model/relief/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { type RunningSubgraph, aCaller, employee } from '../../kit/subgraph.ts'
import { hardshipStates } from '../../../subgraphs/lending/model/relief/hardship-request.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  findings,
  fund,
  grace,
  opened,
  runOnce,
  eventsOf,
} from './facility-kit.ts'
import { assessor, does, made, createHardshipRequest, read, review } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await fund(bank, 'arr_ada', 1_000_000_00n)
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const start = '2026-03-02T09:00:00Z'
const aLoanId = async (more: object = {}): Promise<string> =>
  (await opened(bank, aLoan(more))).facilityId
const aRequest = async (type: string, more: object = {}): Promise<any> => {
  const input = { loanId: await aLoanId(), type, reason: 'Out of work', ...more }
  return made(createHardshipRequest(bank, input, { caller: ada }))
}
const decide = (hardshipRequestId: string, action: string, more: object = {}, options?: object) =>
  review(bank, { hardshipRequestId, action, ...more }, options)

describe('hardship request', () => {
  test('gets a decision deadline and a case, and emits its event', async () => {
    const request = await aRequest('term-extension'.toUpperCase().replace('-', '_'))
    const { hardshipRequestId: id } = request
    expect(request).toMatchObject({
      status: 'SUBMITTED',
      reason: 'Out of work',
      submittedAt: '2026-03-02T09:00:00.000Z',
      decisionDueBy: '2026-03-23T09:00:00.000Z',
      case: null,
    })
    expect(await eventsOf(bank, `hardship-request/${id}`)).toEqual(['submitted'])
    const input: any[] = []
    bank.bank.queryGraph = (_document, variables) => {
      input.push(variables)
      return Promise.resolve({} as never)
    }
    expect(await runOnce(bank, 'lending.open-hardship-cases')).toBe(1)
    expect(await runOnce(bank, 'lending.open-hardship-cases')).toBe(0)
    expect(input).toEqual([
      {
        caseId: expect.stringMatching(/^case_/),
        partyId: 'pty_ada',
        title: 'Hardship: term extension',
        subjects: [`hardship-request/${id}`, `facility/${request.loanId}`],
      },
    ])
    expect((await read(bank, 'hardshipRequest', id)).data.record.case).toEqual({
      caseId: input[0].caseId,
    })
    expectAbsent(await read(bank, 'hardshipRequest', id, { caller: grace }))
  })

  test('retries a case that could not be opened, and continues without one that was rejected', async () => {
    const request = await aRequest('RESTRUCTURE')
    const failing = (code: 'DEPENDENCY_UNAVAILABLE' | 'PARTY_NOT_FOUND') => {
      bank.bank.queryGraph = () => Promise.reject(new Problem(code))
    }
    failing('DEPENDENCY_UNAVAILABLE')
    await expect(runOnce(bank, 'lending.open-hardship-cases')).rejects.toThrow()
    failing('PARTY_NOT_FOUND')
    bank.bank.log.level = 'silent'
    expect(await runOnce(bank, 'lending.open-hardship-cases')).toBe(1)
    bank.bank.log.level = 'error'
    expect(await runOnce(bank, 'lending.open-hardship-cases')).toBe(0)
    expect(
      (await read(bank, 'hardshipRequest', request.hardshipRequestId)).data.record.case,
    ).toBeNull()
  })

  test('emits decision-due five days before its deadline, unless it is closed', async () => {
    const [open, closed] = [await aRequest('RESTRUCTURE'), await aRequest('RESTRUCTURE')]
    await made(
      does(bank, 'cancelHardshipRequest', 'hardshipRequest', closed.hardshipRequestId, {
        caller: ada,
      }),
    )
    bank.clock.set('2026-03-18T08:59:59Z')
    expect(await runOnce(bank, 'lending.escalate-hardship-requests')).toBe(0)
    bank.clock.set('2026-03-18T09:00:00Z')
    while ((await runOnce(bank, 'lending.escalate-hardship-requests')) > 0);
    expect(await eventsOf(bank, `hardship-request/${open.hardshipRequestId}`)).toEqual([
      'submitted',
      'decision-due',
    ])
    expect(await eventsOf(bank, `hardship-request/${closed.hardshipRequestId}`)).toEqual([
      'submitted',
      'cancelled',
    ])
    bank.clock.set(start)
  })

  test.each([
    ['an unknown loan', { loanId: 'loan_none' }, 'LOAN_NOT_FOUND'],
    ['a revolving limit', { loanId: 'fac_hardship' }, 'LOAN_NOT_FOUND'],
    ['an undisbursed loan', { loanId: 'loan_undrawn' }, 'LOAN_NOT_ELIGIBLE_STATE'],
    ['a blank reason', { reason: '  ' }, 'VALIDATION_FAILED'],
    ['a reason that is too long', { reason: 'x'.repeat(2001) }, 'VALIDATION_FAILED'],
    ['a start in the past', { requestedStartDate: '2026-03-01' }, 'START_DATE_IN_PAST'],
    [
      'an end before the start',
      { requestedStartDate: '2026-05-01', requestedEndDate: '2026-04-30' },
      'INVALID_DATE_RANGE',
    ],
    [
      'a holiday that ends after maturity',
      { type: 'PAYMENT_HOLIDAY', requestedEndDate: '2027-03-03' },
      'END_AFTER_MATURITY',
    ],
    [
      'a period that is too long',
      { requestedStartDate: '2026-05-01', requestedEndDate: '2027-05-02' },
      'PERIOD_TOO_LONG',
    ],
  ])('is rejected for %s', async (_why, more, code) => {
    if (code === 'LOAN_NOT_FOUND') await opened(bank, aLimit({ facilityId: 'fac_hardship' }))
    if (code === 'LOAN_NOT_ELIGIBLE_STATE') {
      await opened(bank, aLoan({ facilityId: 'loan_undrawn', disburse: false }))
    }
    const input = { loanId: await aLoanId(), type: 'TEMPORARY_REDUCTION', reason: 'Ill', ...more }
    expect((await createHardshipRequest(bank, input, { caller: ada })).code).toBe(code)
    expect(
      await bank.rows('select * from lending.hardship_request where loan_id = $1', [input.loanId]),
    ).toEqual([])
  })

  test('is limited to the borrower’s own loan, and decided by another employee', async () => {
    const loanId = await aLoanId()
    const input = { loanId, type: 'RESTRUCTURE', reason: 'Ill' }
    expect((await createHardshipRequest(bank, input, { caller: grace })).code).toBe(
      'LOAN_NOT_FOUND',
    )
    const { hardshipRequestId: id } = await made(
      createHardshipRequest(bank, input, { caller: employee }),
    )
    expect((await decide(id, 'START', {}, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    await made(decide(id, 'START'))
    const decision = { reasons: ['RELIEF_NOT_SUITABLE'] }
    for (const [caller, code] of [
      [employee, 'SEGREGATION_OF_DUTIES'],
      [aCaller(), 'PERSON_REQUIRED'],
    ] as const) {
      const relief = { relief: { ratePct: '1' } }
      expect((await decide(id, 'DECLINE', decision, { caller })).code).toBe(code)
      expect((await decide(id, 'APPROVE', relief, { caller })).code).toBe(code)
    }
    expect((await decide(id, 'DECLINE')).code).toBe('DECLINE_REASONS_REQUIRED')
    expect(
      (await decide(id, 'DECLINE', { reasons: ['OTHER', 'OTHER'] })).data.record,
    ).toMatchObject({
      status: 'DECLINED',
      declineReasons: ['OTHER'],
      decidedAt: expect.any(String),
    })
  })
})

describe('hardship request transitions', () => {
  const actions: Record<string, HardshipStatus> = {
    START: 'under-review',
    APPROVE: 'approved',
    DECLINE: 'declined',
    cancel: 'cancelled',
  }
  const mutate = (name: string, id: string) =>
    name === 'cancel'
      ? does(bank, 'cancelHardshipRequest', 'hardshipRequest', id, { caller: assessor })
      : decide(id, name, { relief: { extraInstallments: 1 }, reasons: ['OTHER'] })
  const paths: Record<HardshipStatus, string[]> = {
    submitted: [],
    'under-review': ['START'],
    approved: ['START', 'APPROVE'],
    declined: ['START', 'DECLINE'],
    cancelled: ['cancel'],
  }

  for (const status of HardshipStatus.values) {
    for (const [name, to] of Object.entries(actions)) {
      const isLegal = hardshipStates.table[status].includes(to)
      test(`${name} in state ${status}: ${isLegal ? to : 'invalid transition'}`, async () => {
        const { hardshipRequestId: id } = await aRequest('TERM_EXTENSION')
        for (const step of paths[status]) await made(mutate(step, id))
        const everything = async () => [
          await bank.rows('select * from lending.hardship_request where hardship_request_id = $1', [
            id,
          ]),
          await bank.rows('select count(*) from lending.schedule_version'),
          await eventsOf(bank, `hardship-request/${id}`),
        ]
        const before = await everything()
        const { data, errors } = await mutate(name, id)
        if (isLegal) {
          expect(errors).toEqual([])
          expect(data.record.status).toBe(to.toUpperCase().replaceAll('-', '_'))
          expect((await eventsOf(bank, `hardship-request/${id}`)).at(-1)).toBe(to)
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
            allowedStates: hardshipStates.table[status],
          })
          expect(await everything()).toEqual(before)
        }
      })
    }
  }
})
