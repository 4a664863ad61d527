import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('accounts', 'the accounts of customers', {
  'accounts.product_holding': null,
  'accounts.overdraft': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'communication' },
    other: 'annual_rate_pct unarranged_rate_pct floating_rate',
  },
  'accounts.overdraft_write_off': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'communication' },
  },
  'accounts.signing_rule': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'communication' },
    other: 'signatory_party_ids',
  },
  'accounts.deposit_opening': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'annual_rate_pct early_withdrawal maturity_instruction',
  },
  'accounts.arrangement': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      // Account numbers are unique, so each gets a placeholder of its own.
      account_number: {
        category: 'financial',
        erasedTo: "'erased-' || arrangement_id",
        plain: 'The column is unique, and SQL compares it.',
      },
      nickname: 'financial',
      state_reason: 'communication',
    },
    other: 'blocked_for parameters',
  },
})
