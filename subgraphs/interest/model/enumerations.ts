import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const CapitalizationReasonEnum = enumeration(
  'InterestCapitalizationReason',
  'Why interest was paid or charged.',
  {
    calendar: 'The interest period ended.',
    closure: 'The account is being closed.',
    request: 'The bank paid or charged the interest before the end of the period.',
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
