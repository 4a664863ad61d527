import 'reflect-metadata'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { loader } from '../../kernel/environment/context.ts'
import { referenceTo } from '../../kernel/graph/references.ts'
import './events.ts'
import './personal-data.ts'
import { ChartOperations } from './graph/chart.resolver.ts'
import { JournalEntryOperations, JournalEntryResolver } from './graph/journal-entry.resolver.ts'
import { PeriodOperations } from './graph/period.resolver.ts'
import { ReportOperations } from './graph/report.resolver.ts'
import { CurrencyRevaluationResolver, RevaluationOperations } from './graph/revaluation.resolver.ts'
import { PostingInstructionStub } from './model/reports.ts'
import { journalEntries } from './store/journal-entry.ts'
import { mappingRules } from './store/mapping-rule.ts'
import { loadAccounts } from './store/account.ts'
import { loadPeriods } from './store/period.ts'
import { currencyRevaluations } from './store/revaluation.ts'
import { attributeHistoryInBackground } from './workers/attribute-history.ts'
import { checkGeneralLedger } from './workers/check-books.ts'
import { datePostingsInBackground } from './workers/date-postings.ts'

/** The general ledger subgraph: chart of accounts, accounting periods, reports and journal entries. */
export const generalLedger: Subgraph = {
  name: 'general-ledger',
  resolvers: [
    ChartOperations,
    PeriodOperations,
    JournalEntryOperations,
    JournalEntryResolver,
    ReportOperations,
    RevaluationOperations,
    CurrencyRevaluationResolver,
  ],
  types: [PostingInstructionStub],
  references: {
    GeneralLedgerAccount: referenceTo('accounting:read', 'accountNumber', loader(loadAccounts)),
    AccountMappingRule: referenceTo('accounting:read', 'mappingRuleId', mappingRules.load),
    AccountingPeriod: referenceTo('accounting:read', 'accountingPeriodId', loader(loadPeriods)),
    JournalEntry: referenceTo('accounting:read', 'journalEntryId', journalEntries.load),
    CurrencyRevaluation: referenceTo(
      'accounting:read',
      'currencyRevaluationId',
      currencyRevaluations.load,
    ),
  },
  workers: [datePostingsInBackground, attributeHistoryInBackground, checkGeneralLedger],
}
