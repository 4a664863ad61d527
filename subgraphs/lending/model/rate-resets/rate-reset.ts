import { RateResetFrequency } from '../../../../kernel/domain/rate-reset.ts'
import {
  boolean,
  date,
  decimal,
  instant,
  integer,
  money,
  object,
  oneOf,
  shape,
  stored,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.ts'

export const FloatingRate = shape(
  'FloatingRate',
  'How the rate of a facility follows a reference rate, as agreed when the facility was opened. ' +
    'The `interest.reset` of its product version defines it.',
  {
    marginPct: decimal(
      'The percentage points that are added to the fixing: the rate agreed at opening less the ' +
        'fixing at that time.',
    ),
    frequency: oneOf(RateResetFrequency, 'How often the rate is reset.'),
    lookbackDays: integer('How many calendar days before the reset date the fixing is taken.'),
    minimumRatePct: decimal('The lowest rate after a reset, in percent per year.'),
    maximumRatePct: decimal(
      'The highest rate after a reset, in percent per year; null if there is none.',
    ).orNull(),
    nextResetOn: date('The next reset date; null if there is none before the maturity.').orNull(),
    referenceRateId: stored<string>(),
    isOverdue: boolean(
      'Whether the next reset date is before today, because the reference rate has no fixing that ' +
        'applies. The rate stays the same until the fixing is recorded.',
    ),
  },
)
export type FloatingRate = TypeOf<typeof FloatingRate>

export const RateReset = shape('RateReset', 'A reset of the rate of a facility.', {
  resetOn: date('The reset date.'),
  effectiveFrom: date(
    'The first day of the rate. It is later than the reset date if the fixing was recorded after an ' +
      'installment had become due.',
  ),
  fixedOn: date('The day of the fixing.'),
  fixingPct: decimal('The reference rate on that day, in percent per year.'),
  previousRatePct: decimal('The rate before the reset, in percent per year.'),
  ratePct: decimal('The rate after the reset, in percent per year.'),
  scheduleVersion: integer(
    'The number of the schedule version that the reset created; null if the rate did not change.',
  ).orNull(),
  createdAt: instant('When the rate was reset, in UTC.'),
})
export type RateReset = TypeOf<typeof RateReset>

export const RateResetPreview = shape(
  'RateResetPreview',
  'What the next reset of a facility would change. Nothing is stored.',
  {
    resetOn: date('The next reset date.'),
    previousRatePct: decimal('The rate before the reset, in percent per year.'),
    ratePct: decimal('The rate after the reset, in percent per year.'),
    before: object(
      ScheduleFigures,
      'The key figures of the current schedule, with the first installment after the reset date.',
    ),
    after: object(
      ScheduleFigures,
      'The key figures of the schedule after the reset, with the same installment.',
    ),
    additionalInterest: money(
      'The interest that the reset adds over the remaining term; negative if it saves interest.',
    ),
  },
)
export type RateResetPreview = TypeOf<typeof RateResetPreview>
