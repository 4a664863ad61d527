import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('lending', 'the loans and credit lines of customers', {
  'lending.schedule_version': {
    party: 'facility_id in (select facility_id from lending.facility where party_id = $1)',
    rule: 'contract',
    personal: {},
    other: 'cause loan schedule',
  },
  'lending.due_installment': {
    party: 'facility_id in (select facility_id from lending.facility where party_id = $1)',
    rule: 'contract',
    personal: {},
  },
  'lending.rate_reset': {
    party: 'facility_id in (select facility_id from lending.facility where party_id = $1)',
    rule: 'contract',
    personal: {},
  },
  'lending.rate_reset_letter': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'state failure_code',
  },
  'lending.end_of_day_failure': null,
  'lending.end_of_day_run': null,
  'lending.facility': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other:
      'reader_ids upfront_fees late_charges late_charge_pauses floating_rate loan delinquency_stage delinquency_buckets delinquency_bucket',
  },
  'lending.drawdown': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      destination_iban: 'financial',
      destination_name: 'financial',
      purpose: 'credit',
      reference: 'financial',
    },
  },
  'lending.repayment': {
    party: 'party_id',
    rule: 'contract',
    personal: { reference: 'financial' },
    other: 'allocations extra_payment',
  },
  'lending.extra_payment': {
    party: 'party_id',
    rule: 'contract',
    personal: { reference: 'financial', note: 'communication' },
    other: 'strategy allocations extra_payment effect',
  },
  'lending.payment_holiday': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'credit' },
    other: 'holiday affected effect',
  },
  'lending.hardship_request': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      reason: 'credit',
      decline_reasons: { category: 'credit', plain: 'The column is an array of texts.' },
    },
    other: 'effect',
  },
  'lending.promise_to_pay': {
    party: 'party_id',
    rule: 'contract',
    personal: { note: 'credit' },
  },
  'lending.facility_obligor': {
    party: 'party_id',
    rule: 'contract',
    personal: { release_reason: 'credit' },
    other: 'role percentage',
  },
  'lending.guarantee_call': {
    party: 'party_id',
    rule: 'contract',
    personal: { withdrawal_reason: 'credit' },
  },
  'lending.loss_proposal': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'credit' },
    other: 'action',
    // Proposals are the bank's own deliberation. The person sees what was booked.
    internal: 'true',
  },
})
