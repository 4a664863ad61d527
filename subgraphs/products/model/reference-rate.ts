import {
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  object,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ReferenceRate = entity(
  'ReferenceRate',
  'referenceRateId',
  'A published interest rate to which the rates of loans and deposits are tied, such as the 3-month EURIBOR.',
  {
    referenceRateId: id('The ID of the reference rate, such as `EURIBOR-3M`.').inEvents(),
    name: label('The name of the reference rate.').inEvents(),
    description: text('Who publishes the rate and how; null if nothing was noted.').orNull(),
    validDays: integer(
      'For how many days the reset of a loan can use a fixing, counted from its own; null if until ' +
        'there is a later one. Deposit interest uses the last fixing, however old it is.',
    )
      .orNull()
      .inEvents(),
    createdAt: instant('When the record was created, in UTC.'),
    updatedAt: instant('When a fixing was last recorded, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type ReferenceRate = TypeOf<typeof ReferenceRate>

export const ReferenceRateFixing = shape(
  'ReferenceRateFixing',
  'The value of a reference rate on a day.',
  {
    fixedOn: date('The day for which the rate was published.'),
    ratePct: decimal('The rate, in percent per year. It can be negative.'),
    correctionReason: text(
      'Why the rate was corrected, by the last correction; null if it was not corrected.',
    ).orNull(),
    recordedBy: string('The access token subject of who last recorded the rate.').namesActor(),
    recordedAt: instant('When the rate was last recorded, in UTC.'),
    referenceRateId: stored<string>(),
  },
)
export type ReferenceRateFixing = TypeOf<typeof ReferenceRateFixing>

export const CreateReferenceRateInput = input(
  'CreateReferenceRateInput',
  'The reference rate to create.',
  {
    referenceRateId: id(
      'The ID of the reference rate, such as `EURIBOR-3M`. A repeated request with the same ID and ' +
        'content returns the existing reference rate.',
    ),
    name: label('The name of the reference rate.'),
    description: text('Who publishes the rate and how.').orNull(),
    validDays: integer(
      'For how many days the reset of a loan can use a fixing, from 1 to 366, counted from its own. If ' +
        'omitted, until there is a later one, as for a key interest rate.',
    ).orNull(),
  },
)
export type CreateReferenceRateInput = TypeOf<typeof CreateReferenceRateInput>

const ReferenceRateFixingInput = input(
  'ReferenceRateFixingInput',
  'The value of a reference rate on a day.',
  {
    fixedOn: date('The day for which the rate was published, at most 366 days ahead.'),
    ratePct: decimal('The rate in percent per year, from -100 to 100 with at most 6 decimals.'),
  },
)

export const RecordReferenceRateFixingsInput = input(
  'RecordReferenceRateFixingsInput',
  'The fixings of a reference rate to record.',
  {
    referenceRateId: id('The ID of the reference rate.'),
    fixings: list(
      object(ReferenceRateFixingInput),
      'The fixings, from 1 to 1,000, at most one for each day.',
    ),
    correctionReason: text(
      'Why recorded fixings are corrected. If omitted, a fixing that differs from a recorded one is ' +
        'rejected.',
    ).orNull(),
  },
)
export type RecordReferenceRateFixingsInput = TypeOf<typeof RecordReferenceRateFixingsInput>
