import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import {
  decideStage,
  lastDayOfRelief,
  type Staging,
  type StagingInputs,
} from '../../../subgraphs/provisioning/domain/staging.ts'

const rules = { stage2AfterDays: 30, stage3AfterDays: 90, cureDays: 90 }
const asOf = '2026-06-30'

const staged = (inputs: Partial<StagingInputs>) =>
  decideStage(
    {
      asOf,
      daysPastDue: 0,
      hasOpenHardshipRequest: false,
      reliefThrough: null,
      override: null,
      previous: null,
      ...inputs,
    },
    rules,
  )

describe('The stage of a facility', () => {
  test.each([
    [0, 'stage-1'],
    [30, 'stage-1'],
    [31, 'stage-2'],
    [90, 'stage-2'],
    [91, 'stage-3'],
    [4000, 'stage-3'],
  ])('that is %s days past due is %s', (daysPastDue, stage) => {
    const reasons = stage === 'stage-1' ? [] : ['days-past-due']
    expect(staged({ daysPastDue })).toEqual({ stage, reasons, improvingSince: null })
  })

  test.each([
    ['a hardship request', { hasOpenHardshipRequest: true }, 'stage-2', ['hardship-request'], null],
    [
      'relief',
      { reliefThrough: '2026-06-01' },
      'stage-2',
      ['forbearance', 'cure-period'],
      '2026-06-01',
    ],
    ['relief long ago', { reliefThrough: '2025-06-01' }, 'stage-1', [], null],
    ['an employee', { override: 'stage-3' }, 'stage-3', ['manual'], null],
    [
      'all of them',
      { daysPastDue: 95, override: 'stage-2', hasOpenHardshipRequest: true },
      'stage-3',
      ['days-past-due', 'hardship-request', 'manual'],
      null,
    ],
  ] as const)('follows %s', (_, inputs, stage, reasons, improvingSince) => {
    expect(staged(inputs)).toEqual({ stage, reasons, improvingSince })
  })

  test.each<[string, Partial<StagingInputs>, Staging]>([
    [
      'begins to cure when it is paid',
      { previous: { stage: 'stage-3', improvingSince: null } },
      { stage: 'stage-3', improvingSince: asOf },
    ],
    [
      'does not improve a day too early',
      { previous: { stage: 'stage-2', improvingSince: addDays(asOf, -89) } },
      { stage: 'stage-2', improvingSince: addDays(asOf, -89) },
    ],
    [
      'improves after the cure period',
      { previous: { stage: 'stage-2', improvingSince: addDays(asOf, -90) } },
      { stage: 'stage-1', improvingSince: null },
    ],
    [
      'improves by one stage',
      { previous: { stage: 'stage-3', improvingSince: addDays(asOf, -300) } },
      { stage: 'stage-2', improvingSince: asOf },
    ],
    [
      'starts the cure period again with relief',
      {
        previous: { stage: 'stage-2', improvingSince: addDays(asOf, -300) },
        reliefThrough: addDays(asOf, -10),
      },
      { stage: 'stage-2', improvingSince: addDays(asOf, -10) },
    ],
    [
      'does not begin to cure before its relief ends',
      { previous: { stage: 'stage-2', improvingSince: null }, reliefThrough: addDays(asOf, 1) },
      { stage: 'stage-2', improvingSince: null },
    ],
    [
      'keeps stage 2 for the cure period after the last day of its relief',
      { previous: { stage: 'stage-2', improvingSince: null }, reliefThrough: addDays(asOf, -89) },
      { stage: 'stage-2', improvingSince: addDays(asOf, -89) },
    ],
    [
      'worsens immediately',
      { previous: { stage: 'stage-2', improvingSince: addDays(asOf, -60) }, daysPastDue: 91 },
      { stage: 'stage-3', improvingSince: null },
    ],
  ])('%s', (_, inputs, expected) => expect(staged(inputs)).toMatchObject(expected))

  /** What the days past due and the triggers of a month alone require. */
  const required = ({ daysPastDue, hasOpenHardshipRequest }: Month) =>
    Math.max(daysPastDue > 90 ? 3 : daysPastDue > 30 ? 2 : 1, hasOpenHardshipRequest ? 2 : 1)
  interface Month {
    daysPastDue: number
    hasOpenHardshipRequest: boolean
  }

  test('over a random life is never too low, worsens at once, and improves only when cured', () => {
    const month = fc.record({
      daysPastDue: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 })),
      hasOpenHardshipRequest: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    })
    fc.assert(
      fc.property(fc.array(month, { minLength: 1, maxLength: 40 }), (life) => {
        let previous: Staging | null = null
        const levels: number[] = []
        life.forEach((each, index) => {
          const day = addDays('2026-01-30', 30 * index)
          const result: Staging = staged({ ...each, asOf: day, previous })
          const level = Number(result.stage.at(-1))
          const before = levels.at(-1) ?? 1
          expect(level).toBeGreaterThanOrEqual(required(each))
          if (required(each) >= before) expect(level).toBe(required(each))
          if (level < before) {
            expect(level).toBe(before - 1)
            // Three periods of thirty days, at whose four ends it qualified for a better stage.
            const cure = life.slice(Math.max(index - 3, 0), index + 1)
            expect(cure).toHaveLength(4)
            for (const qualified of cure) expect(required(qualified)).toBeLessThan(before)
          }
          levels.push(level)
          previous = result
        })
      }),
    )
  })
})

describe('The last day of relief', () => {
  const grantedOn = '2026-03-10'
  test.each([
    ['is unknown without relief', [], null],
    ['is the day of a decision without a holiday', [{ grantedOn, holidayEndsOn: null }], grantedOn],
    ['is the last day of a holiday', [{ grantedOn, holidayEndsOn: '2026-09-30' }], '2026-09-30'],
    [
      'is the decision on a holiday in the past',
      [{ grantedOn, holidayEndsOn: '2026-02-28' }],
      grantedOn,
    ],
    [
      'is the latest of all',
      [
        { grantedOn: '2026-05-01', holidayEndsOn: null },
        { grantedOn, holidayEndsOn: '2026-09-30' },
        { grantedOn: '2026-08-01', holidayEndsOn: '2026-08-31' },
      ],
      '2026-09-30',
    ],
  ])('%s', (_, granted, expected) => expect(lastDayOfRelief(granted)).toBe(expected))
})
