import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  hardshipMoves,
  hardshipStatuses,
  type HardshipStatus,
} from '../../../subgraphs/lending/domain/hardship-request.ts'
import { Problem } from '../../../subgraphs/_kernel/domain/problem.ts'
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
  toldOf,
} from './facility-kit.ts'
import { assessor, does, made, plead, read, review } from './relief-kit.ts'

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
  const asked = { loanId: await aLoanId(), type, reason: 'Out of work', ...more }
  return made(plead(bank, asked, { caller: ada }))
}
const decide = (hardshipRequestId: string, action: string, more: object = {}, options?: object) =>
  review(bank, { hardshipRequestId, action, ...more }, options)

describe('a hardship request', () => {
  test('is submitted on a clock, told, and given a case', async () => {
    const request = await aRequest('term-extension'.toUpperCase().replace('-', '_'))
    const { hardshipRequestId: id } = request
    expect(request).toMatchObject({
      status: 'SUBMITTED',
      reason: 'Out of work',
      submittedAt: '2026-03-02T09:00:00.000Z',
      decisionDueBy: '2026-03-23T09:00:00.000Z',
      case: null,
    })
    expect(await toldOf(bank, `hardship-request/${id}`)).toEqual(['submitted'])
    const asked: any[] = []
    bank.bank.ask = (_document, variables) => {
      asked.push(variables)
      return Promise.resolve({} as never)
    }
    expect(await runOnce(bank, 'lending.open-hardship-cases')).toBe(1)
    expect(await runOnce(bank, 'lending.open-hardship-cases')).toBe(0)
    expect(asked).toEqual([
      {
        caseId: expect.stringMatching(/^case_/),
        partyId: 'pty_ada',
        title: 'Hardship: term extension',
        subjects: [`hardship-request/${id}`, `facility/${request.loanId}`],
      },
    ])
    expect((await read(bank, 'hardshipRequest', id)).data.record.case).toEqual({
      caseId: asked[0].caseId,
    })
    expectAbsent(await read(bank, 'hardshipRequest', id, { caller: grace }))
  })

  test('asks again for a case that could not be opened, and goes on without one that is refused', async () => {
    const request = await aRequest('RESTRUCTURE')
    const failing = (code: 'DEPENDENCY_UNAVAILABLE' | 'PARTY_NOT_FOUND') => {
      bank.bank.ask = () => Promise.reject(new Problem(code))
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

  test('is told of five days before its time is over, unless it was decided', async () => {
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
    expect(await toldOf(bank, `hardship-request/${open.hardshipRequestId}`)).toEqual([
      'submitted',
      'decision-due',
    ])
    expect(await toldOf(bank, `hardship-request/${closed.hardshipRequestId}`)).toEqual([
      'submitted',
      'cancelled',
    ])
    bank.clock.set(start)
  })

  test.each([
    ['no loan', { loanId: 'loan_none' }, 'LOAN_NOT_FOUND'],
    ['a limit', { loanId: 'fac_hardship' }, 'LOAN_NOT_FOUND'],
    ['a loan that is not drawn', { loanId: 'loan_undrawn' }, 'LOAN_NOT_ELIGIBLE_STATE'],
    ['no reason', { reason: '  ' }, 'VALIDATION_FAILED'],
    ['too long a reason', { reason: 'x'.repeat(2001) }, 'VALIDATION_FAILED'],
    ['a start in the past', { requestedStartDate: '2026-03-01' }, 'START_DATE_IN_PAST'],
    [
      'days that do not follow',
      { requestedStartDate: '2026-05-01', requestedEndDate: '2026-04-30' },
      'INVALID_DATE_RANGE',
    ],
    [
      'a holiday after the end',
      { type: 'PAYMENT_HOLIDAY', requestedEndDate: '2027-03-03' },
      'END_AFTER_MATURITY',
    ],
    [
      'a time too long',
      { requestedStartDate: '2026-05-01', requestedEndDate: '2027-05-02' },
      'PERIOD_TOO_LONG',
    ],
  ])('is refused for %s', async (_why, more, code) => {
    if (code === 'LOAN_NOT_FOUND') await opened(bank, aLimit({ facilityId: 'fac_hardship' }))
    if (code === 'LOAN_NOT_ELIGIBLE_STATE') {
      await opened(bank, aLoan({ facilityId: 'loan_undrawn', disburse: false }))
    }
    const asked = { loanId: await aLoanId(), type: 'TEMPORARY_REDUCTION', reason: 'Ill', ...more }
    expect((await plead(bank, asked, { caller: ada })).code).toBe(code)
    expect(
      await bank.rows('select * from lending.hardship_request where loan_id = $1', [asked.loanId]),
    ).toEqual([])
  })

  test("is of the borrower's own loan, and decided by somebody else of the bank", async () => {
    const loanId = await aLoanId()
    const asked = { loanId, type: 'RESTRUCTURE', reason: 'Ill' }
    expect((await plead(bank, asked, { caller: grace })).code).toBe('LOAN_NOT_FOUND')
    const { hardshipRequestId: id } = await made(plead(bank, asked))
    expect((await decide(id, 'START', {}, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    await made(decide(id, 'START'))
    const decision = { reasons: ['RELIEF_NOT_SUITABLE'] }
    expect((await decide(id, 'DECLINE', decision, { caller: aCaller() })).code).toBe(
      'SEGREGATION_OF_DUTIES',
    )
    expect(
      (await decide(id, 'APPROVE', { relief: { ratePct: '1' } }, { caller: aCaller() })).code,
    ).toBe('SEGREGATION_OF_DUTIES')
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

describe('moves', () => {
  const acts: Record<string, HardshipStatus> = {
    START: 'under-review',
    APPROVE: 'approved',
    DECLINE: 'declined',
    cancel: 'cancelled',
  }
  const act = (name: string, id: string) =>
    name === 'cancel'
      ? does(bank, 'cancelHardshipRequest', 'hardshipRequest', id, { caller: assessor })
      : decide(id, name, { relief: { extraInstalments: 1 }, reasons: ['OTHER'] })
  const paths: Record<HardshipStatus, string[]> = {
    submitted: [],
    'under-review': ['START'],
    approved: ['START', 'APPROVE'],
    declined: ['START', 'DECLINE'],
    cancelled: ['cancel'],
  }

  for (const status of hardshipStatuses) {
    for (const [name, to] of Object.entries(acts)) {
      const isLegal = hardshipMoves[status].includes(to)
      test(`${name} on ${status} is ${isLegal ? to : 'refused'}`, async () => {
        const { hardshipRequestId: id } = await aRequest('TERM_EXTENSION')
        for (const step of paths[status]) await made(act(step, id))
        const everything = async () => [
          await bank.rows('select * from lending.hardship_request where hardship_request_id = $1', [
            id,
          ]),
          await bank.rows('select count(*) from lending.schedule_version'),
          await toldOf(bank, `hardship-request/${id}`),
        ]
        const before = await everything()
        const { data, errors } = await act(name, id)
        if (isLegal) {
          expect(errors).toEqual([])
          expect(data.record.status).toBe(to.toUpperCase().replaceAll('-', '_'))
          expect((await toldOf(bank, `hardship-request/${id}`)).at(-1)).toBe(to)
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
            allowedStates: hardshipMoves[status],
          })
          expect(await everything()).toEqual(before)
        }
      })
    }
  }
})
