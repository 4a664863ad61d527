import { kind } from './problem-kind.ts'

/** Problem codes of losses, lifecycle rules, product bounds, exchange rates and fees; part of the catalogue. */
export const creditProblems = {
  LOSS_PROPOSAL_NOT_FOUND: kind(404, 'No such proposal of a charge-off or write-off.'),
  LOSS_REASON_REQUIRED: kind(422, 'The facility is not in arrears; a reason is required.'),
  SECOND_PERSON_REQUIRED: kind(
    403,
    'The amount is above the limit for one person; propose it for approval.',
  ),
  RATE_OUT_OF_RANGE: kind(422, 'The product is not offered at that rate.'),
  SETTLEMENT_ACCOUNT_IN_USE: kind(409, 'A facility pays out to the account or collects from it.'),
  PARTY_DECEASED: kind(422, 'The party has died; only the bank or the estate acts now.'),
  RELATION_NOT_SETTLED: kind(409, 'Open business has to be settled first.'),
  FX_RATE_MISSING: kind(422, 'There is no exchange rate in force for the two currencies.'),
  FX_RATE_OUT_OF_TOLERANCE: kind(422, 'The amounts deviate too far from the exchange rate.'),
  FX_POSITION_UNBALANCED: kind(422, 'Positions move in two currencies, in opposite directions.'),
  FX_RATE_STALE: kind(422, 'The latest exchange rate is too old for customers.'),
  FX_QUOTE_OUTDATED: kind(409, 'Another exchange rate than the quoted one is in force.'),
  FX_NOT_OFFERED: kind(422, 'That exchange of currencies is not offered.'),
  CLOCK_ADVANCE_NOT_FOUND: kind(404, 'The clock was not moved under that id.'),
  FEE_RECEIVABLE_NOT_FOUND: kind(404, 'No such fee receivable.'),
  FEES_OUTSTANDING: kind(409, 'Fees of the account have to be collected or waived first.'),
  CONTROL_ACCOUNT_NOT_POSTABLE: kind(
    422,
    'The balance of a control account is kept by its own area; nothing else is posted to it.',
  ),
} as const
