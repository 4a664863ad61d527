import { declarePersonalData, plainReasons } from '../kernel/domain/personal-data.ts'

const ofParty = 'account_id in (select account_id from ledger.account where party_id = $1)'

declarePersonalData('ledger', 'the books of the bank', {
  'ledger.account': {
    party: 'party_id',
    rule: 'journal',
    personal: {},
    other: 'normal_side policy',
  },
  'ledger.entry': {
    party: ofParty,
    rule: 'journal',
    personal: {},
    other: 'address phase side',
  },
  'ledger.posting_instruction': {
    party: `posting_instruction_id in (select posting_instruction_id from ledger.entry where ${ofParty})`,
    rule: 'journal',
    personal: { details: { category: 'financial', plain: plainReasons.sql } },
    other: 'digest',
    hidden: 'digest',
  },
  'ledger.authorization': {
    party: ofParty,
    rule: 'journal',
    personal: {},
    other: 'direction',
    // The account of the bank or of another party.
    hidden: 'contra_id',
  },
  'ledger.balance': { party: ofParty, rule: 'journal', personal: {}, other: 'address blocked_for' },
  'ledger.posting_batch': null,
  'ledger.aggregation': null,
  'ledger.carried_amount': null,
  'ledger.checkpoint': null,
  'ledger.booking_day_total': null,
  'ledger.booking_day_reach': null,
  'ledger.finding': null,
  'ledger.balance_correction': null,
})
