import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import {
  evaluate,
  isEpisodeDue,
  type FormerStep,
} from '../../../subgraphs/collections/domain/steps.ts'
import { aContract, aStep, aStrategy, noHolds, today } from './kit.ts'

const former = (code: string, decidedOn: string, action = 'send-letter'): FormerStep => ({
  code,
  action: action as FormerStep['action'],
  decidedOn,
})

const codes = (daysPastDue: number, history: FormerStep[] = [], more: object = {}) =>
  evaluate(aStrategy(), aContract(daysPastDue, more), history, today).steps.map(({ code }) => code)

describe('the steps of a night', () => {
  test('are those whose day has come', () => {
    expect(codes(4)).toEqual([])
    expect(codes(5)).toEqual(['first'])
    expect(codes(15, [former('first', '2026-04-21')])).toEqual(['second'])
  })

  test('are taken once', () => {
    expect(codes(6, [former('first', '2026-04-30')])).toEqual([])
  })

  test('have one letter, in the order of the letters, when arrears are found late', () => {
    expect(codes(40)).toEqual(['first', 'case'])
    const history = [former('first', '2026-04-30'), former('case', '2026-04-30', 'open-case')]
    expect(codes(41, history)).toEqual([])
    expect(codes(47, [former('first', '2026-04-24'), history[1]!])).toEqual(['second'])
  })

  test('open no second case if a later strategy opens it with another code', () => {
    const steps = [
      aStep('legal', 30, { action: 'open-case' }),
      aStep('escalation', 30, { action: 'escalate', routingProfileId: 'rtp_legal' }),
    ]
    const opened = [former('case', '2026-04-30', 'open-case')]
    const codesAfter = (history: FormerStep[]) =>
      evaluate(aStrategy({ steps }), aContract(40), history, today).steps.map(({ code }) => code)
    expect(codesAfter(opened)).toEqual(['escalation'])
    expect(codesAfter([])).toEqual(['legal', 'escalation'])
  })

  test('are followed by the next step with its day', () => {
    const next = (daysPastDue: number, history: FormerStep[]) =>
      evaluate(aStrategy(), aContract(daysPastDue), history, today).next
    expect(next(1, [])).toEqual({ code: 'first', on: '2026-05-05' })
    expect(next(5, [])).toEqual({ code: 'second', on: '2026-05-11' })
    // The distance between letters moves the second one.
    expect(next(14, [])).toEqual({ code: 'second', on: '2026-05-08' })
    const all = ['first', 'second', 'case', 'third', 'escalation']
    expect(
      next(
        80,
        all.map((code) => former(code, '2026-04-01')),
      ),
    ).toBe(null)
  })
})

describe('a pause', () => {
  const pauseOf = (holds: object, more: object = {}) =>
    evaluate(aStrategy(), aContract(20, { holds: { ...noHolds, ...holds }, ...more }), [], today)

  test('has a reason and takes no step', () => {
    expect(pauseOf({ hasHardshipRequest: true })).toEqual({
      pause: { reason: 'hardship-request', until: null },
      steps: [],
      next: { code: 'first', on: null },
    })
    expect(pauseOf({ isDisputed: true }).pause?.reason).toBe('dispute')
    expect(pauseOf({ isRestricted: true }).pause?.reason).toBe('processing-restricted')
    expect(pauseOf({ isDeceased: true, isDisputed: true }).pause?.reason).toBe('deceased')
  })

  test('of a promise or a relief lasts through its last day', () => {
    expect(pauseOf({ promiseUntil: today }).pause).toEqual({
      reason: 'promise-to-pay',
      until: today,
    })
    expect(pauseOf({ promiseUntil: addDays(today, -1) }).steps).toHaveLength(1)
    expect(pauseOf({ reliefUntil: today }).pause?.reason).toBe('relief')
    expect(pauseOf({ reliefUntil: addDays(today, -1) }).pause).toBe(null)
  })

  test('applies below the minimum amount of the currency', () => {
    const strategy = aStrategy({ minimumAmounts: [{ amount: '100.01', currency: 'EUR' }] })
    const reasonOf = (more: object) =>
      evaluate(strategy, aContract(20, more), [], today).pause?.reason
    expect(reasonOf({})).toBe('below-minimum')
    expect(reasonOf({ arrearsMinor: 10_001n })).toBe(undefined)
    expect(reasonOf({ currency: 'USD' })).toBe(undefined)
    expect(isEpisodeDue(strategy, aContract(20))).toBe(false)
    expect(isEpisodeDue(strategy, aContract(20, { arrearsMinor: 10_001n }))).toBe(true)
    expect(isEpisodeDue(strategy, aContract(4, { arrearsMinor: 10_001n }))).toBe(false)
    expect(isEpisodeDue(aStrategy({ steps: [] }), aContract(20))).toBe(false)
  })
})

/** A day in the life of an episode: whether a run took place, and what held the steps. */
const aDay = fc.record({
  hasRun: fc.boolean(),
  hold: fc.constantFrom(null, null, null, 'isDeceased', 'hasHardshipRequest', 'isDisputed'),
  promiseDays: fc.option(fc.integer({ min: 0, max: 10 })),
})
const aPlan = fc.record({
  daysBetweenLetters: fc.integer({ min: 1, max: 20 }),
  steps: fc
    .array(
      fc.record({
        from: fc.integer({ min: 1, max: 60 }),
        name: fc.constantFrom('old', 'new'),
        action: fc.constantFrom(
          'send-letter' as const,
          'send-letter' as const,
          'escalate' as const,
          'open-case' as const,
        ),
      }),
      { maxLength: 8 },
    )
    .map((found) =>
      found
        .toSorted((one, other) => one.from - other.from)
        // A strategy opens at most one case.
        .filter(
          ({ action }, index, all) =>
            action !== 'open-case' || all.findIndex((each) => each.action === action) === index,
        )
        .map(({ from, name, action }, index) => aStep(`${name}-${index}`, from, { action })),
    ),
})

test('in any life, each step is taken at most once, none during a pause, letters keep their order and distance, and there is one case', () => {
  const changeOn = fc.integer({ min: 0, max: 50 })
  const days = fc.array(aDay, { minLength: 40, maxLength: 90 })
  fc.assert(
    fc.property(aPlan, aPlan, changeOn, days, (...life) => {
      const [first, second, changeDay, itsDays] = life
      const taken: (FormerStep & { from: number; plan: typeof first })[] = []
      itsDays.forEach(({ hasRun, hold, promiseDays }, index) => {
        if (!hasRun) return
        const plan = index < changeDay ? first : second
        const on = addDays(today, index)
        const promiseUntil = promiseDays === null ? null : addDays(on, promiseDays - 5)
        const holds = { ...noHolds, promiseUntil, ...(hold && { [hold]: true }) }
        const contract = aContract(index + 1, { holds })
        const { pause, steps, next } = evaluate(aStrategy(plan), contract, taken, on)
        const isHeld = hold !== null || (promiseUntil !== null && promiseUntil >= on)
        expect(pause !== null).toBe(isHeld)
        if (isHeld) expect(steps).toEqual([])
        for (const { code, action, fromDaysPastDue } of steps) {
          expect(fromDaysPastDue).toBeLessThanOrEqual(index + 1)
          taken.push({ code, action, decidedOn: on, from: fromDaysPastDue, plan })
        }
        if (next?.on) expect(next.on > on).toBe(true)
      })
      const all = taken.map(({ code }) => code)
      expect(new Set(all).size).toBe(all.length)
      expect(taken.filter(({ action }) => action === 'open-case').length).toBeLessThan(2)
      const letters = taken.filter(({ action }) => action === 'send-letter')
      letters.slice(1).forEach(({ decidedOn, from, plan }, index) => {
        const before = letters[index]!
        expect(decidedOn >= addDays(before.decidedOn, plan.daysBetweenLetters)).toBe(true)
        if (plan === before.plan) expect(from).toBeGreaterThanOrEqual(before.from)
      })
    }),
    { numRuns: 300 },
  )
})

test('the day of the next step is the day on which it is taken, if nothing changes', () => {
  fc.assert(
    fc.property(aPlan, fc.integer({ min: 1, max: 70 }), (plan, daysPastDue) => {
      const strategy = aStrategy(plan)
      const first = evaluate(strategy, aContract(daysPastDue), [], today)
      const history = first.steps.map(({ code, action }) => ({ code, action, decidedOn: today }))
      if (!first.next) {
        expect(history).toHaveLength(plan.steps.length)
        return
      }
      const { code, on } = first.next
      for (let day = addDays(today, 1), age = daysPastDue + 1; ; day = addDays(day, 1), age++) {
        const { steps } = evaluate(strategy, aContract(age), history, day)
        expect(steps.length > 0).toBe(day >= on!)
        if (day < on!) continue
        expect(steps.map((step) => step.code)).toContain(code)
        return
      }
    }),
  )
})
