import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('general-ledger', 'the accounts of the bank', {
  'general_ledger.account': null,
  'general_ledger.mapping_rule': null,
  'general_ledger.accounting_period': null,
  'general_ledger.closing_balance': null,
  'general_ledger.book': null,
  'general_ledger.dated_posting': null,
  'general_ledger.daily_total': null,
  'general_ledger.dimension_total': null,
  'general_ledger.dimension_reach': null,
  'general_ledger.journal_entry': null,
  'general_ledger.currency_revaluation': null,
})
