import { FeeRunStatus } from '../../../subgraphs/fees/model/enumerations.ts'
import { describe, expect, test } from 'vitest'
import type { Fee } from '../../../kernel/domain/fee.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { endOf } from '../../../subgraphs/fees/domain/fee-period.ts'
import {
  chargeKey,
  decideItem,
  type FeeDecisionInputs,
} from '../../../subgraphs/fees/domain/fee-run-item.ts'
import {
  advanceRun,
  beginRun,
  endReversal,
  failRun,
  feeRunTransitions,
  resumeRun,
  scheduleReversal,
  scheduleRun,
} from '../../../subgraphs/fees/domain/fee-run.ts'
import type { FeeRun } from '../../../subgraphs/fees/model/fee-run.ts'

const now = new Date('2026-04-02T09:00:00Z')
const period = { start: '2026-03-01', end: '2026-03-31' }
const request = {
  feeRunId: 'fee_1',
  runType: 'manual',
  feeCode: 'account',
  productId: 'prd_1',
} as const
const scheduled = scheduleRun({
  ...request,
  frequency: 'monthly',
  isDryRun: false,
  triggeredBy: 'test',
  period,
  now,
})
const runIn = (status: FeeRunStatus, more: Partial<FeeRun> = {}): FeeRun => ({
  ...scheduled,
  status,
  ...more,
})
const fee: Fee = {
  code: 'account',
  name: 'Account fee',
  frequency: 'monthly',
  amount: { amountMinor: 450n, currency: 'EUR' },
  percent: null,
  tiers: [],
  minimum: null,
  maximum: null,
  waivers: [],
}
const inputs: FeeDecisionInputs = {
  account: {
    arrangementId: 'arr_1',
    partyId: 'pty_1',
    customerId: 'cus_1',
    productVersion: '2026.1',
    state: 'active',
    currency: 'EUR',
    openedAt: new Date('2026-01-10T12:00:00Z'),
  },
  fee,
  balanceMinor: null,
  payments: null,
  segment: null,
  earlierAttempts: { isCharged: false, attempts: 0 },
}
const charged = decideItem(scheduled, inputs, now)
const failed = { ...charged, outcome: 'failed' as const, reason: 'INSUFFICIENT_FUNDS' }

describe('transitions of a fee run', () => {
  const made = { feeRunId: 'fee_2', triggeredBy: 'test', now }
  const actions: Record<
    string,
    { from: FeeRunStatus[]; to: FeeRunStatus; act: (run: FeeRun) => FeeRun }
  > = {
    begin: { from: ['scheduled'], to: 'running', act: (run) => beginRun(run, now) },
    resume: { from: ['failed'], to: 'running', act: (run) => resumeRun(run, now) },
    fail: { from: ['running'], to: 'failed', act: (run) => failRun(run, 'INTERNAL', now) },
    advance: {
      from: ['running'],
      to: 'running',
      act: (run) => advanceRun(run, [charged], 'next', now),
    },
    complete: {
      from: ['running'],
      to: 'completed',
      act: (run) => advanceRun(run, [charged], null, now),
    },
    'complete with errors': {
      from: ['running'],
      to: 'completed-with-errors',
      act: (run) => advanceRun(run, [failed], null, now),
    },
    'end the reversal': {
      from: ['completed', 'completed-with-errors'],
      to: 'reversed',
      act: (run) => endReversal(run, true, now),
    },
  }
  const cases = Object.entries(actions).flatMap(([name, { from, to, act }]) =>
    FeeRunStatus.values.map(
      (status) => [name, status, from.includes(status) ? to : null, act] as const,
    ),
  )

  test.each(cases)(
    '%s while the run is %s follows the table of transitions',
    (_name, status, to, act) => {
      const run = runIn(status)
      if (to !== null) {
        const after = act(run)
        expect([after.status, after.version]).toEqual([to, run.version + 1])
        return
      }
      expect(refusalOf(() => act(run))).toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        members: { currentState: status, allowedStates: expect.any(Array), resourceId: 'fee_1' },
      })
    },
  )

  test.each(FeeRunStatus.values)(
    'scheduling a reversal of a %s run follows the table of transitions',
    (status) => {
      if (!feeRunTransitions[status].includes('reversed')) {
        const refusal = refusalOf(() => scheduleReversal(runIn(status), made))
        expect(refusal).toMatchObject({
          code: 'INVALID_STATE_TRANSITION',
          members: { currentState: status, allowedStates: feeRunTransitions[status] },
        })
        return
      }
      const { run, reversal } = scheduleReversal(runIn(status), made)
      expect(run).toMatchObject({ status, reversedByRunId: 'fee_2', version: 2 })
      expect(reversal).toMatchObject({
        status: 'scheduled',
        reversesRunId: 'fee_1',
        feeCode: 'account',
      })
    },
  )

  test('dry runs, reversals and runs with a reversal under way cannot be reversed', () => {
    const code = (run: FeeRun) => refusalOf(() => scheduleReversal(run, made)).code
    expect(code(runIn('completed', { isDryRun: true }))).toBe('FEE_RUN_NOT_REVERSIBLE')
    expect(code(runIn('completed', { reversesRunId: 'fee_0' }))).toBe('FEE_RUN_NOT_REVERSIBLE')
    expect(code(runIn('completed', { reversedByRunId: 'fee_9' }))).toBe('STATE_CONFLICT')
  })

  test('a run whose reversal was incomplete can be reversed again', () => {
    const run = runIn('completed', { reversedByRunId: 'fee_2' })
    expect(endReversal(run, false, now)).toMatchObject({
      status: 'completed',
      reversedByRunId: null,
    })
  })
})

describe('totals of a fee run', () => {
  test('balances are taken at the end of the period, or now while the period is open', () => {
    expect(scheduled.asOf).toEqual(endOf(period))
    expect(endOf(period).toISOString()).toBe('2026-03-31T23:59:59.999Z')
    const early = new Date('2026-03-10T10:00:00Z')
    const more = { frequency: 'monthly', isDryRun: false, triggeredBy: 'test' } as const
    expect(scheduleRun({ ...request, ...more, period, now: early }).asOf).toEqual(early)
  })

  test('pages accumulate counts, totals per currency and the first 20 errors', () => {
    const dollars = { ...charged, amountMinor: 500n, currency: 'USD' }
    const waived = { ...charged, outcome: 'waived' as const, reason: 'account-age' }
    const skipped = { ...charged, outcome: 'skipped' as const, amountMinor: null }
    const first = advanceRun(runIn('running'), [charged, charged, dollars, waived], 'next', now)
    const second = advanceRun(first, [charged, skipped, ...Array(25).fill(failed)], null, now)
    expect(second).toMatchObject({
      selected: 31,
      charged: 4,
      waived: 1,
      skipped: 1,
      failed: 25,
      totals: [
        { amountMinor: 1350n, currency: 'EUR' },
        { amountMinor: 500n, currency: 'USD' },
      ],
      status: 'completed-with-errors',
      completedAt: now,
      checkpoint: 'next',
    })
    expect(second.errors).toEqual(
      Array(20).fill({ arrangementId: 'arr_1', code: 'INSUFFICIENT_FUNDS' }),
    )
  })

  test('reversed fees are negative', () => {
    const reversed = { ...charged, outcome: 'reversed' as const }
    const { totals } = advanceRun(runIn('running'), [reversed], null, now)
    expect(totals).toEqual([{ amountMinor: -450n, currency: 'EUR' }])
  })
})

describe('decision per account', () => {
  const { account } = inputs
  const opened = (day: string) => ({
    account: { ...account, openedAt: new Date(`${day}T23:59:59Z`) },
  })
  const share = { ...fee, amount: null, percent: '0.1' }
  const young = { kind: 'account-age', months: 6 } as const

  test.each<[string, Partial<FeeDecisionInputs>, string, string | null, bigint | null]>([
    ['regular', {}, 'charged', null, 450n],
    ['opened on the last day of the period', opened('2026-03-31'), 'charged', null, 450n],
    ['opened one day after the period', opened('2026-04-01'), 'skipped', 'opened-later', null],
    [
      'already charged',
      { earlierAttempts: { isCharged: true, attempts: 0 } },
      'skipped',
      'already-charged',
      null,
    ],
    [
      'in another currency',
      { account: { ...account, currency: 'USD' } },
      'skipped',
      'other-currency',
      null,
    ],
    ['percentage of the balance', { fee: share, balanceMinor: 10_000n }, 'charged', null, 10n],
    [
      'percentage of a zero balance',
      { fee: share, balanceMinor: 0n },
      'skipped',
      'nothing-to-charge',
      null,
    ],
    ['waived', { fee: { ...fee, waivers: [young] } }, 'waived', 'account-age', 450n],
    [
      'per payment',
      { fee: { ...fee, frequency: 'per-event' }, payments: { count: 3, sumMinor: 1n } },
      'charged',
      null,
      1350n,
    ],
    [
      'per payment, without payments',
      { fee: { ...fee, frequency: 'per-event' }, payments: { count: 0, sumMinor: 0n } },
      'skipped',
      'nothing-to-charge',
      null,
    ],
  ])('%s', (_what, more, outcome, reason, amountMinor) => {
    const item = decideItem(scheduled, { ...inputs, ...more }, now)
    expect(item).toMatchObject({ outcome, reason, amountMinor, arrangementId: 'arr_1' })
  })

  test('an upfront fee is charged for the opening date, whatever the period', () => {
    const run = runIn('running', { frequency: 'upfront' })
    const item = decideItem(run, inputs, now)
    expect(item).toMatchObject({ periodStart: '2026-01-10', periodEnd: '2026-01-10' })
  })

  test('a retry after a failed charge has its own idempotency key, and keys of different fees never collide', () => {
    expect(chargeKey(charged)).toBe('fee:account:arr_1:2026-03-01')
    const again = decideItem(
      scheduled,
      { ...inputs, earlierAttempts: { isCharged: false, attempts: 1 } },
      now,
    )
    expect(chargeKey(again)).toBe('fee:account:arr_1:2026-03-01:2')
    const one = chargeKey({ ...charged, feeCode: 'a:b', arrangementId: 'c' })
    expect(one).not.toBe(chargeKey({ ...charged, feeCode: 'a', arrangementId: 'b:c' }))
  })
})

function refusalOf(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('No problem was thrown.')
}
