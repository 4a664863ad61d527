import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

declarePersonalData('origination', 'applications for credit and the decisions on them', {
  'origination.decision_notice': {
    party:
      'decision_id in (select decision_id from origination.credit_decision where party_id = $1)',
    rule: 'contract',
    personal: {},
    other: 'refusal',
    internalColumns: 'refusal',
  },
  'origination.credit_decision': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      comment: 'credit',
      reasons: { category: 'credit', members: 'detail text description' },
      conditions: { category: 'credit', members: 'description' },
    },
    other: 'outcome approved_terms score override_of',
    internalColumns: 'comment score decided_by recorded_by',
  },
  'origination.loan_application': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      purpose: 'credit',
      information_requested: 'communication',
      closure_note: 'communication',
      conditions: { category: 'credit', members: 'description' },
      acceptances: { category: 'credit', members: 'signatureReference' },
    },
    other:
      'channel declarations documents checks recommendation approved_terms counter_offer ' +
      'closure_reason booking_error',
    internalColumns: 'recommendation booking_error',
  },
  'origination.credit_authority': {
    party: null,
    employee: 'decider',
    rule: 'contract',
    isDeleted: true,
    personal: { decider: { category: 'access', plain: plainReasons.sql } },
  },
})
