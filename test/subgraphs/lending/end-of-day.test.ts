import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { closeBatch } from '../../../subgraphs/lending/workers/servicing/end-of-day.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  facilityOf,
  findings,
  fund,
  morningOf,
  opened,
  runOnce,
  eventsOf,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})
afterAll(() => bank.drop())

const repaymentsOf = async (facilityId: string) => {
  const { data } = await bank.execute(
    `query ($id: ID!) { facility(facilityId: $id) {
      repayments { nodes { isCollected paymentDate amount { amount } source { arrangementId } } } } }`,
    { id: facilityId },
  )
  return data.facility.repayments.nodes
}

describe('end of day for one loan', () => {
  test('accrues interest each night, which adds up to the interest of the installment', async () => {
    await opened(bank, aLoan({ facilityId: 'loan_days' }))
    const accrued: number[] = []
    for (let day = 3; day <= 31; day++) {
      await morningOf(bank, `2026-03-${String(day).padStart(2, '0')}`)
      accrued.push(await booked(bank, 'loan@loan_days', 'accrued'))
    }
    // Nothing accrues for the day of the payout.
    expect(accrued.slice(0, 3)).toEqual([0, 194, 387])
    await morningOf(bank, '2026-04-02')
    expect(await booked(bank, 'loan@loan_days', 'accrued')).toBe(5806)
    await morningOf(bank, '2026-04-03')
    expect(await booked(bank, 'loan@loan_days', 'accrued')).toBe(0)
    expect(await booked(bank, 'interest-income/EUR')).toBe(6000)
  })

  test('collects the installment from the settlement account on its due date', async () => {
    expect(await repaymentsOf('loan_days')).toEqual([
      {
        isCollected: true,
        paymentDate: '2026-04-02',
        amount: { amount: '1032.80' },
        source: { arrangementId: 'arr_ada' },
      },
    ])
    expect(await booked(bank, 'arr_ada')).toBe(1_200_000 - 103_280)
    const { schedule, state } = await facilityOf(bank, 'loan_days')
    expect([state, schedule[0].number]).toEqual(['ACTIVE', 1])
  })

  test('closes a day once', async () => {
    const before = (await bank.events()).length
    expect(await runOnce(bank, 'lending.end-of-day')).toBe(0)
    expect((await bank.events()).length).toBe(before)
  })
})

describe('end of day without enough money to collect', () => {
  test('moves a loan through the delinquency stages by its days past due', async () => {
    bank.clock.set('2026-04-03T09:00:00Z')
    const late = { facilityId: 'loan_late', customerId: 'cus_grace', settlementArrangementId: null }
    await opened(bank, aLoan({ ...late, disburse: false }))
    await draw(bank, {
      facilityId: 'loan_late',
      amount: '12000.00',
      destination: { arrangementId: 'arr_ada' },
    })
    const stages: [string, string, string][] = [
      ['2026-05-03', 'ACTIVE', 'CURRENT'],
      ['2026-05-04', 'IN_ARREARS', 'PAST_DUE'],
      ['2026-06-01', 'IN_ARREARS', 'PAST_DUE'],
      ['2026-06-02', 'IN_ARREARS', 'INCREASED_RISK'],
      ['2026-07-31', 'IN_ARREARS', 'INCREASED_RISK'],
      ['2026-08-01', 'IN_ARREARS', 'DEFAULT'],
    ]
    for (const [date, state, stage] of stages) {
      await morningOf(bank, date)
      expect(await facilityOf(bank, 'loan_late'), date).toMatchObject({
        state,
        delinquency: { stage },
      })
    }
    expect(await eventsOf(bank, 'facility/loan_late')).toEqual([
      'opened',
      'activated',
      'schedule-changed',
      'in-arrears',
      'delinquency-changed',
      'delinquency-changed',
    ])
    expect((await bank.fact('facility/loan_late'))!['delinquencyStage']).toBe('default')
  })

  test('collects nothing from a blocked account, and only whole installments from a low balance', async () => {
    await bank.rows(`update ledger.balance set blocked_for = 'debit', stamp = gen_random_uuid()
      where account_id = 'arr_grace'`)
    await fund(bank, 'arr_grace', 250_000n)
    await opened(
      bank,
      aLoan({
        facilityId: 'loan_some',
        customerId: 'cus_grace',
        settlementArrangementId: 'arr_grace',
        disburse: false,
      }),
    )
    await draw(bank, {
      facilityId: 'loan_some',
      amount: '12000.00',
      destination: { arrangementId: 'arr_ada' },
    })
    await morningOf(bank, '2026-11-03')
    expect(await repaymentsOf('loan_some')).toEqual([])
    await bank.rows(`update ledger.balance set blocked_for = null, stamp = gen_random_uuid()
      where account_id = 'arr_grace'`)
    await morningOf(bank, '2026-11-04')
    const paid = await repaymentsOf('loan_some')
    expect(paid.map(({ amount }: any) => amount.amount)).toEqual(['2065.60'])
    expect(await booked(bank, 'arr_grace')).toBe(250_000 - 206_560)
    const query = 'query ($id: ID!) { facility(facilityId: $id) { state schedule { status } } }'
    const { facility } = (await bank.execute(query, { id: 'loan_some' })).data
    expect(facility.state).toBe('IN_ARREARS')
    const statuses: string[] = facility.schedule.map(({ status }: any) => status)
    // The two oldest of the installments that are due are paid.
    expect(statuses.slice(0, 3)).toEqual(['PAID', 'PAID', 'DUE'])
    expect(statuses.filter((status) => status === 'PAID')).toHaveLength(2)
  })
})

test('one end of day for a whole year equals a year of nightly ends of day', async () => {
  const days = await aLender()
  const year = await aLender()
  for (const one of [days, year]) {
    await fund(one, 'arr_ada', 500_000n)
    await opened(one, aLoan({ facilityId: 'loan_year', installments: 24 }))
    await opened(one, aLimit({ facilityId: 'fac_year', installments: 6 }))
    await draw(one, { facilityId: 'fac_year', amount: '4000.00' })
  }
  for (let at = Date.parse('2026-03-03'); at <= Date.parse('2027-03-03'); at += 86_400_000) {
    await morningOf(days, new Date(at).toISOString().slice(0, 10))
  }
  const from = performance.now()
  await morningOf(year, '2027-03-03')
  expect(performance.now() - from).toBeLessThan(5000)
  for (const facilityId of ['loan_year', 'fac_year']) {
    const facility = await facilityOf(year, facilityId)
    expect(facility).toEqual(await facilityOf(days, facilityId))
    expect(await eventsOf(year, `facility/${facilityId}`)).toEqual(
      await eventsOf(days, `facility/${facilityId}`),
    )
  }
  for (const one of [days, year]) {
    expect(await findings(one)).toEqual([])
    await one.drop()
  }
}, 120_000)

describe('end-of-day run', () => {
  const runs = async (options: object = {}) =>
    bank.execute(
      '{ endOfDayRuns(first: 5) { nodes { businessDate total done completedAt } } }',
      {},
      options,
    )

  test('resumes after a crash, in any process, and closes each facility once', async () => {
    const count = 23
    bank.clock.set('2026-11-04T09:00:00Z')
    for (let at = 0; at < count; at++) {
      await opened(
        bank,
        aLoan({ facilityId: `loan_run_${at}`, limit: { amount: '600.00', currency: 'EUR' } }),
      )
    }
    bank.clock.set('2026-11-06T05:00:00Z')
    const other = bank.another()
    const size = 5
    await closeBatch(bankContext(bank.bank), size)
    // The process dies in the middle of the next batch, which leaves nothing behind.
    const { commits } = bank.bank
    const { commit } = commits
    commits.commit = () => Promise.reject(new Error('The process has ended.'))
    await expect(closeBatch(bankContext(bank.bank), size)).rejects.toThrow('ended')
    commits.commit = commit
    const { nodes } = (await runs()).data.endOfDayRuns
    expect(nodes[0]).toMatchObject({ businessDate: '2026-11-05', done: 5, completedAt: null })
    const work = async (bankOf: typeof bank.bank) => {
      while ((await closeBatch(bankContext(bankOf), size)) > 0);
    }
    await Promise.all([work(bank.bank), work(other.bank), work(other.bank)])
    const [run] = (await runs()).data.endOfDayRuns.nodes
    expect(run.done).toBe(run.total)
    expect(run.completedAt).not.toBeNull()
    const rows = await bank.rows(
      `select count(*)::int as n from ledger.entry where account_id like 'loan@loan_run_%'
       and address = 'accrued' group by account_id`,
    )
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: count }, () => 1))
    const published = (await bank.events()).filter(
      ({ subject }) => subject === 'end-of-day/2026-11-05',
    )
    expect(published.map(({ type }) => type)).toEqual([
      'lending.end-of-day.started',
      'lending.end-of-day.completed',
    ])
  })

  test('that a later day overtook completes with it', async () => {
    bank.clock.set('2026-11-07T05:00:00Z')
    await closeBatch(bankContext(bank.bank), 5)
    await morningOf(bank, '2026-11-09')
    const { nodes } = (await runs()).data.endOfDayRuns
    expect(nodes.slice(0, 2).map(({ businessDate }: any) => businessDate)).toEqual([
      '2026-11-08',
      '2026-11-06',
    ])
    expect(nodes.every(({ completedAt }: any) => completedAt !== null)).toBe(true)
  })

  test('is forbidden to delegated users', async () => {
    expect((await runs({ caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    const request = await bank.execute('{ lendingFindings { subject } }', {}, { caller: ada })
    expect(request.code).toBe('NOT_FOR_DELEGATED_USERS')
  })

  test('closes the days of one facility on request, such as one that was migrated', async () => {
    await fund(bank, 'arr_ada', 10_000_000n)
    const over = aLoan({ facilityId: 'loan_over', openedOn: '2025-11-01', installments: 36 })
    await opened(bank, over)
    const close = `mutation { closeFacilityDays(facilityId: "loan_over") {
      state accruedThrough schedule { status } } }`
    expect((await bank.execute(close, {}, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    const { closeFacilityDays } = (await bank.execute(close)).data
    expect(closeFacilityDays).toMatchObject({ state: 'ACTIVE', accruedThrough: '2026-11-08' })
    const paid = closeFacilityDays.schedule.filter(({ status }: any) => status === 'PAID')
    expect(paid).toHaveLength(12)
  })
})

test('reports a facility that differs from the ledger', async () => {
  await bank.rows(`update lending.facility set principal_minor = principal_minor + 1
    where facility_id = 'loan_over'`)
  expect((await findings(bank)).map(({ subject }) => subject)).toEqual(['loan_over'])
  await bank.rows(`update lending.facility set principal_minor = principal_minor - 1
    where facility_id = 'loan_over'`)
})

test('completes the run and the other facilities when one facility cannot be closed', async () => {
  const lender = await aLender()
  for (const facilityId of ['loan_1', 'loan_2', 'loan_3']) {
    await opened(lender, aLoan({ facilityId }))
  }
  const [{ loan }] = (await lender.rows(
    `select loan from lending.facility where facility_id = 'loan_2'`,
  )) as [{ loan: string }]
  const setLoan = (to: string) =>
    lender.rows(`update lending.facility set loan = $1 where facility_id = 'loan_2'`, [to])
  const closedThrough = async () =>
    (
      await lender.rows(
        'select closed_through::text as day from lending.facility order by facility_id',
      )
    ).map(({ day }) => day)
  await setLoan('broken')
  await morningOf(lender, '2026-03-04')
  expect(await closedThrough()).toEqual(['2026-03-03', '2026-03-01', '2026-03-03'])
  const completed = (await lender.events()).find(({ type }) => type.endsWith('day.completed'))
  expect(completed).toMatchObject({
    subject: 'end-of-day/2026-03-03',
    data: { businessDate: '2026-03-03', total: 3, done: 2 },
  })
  await setLoan(loan)
  expect(await runOnce(lender, 'lending.end-of-day')).toBe(1)
  expect(await closedThrough()).toEqual(['2026-03-03', '2026-03-03', '2026-03-03'])
  expect(await eventsOf(lender, 'end-of-day/2026-03-03')).toEqual(['started', 'completed'])
  expect(await findings(lender)).toEqual([])
  await lender.drop()
})
