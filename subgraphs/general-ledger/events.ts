import { declareRecordEvents, type EventTypeOf } from '../../kernel/events/record-data.ts'
import { GeneralLedgerAccount } from './model/account.ts'
import { JournalEntry } from './model/journal-entry.ts'
import { AccountMappingRule } from './model/mapping-rule.ts'
import { AccountingPeriod } from './model/period.ts'
import { CurrencyRevaluation } from './model/revaluation.ts'

export const accountEvents = declareRecordEvents('general-ledger-account', GeneralLedgerAccount, {
  'general-ledger.account.created': 'An account was added to the chart of accounts.',
  'general-ledger.account.changed': 'The properties of an account of the general ledger changed.',
})
export type AccountEvent = EventTypeOf<typeof accountEvents>

export const mappingRuleEvents = declareRecordEvents('mapping-rule', AccountMappingRule, {
  'general-ledger.mapping-rule.proposed': 'A mapping rule was proposed.',
  'general-ledger.mapping-rule.approved': 'A second person approved a mapping rule.',
  'general-ledger.mapping-rule.rejected': 'A mapping rule was rejected.',
})
export type MappingRuleEvent = EventTypeOf<typeof mappingRuleEvents>

export const periodEvents = declareRecordEvents('accounting-period', AccountingPeriod, {
  'general-ledger.period.soft-closed':
    'An accounting period was soft closed: only journal entries of employees are booked in it.',
  'general-ledger.period.closed': 'An accounting period was closed, and its balances were stored.',
  'general-ledger.period.reopening-proposed': 'The reopening of an accounting period was proposed.',
  'general-ledger.period.reopening-withdrawn':
    'The proposed reopening of an accounting period was rejected or withdrawn.',
  'general-ledger.period.reopened': 'A second person reopened an accounting period.',
})
export type PeriodEvent = EventTypeOf<typeof periodEvents>

export const journalEntryEvents = declareRecordEvents('journal-entry', JournalEntry, {
  'general-ledger.journal-entry.proposed': 'A journal entry was proposed.',
  'general-ledger.journal-entry.posted': 'A journal entry was booked.',
  'general-ledger.journal-entry.rejected': 'A journal entry was rejected.',
})
export type JournalEntryEvent = EventTypeOf<typeof journalEntryEvents>

declareRecordEvents('currency-revaluation', CurrencyRevaluation, {
  'general-ledger.currency-revaluation.completed':
    'The positions of the bank in other currencies were revalued at the end of an accounting period.',
})
