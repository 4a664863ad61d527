import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bank,
  caseIn,
  day,
  does,
  openBank,
  opening,
  readCase,
  runs,
  eventsOf,
  watchDeadlines,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Clock of a case', () => {
  // Stops the clocks of cases from other tests.
  beforeEach(() => bank.rows(`update casework.case_file set due_at = null, warn_at = null`))

  test('stops while the case waits for the customer and resumes with the remaining time', async () => {
    const id = await caseIn('in-progress')
    bank.clock.advance(2 * day)
    const waits = (await does('waitForCustomer', id)).data.act.clock
    expect(waits).toEqual({
      isRunning: false,
      dueAt: null,
      remainingSeconds: (19 * day) / 1000,
      breachedAt: null,
    })
    bank.clock.advance(100 * day)
    expect(await runs(watchDeadlines)).toBe(0)
    expect((await readCase(id)).data.case.clock).toEqual(waits)
    const { clock } = (await does('resumeCase', id)).data.act
    const dueAt = new Date(bank.bank.now().getTime() + 19 * day).toISOString()
    expect(clock).toMatchObject({ isRunning: true, dueAt })
    bank.clock.advance(day)
    expect((await readCase(id)).data.case.clock.remainingSeconds).toBe((18 * day) / 1000)
    await does('withdrawCase', id)
  })

  test('emits one warning and one breach, and shows the breach from then on', async () => {
    const id = await caseIn('in-progress')
    bank.clock.advance(16 * day - 1)
    expect(await runs(watchDeadlines)).toBe(0)
    bank.clock.advance(1)
    expect(await runs(watchDeadlines)).toBe(1)
    expect(await runs(watchDeadlines)).toBe(0)
    bank.clock.advance(5 * day)
    const breachedAt = bank.bank.now().toISOString()
    expect(await runs(watchDeadlines)).toBe(1)
    expect(await runs(watchDeadlines)).toBe(0)
    expect((await eventsOf(`case/${id}`)).slice(2)).toEqual([
      'casework.case.sla-at-risk',
      'casework.case.sla-breached',
    ])
    bank.clock.advance(1000)
    expect((await readCase(id)).data.case.clock).toMatchObject({ remainingSeconds: -1, breachedAt })
    await does('waitForCustomer', id)
    await does('resumeCase', id)
    expect(await runs(watchDeadlines)).toBe(0)
    const { clock, timeline } = (await readCase(id)).data.case
    expect(clock).toMatchObject({ isRunning: true, breachedAt })
    const alarms = timeline.nodes.filter(({ kind }: any) => ['AT_RISK', 'BREACHED'].includes(kind))
    expect(alarms).toMatchObject([{ isShared: false, by: 'bankgraph' }, { isShared: false }])
  })

  test('handles many breached cases in one run', async () => {
    for (let made = 0; made < 60; made++) await opening('caseType: FRAUD')
    bank.clock.advance(3 * day)
    expect(await runs(watchDeadlines)).toBe(60)
    const [{ count }] = (await bank.rows(
      'select count(*)::int from casework.case_file where breached_at is not null',
    )) as [{ count: number }]
    expect(count).toBeGreaterThanOrEqual(60)
  })
})
