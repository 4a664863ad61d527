import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('interest', 'the interest of accounts', {
  'interest.position': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'ahead',
  },
  'interest.daily_accrual': null,
  'interest.adjustment': { party: 'party_id', rule: 'contract', personal: {} },
  'interest.capitalization': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'reason',
  },
  'interest.overdraft_position': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'ahead',
  },
  'interest.overdraft_accrual': null,
  'interest.overdraft_adjustment': { party: 'party_id', rule: 'contract', personal: {} },
  'interest.overdraft_charge': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'reason',
  },
  'interest.commitment_fee_position': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'ahead',
  },
  'interest.commitment_fee_accrual': null,
  'interest.commitment_fee_adjustment': { party: 'party_id', rule: 'contract', personal: {} },
  'interest.commitment_fee_charge': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'reason',
  },
  'interest.rate_override': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'communication' },
    other: 'annual_rate_pct',
  },
  'interest.term_deposit': {
    party: 'party_id',
    rule: 'contract',
    personal: { waiver_reason: 'communication' },
    other: 'annual_rate_pct maturity_instruction early_withdrawal',
  },
  'interest.tax_exemption': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'communication' },
  },
})
