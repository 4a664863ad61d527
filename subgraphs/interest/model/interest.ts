import {
  amount,
  date,
  decimal,
  id,
  instant,
  list,
  money,
  oneOf,
  shape,
  stored,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { InterestPosition } from '../domain/position.ts'
import { CapitalizationReasonEnum } from './enumerations.ts'

export const InterestTier = shape('InterestTier', 'A rate that an account earns today.', {
  upTo: money('The upper bound of the balance, inclusive; null for the last tier.').orNull(),
  annualRatePct: decimal(
    'The interest rate, in percent per year, with the reference rate if it follows one. A negative ' +
      'rate is charged to the customer.',
  ),
})
export type InterestTier = TypeOf<typeof InterestTier>

export const AccountInterest = shape(
  'AccountInterest',
  'The interest that an account earns. Interest is accrued for each day on the balance by value ' +
    'date at the end of the day.',
  {
    accruedThrough: date(
      'The last day whose interest is accrued. It is the day before the opening of the account ' +
        'until the first day is accrued.',
    ),
    position: stored<InterestPosition>(),
    accrued: money(
      'The accrued interest that is not paid yet, before tax. Negative if the customer owes ' +
        'interest.',
    ),
  },
)
export type AccountInterest = TypeOf<typeof AccountInterest>

export const InterestAccrual = shape(
  'InterestAccrual',
  'The interest of an account for one day. A day with a balance of zero has none.',
  {
    accruedOn: date('The day.'),
    balance: money('The balance by value date at the end of the day.'),
    exactAmount: decimal(
      'The interest of the day in the currency of the account, with 10 decimals. Accruals are ' +
        'exact; only their total is rounded, when it is booked.',
    ),
  },
)
export type InterestAccrual = TypeOf<typeof InterestAccrual>

export const InterestAdjustment = shape(
  'InterestAdjustment',
  'A correction of interest that was accrued before, because of postings with an earlier value ' +
    'date. It is paid with the next capitalization.',
  {
    adjustmentId: id('The ID of the adjustment.'),
    firstDay: date('The first day that was accrued again.'),
    lastDay: date('The last day that was accrued again.'),
    causedBy: list(id(), 'The IDs of the posting instructions that were back-dated.'),
    amount: money(
      'What the adjustment added to the booked interest; zero if it rounds to nothing, negative ' +
        'if it lowered the interest.',
    ),
    createdAt: instant('When the adjustment was made, in UTC.'),
  },
)
export type InterestAdjustment = TypeOf<typeof InterestAdjustment>

export const InterestCapitalization = shape(
  'InterestCapitalization',
  'A payment of accrued interest.',
  {
    capitalizationId: id('The ID of the payment of interest.'),
    reason: oneOf(CapitalizationReasonEnum, 'Why the interest was paid.'),
    periodStart: date('The first day of the interest that was paid.'),
    periodEnd: date('The last day of the interest that was paid.'),
    effectiveOn: date('The day from which the paid interest earns interest itself.'),
    gross: money('The interest before tax. Negative if the customer paid it.'),
    taxWithheld: money('The tax that was withheld.'),
    net: money('The interest after tax: the amount of the entry on the account.'),
    createdAt: instant('When the interest was paid, in UTC.'),
    paidToArrangementId: stored<string>(),
    postingInstructionId: stored<string>(),
  },
)
export type InterestCapitalization = TypeOf<typeof InterestCapitalization>

export const InterestPreview = shape(
  'InterestPreview',
  'What a balance would earn if it stayed the same and the terms did not change, apart from ' +
    'changes that are already decided.',
  {
    from: date('The first day that is counted: today.'),
    until: date('The day on which the interest would be paid out. It earns nothing itself.'),
    balance: money('The balance on which the interest is computed.'),
    gross: money('The interest before tax, with the interest on interest that is paid meanwhile.'),
    taxWithheld: money('The tax that would be withheld.'),
    net: money('The interest after tax.'),
  },
)
export type InterestPreview = TypeOf<typeof InterestPreview>

/** The optional balance of a preview. */
export const previewedBalance = amount(
  'The balance that earns the interest. Defaults to the balance of the account by value date.',
).orNull()
