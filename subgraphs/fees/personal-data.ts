import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('fees', 'the fees of customers', {
  'operations.fee_run': null,
  'operations.fee_run_item': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'outcome reason',
  },
  'operations.fee_receivable': {
    party: 'party_id',
    rule: 'contract',
    personal: { waiver_reason: 'communication' },
    other: 'fee_name',
  },
  'operations.fee_charge': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'communication', refund_reason: 'communication' },
    other: 'product_version fee_name trigger trigger_reference third_party status outcome_reason',
  },
  'operations.fee_receivable_movement': null,
})
