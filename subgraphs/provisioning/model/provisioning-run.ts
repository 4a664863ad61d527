import {
  boolean,
  currency,
  date,
  entity,
  id,
  input,
  instant,
  integer,
  money,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { ImpairmentStage, ProvisioningRunStatus, ProvisioningSegment } from './enumerations.ts'

export const ProvisioningRun = entity(
  'ProvisioningRun',
  'provisioningRunId',
  'A batch that computes the expected credit losses of all facilities at a month end, and books the ' +
    'changes of the loss allowances.',
  {
    provisioningRunId: id('The ID of the run, such as `pvr_…`.').inEvents(),
    monthEnd: date('The last day of the month.').inEvents(),
    status: oneOf(ProvisioningRunStatus, 'The status of the run.').inEvents(),
    isDryRun: boolean('Whether the run only computes, without booking.').named('dryRun').inEvents(),
    processed: integer('The number of facilities that were provided for so far.').inEvents(),
    triggeredBy: string('Who requested the run; `schedule` if the bank scheduled it.').inEvents(),
    failureCode: string('The problem code with which the run stopped; null unless it failed.')
      .orNull()
      .inEvents(),
    provisioningTableId: id(
      'The ID of the table that the run applies; null before the run has started.',
    )
      .orNull()
      .inEvents(),
    startedAt: instant(
      'When processing started, in UTC; null while the run is scheduled.',
    ).orNull(),
    completedAt: instant('When the last facility was processed, in UTC; null until then.').orNull(),
    createdAt: instant('When the run was requested, in UTC.'),
    /** The cursor of the next page of facilities; null for the first page. */
    checkpoint: stored<string | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type ProvisioningRun = TypeOf<typeof ProvisioningRun>

/** The columns of a total over facilities. */
export const totalFields = {
  segment: oneOf(ProvisioningSegment, 'The segment.'),
  stage: oneOf(
    ImpairmentStage,
    'The stage; null for management overlays of a whole segment.',
  ).orNull(),
  currency: currency('The currency of the amounts.'),
  facilities: integer('The number of facilities.'),
  exposure: money('The total exposure at default.'),
  allowance: money('The total loss allowance.'),
}

export const ProvisioningTotal = shape(
  'ProvisioningTotal',
  'The results of a provisioning run for one segment, stage and currency.',
  { ...totalFields, change: money('The total change of the loss allowances.') },
)
export type ProvisioningTotal = TypeOf<typeof ProvisioningTotal>

export const StartProvisioningRunInput = input(
  'StartProvisioningRunInput',
  'The provisioning run to start.',
  {
    monthEnd: date(
      'The last day of the month. Defaults to the last month that has ended.',
    ).orNull(),
    dryRun: boolean('Whether to compute without booking. Defaults to false.').defaultsTo(false),
  },
)
export type StartProvisioningRunInput = TypeOf<typeof StartProvisioningRunInput>
