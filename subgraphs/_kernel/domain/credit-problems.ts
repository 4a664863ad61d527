import { kind } from './problem-kind.ts'

/** Problem codes of losses, lifecycle rules, product bounds, exchange rates and fees; part of the catalog. */
export const creditProblems = {
  LOSS_PROPOSAL_NOT_FOUND: kind(404, 'The charge-off or write-off proposal does not exist.'),
  LOSS_REASON_REQUIRED: kind(422, 'The facility is not in arrears; a reason is required.'),
  SECOND_PERSON_REQUIRED: kind(
    403,
    'The amount is above the limit for one person; propose it for approval.',
  ),
  RATE_OUT_OF_RANGE: kind(422, 'The product is not offered at that rate.'),
  SETTLEMENT_ACCOUNT_IN_USE: kind(
    409,
    'A facility uses the account for disbursements or collections.',
  ),
  PARTY_DECEASED: kind(422, 'The party is deceased; only the bank or the estate can act.'),
  RELATION_NOT_SETTLED: kind(409, 'The relationship has open business that must be settled first.'),
  FX_RATE_MISSING: kind(422, 'There is no current exchange rate for the two currencies.'),
  FX_RATE_OUT_OF_TOLERANCE: kind(422, 'The amounts deviate too far from the exchange rate.'),
  FX_POSITION_UNBALANCED: kind(
    422,
    'Position postings need two currencies and opposite directions.',
  ),
  CLOCK_ADVANCE_NOT_FOUND: kind(404, 'The clock advance does not exist.'),
  FEE_RECEIVABLE_NOT_FOUND: kind(404, 'The fee receivable does not exist.'),
  FEES_OUTSTANDING: kind(409, 'Outstanding fees of the account must be collected or waived first.'),
  FX_RATE_STALE: kind(422, 'The latest exchange rate is too old for customers.'),
  FX_QUOTE_OUTDATED: kind(409, 'The exchange rate has changed since the quote.'),
  FX_NOT_OFFERED: kind(422, 'This currency exchange is not offered.'),
  CONTROL_ACCOUNT_NOT_POSTABLE: kind(
    422,
    'The balance of a control account is maintained by its own area; nothing else is posted to it.',
  ),
} as const
