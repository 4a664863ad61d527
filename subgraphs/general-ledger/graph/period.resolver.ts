import { id, integer, text } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { closeFiscalYear } from '../commands/fiscal-year.ts'
import {
  closePeriod,
  proposeReopening,
  reopenPeriod,
  softClosePeriod,
  withdrawReopening,
} from '../commands/period.ts'
import { invalidInput } from '../domain/chart.ts'
import { JournalEntry } from '../model/journal-entry.ts'
import { AccountingPeriod } from '../model/period.ts'
import { readPeriods } from '../store/period.ts'

const accountingPeriodId = id('The month, such as `2026-03`.')

/** Operations on accounting periods. */
export const PeriodOperations = resolverOf({
  queries: {
    accountingPeriods: operation({
      description:
        'Returns the twelve accounting periods of a fiscal year in their order. Not available to delegated users.',
      scope: 'accounting:read',
      isForBankOnly: true,
      returns: [AccountingPeriod],
      args: { fiscalYear: integer('The fiscal year, from 1900 to 9998.') },
      resolve(context, { fiscalYear }) {
        if (fiscalYear < 1900 || fiscalYear > 9998) {
          throw invalidInput('/fiscalYear', `The fiscal year is ${fiscalYear}.`)
        }
        return readPeriods(context, fiscalYear)
      },
    }),
  },
  mutations: {
    softCloseAccountingPeriod: operation({
      description:
        'Soft closes an open period: from now on, only journal entries are booked in it, and all other postings in the next open period.',
      scope: 'accounting:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: AccountingPeriod,
      args: { accountingPeriodId },
      resolve: (context, args) => softClosePeriod(context, args.accountingPeriodId),
    }),
    closeAccountingPeriod: operation({
      description:
        'Closes a period that has ended, and stores its balances. Periods are closed in their order; the first closing closes all earlier periods as well.',
      scope: 'accounting:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: AccountingPeriod,
      args: { accountingPeriodId },
      resolve: (context, args) => closePeriod(context, args.accountingPeriodId),
    }),
    proposeAccountingPeriodReopening: operation({
      description:
        'Proposes to reopen a period that is soft closed, or the last one that is closed. Another person must approve it.',
      scope: 'accounting:write',
      isForBankOnly: true,
      returns: AccountingPeriod,
      args: { accountingPeriodId, reason: text('Why the period is to be reopened.') },
      resolve: (context, args) => proposeReopening(context, args),
    }),
    withdrawAccountingPeriodReopening: operation({
      description: 'Removes the proposal to reopen a period.',
      scope: 'accounting:write',
      isForBankOnly: true,
      returns: AccountingPeriod,
      args: { accountingPeriodId },
      resolve: (context, args) => withdrawReopening(context, args.accountingPeriodId),
    }),
    reopenAccountingPeriod: operation({
      description:
        'Reopens a period, and reverses the year-end entries in it. The person who proposed it cannot approve it.',
      scope: 'accounting:approve',
      isForBankOnly: true,
      needsPerson: true,
      returns: AccountingPeriod,
      args: { accountingPeriodId },
      resolve: (context, args) => reopenPeriod(context, args.accountingPeriodId),
    }),
    closeFiscalYear: operation({
      description:
        'Transfers the income and the expenses of a fiscal year to retained earnings, on the last day of the year. Call it before you close the last period. A repeated call transfers only what was booked since. Returns the year-end entries.',
      scope: 'accounting:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: [JournalEntry],
      args: { fiscalYear: integer('The fiscal year, from 1900 to 9998.') },
      resolve: (context, { fiscalYear }) => closeFiscalYear(context, fiscalYear),
    }),
  },
})
