import {
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  integer,
  money,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { OverdraftReset, type FloatingOverdraftRate } from '../../../kernel/domain/overdraft.ts'
import { OverdraftState } from './enumerations.ts'

export const OverdraftFloatingRate = shape(
  'OverdraftFloatingRate',
  'How the rates of an overdraft follow a reference rate.',
  {
    referenceRateId: id('The ID of the reference rate.'),
    resets: oneOf(OverdraftReset, 'When the rates are reset.'),
    lookbackDays: integer(
      'How many calendar days before the reset date the fixing is taken; the last one before it if ' +
        'there is none for the day.',
    ),
    minimumRatePct: decimal('The lowest rate, in percent per year; 0 or higher.'),
    maximumRatePct: decimal(
      'The highest rate, in percent per year; null if there is none.',
    ).orNull(),
  },
)
export type OverdraftFloatingRate = TypeOf<typeof OverdraftFloatingRate>

export const Overdraft = entity(
  'Overdraft',
  'overdraftId',
  'A limit up to which an account can be overdrawn, with its interest. Of several overdrafts of an ' +
    'account that apply on a day, the one that begins last counts.',
  {
    overdraftId: id('The ID of the overdraft.'),
    arrangementId: id('The ID of the account.'),
    annualRatePct: decimal(
      'The interest rate for what is overdrawn within the limit, in percent per year, or, if ' +
        '`floatingRate` is not null, what is added to the reference rate.',
    ),
    unarrangedRatePct: decimal(
      'The interest rate for what is overdrawn beyond the limit, in percent per year, or, if ' +
        '`floatingRate` is not null, what is added to the reference rate.',
    ),
    validFrom: date('The first day of the overdraft.'),
    validTo: date('The last day of the overdraft; null if it has no last day.').orNull(),
    state: oneOf(OverdraftState, 'The state of the overdraft.'),
    decidedAt: instant(
      'When the overdraft was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    createdAt: instant('When the overdraft was proposed, in UTC.'),
    partyId: stored<string>(),
    currency: stored<string>(),
    // Amounts are in minor units.
    limitMinor: stored<bigint>(),
    interestFreeMinor: stored<bigint>(),
    floatingRate: stored<FloatingOverdraftRate | null>(),
    reason: string('Why the account gets the overdraft.').forBank(),
    proposedBy: string(
      'The access token subject of the person who proposed the overdraft.',
    ).forBank(),
    decidedBy: string(
      'The access token subject of the person who decided; null while the overdraft is proposed.',
    )
      .orNull()
      .forBank(),
    /** The day on which the limit of the account has to be changed next; null if it has not. */
    nextChangeOn: stored<string | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type Overdraft = TypeOf<typeof Overdraft>

const fourEyes =
  'The person who proposed the overdraft cannot decide on it. Not available to delegated users.'
const decided = ({ now, subject }: { now: Date; subject: string }) => ({
  decidedBy: subject,
  decidedAt: now,
})

export const overdraftStates = stateMachine(Overdraft, 'state', {
  approveOverdraft: {
    description: `Approves an overdraft. Its limit applies from its first day on, at once if that is today. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: ['accounts.overdraft.approved', 'An overdraft was approved.'],
    set: decided,
  },
  rejectOverdraft: {
    description: `Rejects an overdraft. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: ['accounts.overdraft.rejected', 'An overdraft was rejected.'],
    set: decided,
  },
})

const OverdraftFloatingRateInput = input(
  'OverdraftFloatingRateInput',
  'How the rates of an overdraft follow a reference rate.',
  {
    referenceRateId: id(
      'The ID of the reference rate. It must have a fixing for today or an earlier day.',
    ),
    resets: oneOf(OverdraftReset, 'When the rates are reset. Defaults to `DAILY`.').orNull(),
    lookbackDays: integer(
      'How many calendar days before the reset date the fixing is taken, from 0 to 31. Defaults to 0.',
    ).orNull(),
    minimumRatePct: decimal(
      'The lowest rate, in percent per year, from 0 to 100 with at most 6 decimals. Defaults to 0.',
    ).orNull(),
    maximumRatePct: decimal(
      'The highest rate, in percent per year, from 0 to 100 with at most 6 decimals and not below ' +
        'the lowest. If omitted, there is none.',
    ).orNull(),
  },
)

export const ProposeOverdraftInput = input(
  'ProposeOverdraftInput',
  'An overdraft to propose for an account. What is omitted is taken from the product version under ' +
    'which the account was opened.',
  {
    overdraftId: id('The ID of the overdraft; generated if omitted.').orNull(),
    arrangementId: id('The ID of an account whose product version has overdraft terms.'),
    limit: money(
      'The amount by which the account can be overdrawn, within the bounds of the product ' +
        'parameter `overdraftLimit` if there is one. Zero withdraws the overdraft.',
    ),
    annualRatePct: decimal(
      'The interest rate for what is overdrawn within the limit, in percent per year, from 0 to ' +
        '100 with at most 6 decimals. If the overdraft follows a reference rate, what is added to ' +
        'it, from -100 to 100.',
    ).orNull(),
    unarrangedRatePct: decimal(
      'The interest rate for what is overdrawn beyond the limit, in percent per year, from 0 to ' +
        '100 with at most 6 decimals. If the overdraft follows a reference rate, what is added to ' +
        'it, from -100 to 100.',
    ).orNull(),
    floatingRate: object(
      OverdraftFloatingRateInput,
      'The reference rate to which the two rates are added. If omitted, that of the product ' +
        'version; if it has none, the rates are fixed. If only the overdraft has one, both rates ' +
        'must be sent, because those of the product version are fixed.',
    ).orNull(),
    interestFreeAmount: money('The amount that can be overdrawn without interest.').orNull(),
    validFrom: date(
      'The first day of the overdraft, not before today. A lower limit needs the notice of the ' +
        'product. Defaults to today.',
    ).orNull(),
    validTo: date(
      'The last day of the overdraft, not before `validFrom`; then the overdraft before it ' +
        'applies again. If omitted, it has no last day.',
    ).orNull(),
    reason: text('Why the account gets the overdraft.'),
  },
)
export type ProposeOverdraftInput = TypeOf<typeof ProposeOverdraftInput>
