import {
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { RateOverrideState } from './enumerations.ts'

export const RateOverride = entity(
  'InterestRateOverride',
  'rateOverrideId',
  'An interest rate for one account. While it applies, it replaces the rates of the product.',
  {
    rateOverrideId: id('The ID of the rate.').inEvents(),
    arrangementId: id('The ID of the account.').inEvents(),
    annualRatePct: decimal('The interest rate, in percent per year.').inEvents(),
    validFrom: date('The first day on which the rate applies.').inEvents(),
    validTo: date('The last day on which the rate applies; null if it has no last day.')
      .orNull()
      .inEvents(),
    reason: text('Why the account has a rate of its own.'),
    state: oneOf(RateOverrideState, 'The state of the rate.').inEvents(),
    proposedBy: string('The access token subject of the person who proposed the rate.'),
    decidedBy: string(
      'The access token subject of the person who decided; null while the rate is proposed.',
    ).orNull(),
    decidedAt: instant(
      'When the rate was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    createdAt: instant('When the rate was proposed, in UTC.'),
    partyId: stored<string>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type RateOverride = TypeOf<typeof RateOverride>

const fourEyes =
  'The person who proposed the rate cannot decide on it. Not available to delegated users.'

export const rateOverrideStates = stateMachine(RateOverride, 'state', {
  approveInterestRateOverride: {
    description: `Approves an interest rate for one account. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: [
      'accounts.interest-rate-override.approved',
      'An interest rate for one account was approved.',
    ],
    set: ({ now, subject }) => ({ decidedBy: subject, decidedAt: now }),
  },
  rejectInterestRateOverride: {
    description: `Rejects an interest rate for one account. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: [
      'accounts.interest-rate-override.rejected',
      'An interest rate for one account was rejected.',
    ],
    set: ({ now, subject }) => ({ decidedBy: subject, decidedAt: now }),
  },
})

export const ProposeInterestRateOverrideInput = input(
  'ProposeInterestRateOverrideInput',
  'An interest rate to propose for one account.',
  {
    rateOverrideId: id('The ID of the rate; generated if omitted.').orNull(),
    arrangementId: id('The ID of an account that earns interest.'),
    annualRatePct: decimal(
      'The interest rate, in percent per year, from -100 to 100 with at most 6 decimals.',
    ),
    validFrom: date('The first day on which the rate applies, not before today.'),
    validTo: date(
      'The last day on which the rate applies, not before `validFrom`. If omitted, the rate has ' +
        'no last day.',
    ).orNull(),
    reason: text('Why the account has a rate of its own.'),
  },
)
export type ProposeInterestRateOverrideInput = TypeOf<typeof ProposeInterestRateOverrideInput>
