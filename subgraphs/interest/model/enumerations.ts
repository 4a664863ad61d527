import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const CapitalizationReasonEnum = enumeration(
  'InterestCapitalizationReason',
  'Why interest was paid or charged.',
  {
    calendar: 'The interest period ended.',
    closure: 'The account is being closed.',
    request: 'The bank paid or charged the interest before the end of the period.',
    'term-end': 'A term deposit ended.',
  },
)

export const RateOverrideState = enumeration(
  'InterestRateOverrideState',
  'The state of an interest rate for one account.',
  {
    proposed: 'A second person has to approve the rate.',
    approved: 'The rate applies in its period. This state is final.',
    rejected: 'The rate was rejected. This state is final.',
  },
)
export type RateOverrideState = TypeOf<typeof RateOverrideState>

export const TaxExemptionState = enumeration(
  'InterestTaxExemptionState',
  'The state of an exemption from withholding tax.',
  {
    granted: 'No tax is withheld in the period of the exemption.',
    revoked: 'The exemption ended before its last day. This state is final.',
  },
)
export type TaxExemptionState = TypeOf<typeof TaxExemptionState>

export const TermDepositState = enumeration(
  'TermDepositState',
  'The state of a term deposit. The money cannot be moved before the deposit has ended.',
  {
    active: 'The deposit runs until its maturity.',
    'notice-given': 'The deposit will be withdrawn before its maturity.',
    matured: 'The deposit ended at its maturity and was paid out. This state is final.',
    renewed:
      'The deposit ended at its maturity and was deposited for another term. This state is final.',
    withdrawn: 'The deposit was paid out before its maturity. This state is final.',
  },
)
export type TermDepositState = TypeOf<typeof TermDepositState>
