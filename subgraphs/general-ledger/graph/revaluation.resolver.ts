import { date, id } from '../../../kernel/domain/model.ts'
import { FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import {
  previewRevaluation,
  revaluationLineOut,
  revalueCurrencies,
} from '../commands/revaluation.ts'
import {
  readTranslatedBalanceSheet,
  readTranslatedProfitAndLoss,
  readTranslatedTrialBalance,
} from '../commands/translation.ts'
import { isPeriodId } from '../domain/period.ts'
import {
  CurrencyRevaluation,
  CurrencyRevaluationLine,
  CurrencyRevaluationPreview,
  TranslatedBalanceSheet,
} from '../model/revaluation.ts'
import { TranslatedProfitAndLoss, TranslatedTrialBalance } from '../model/translation.ts'
import { currencyRevaluations } from '../store/revaluation.ts'

const access = { scope: 'accounting:read', isForBankOnly: true } as const
const accountingPeriodId = id('The month, such as `2026-03`.')

/** Operations on the revaluation of positions in other currencies. */
export const RevaluationOperations = resolverOf({
  queries: {
    currencyRevaluation: lookup(CurrencyRevaluation, {
      ...access,
      description: 'Returns a revaluation. Not available to delegated users.',
      find: currencyRevaluations.load,
    }),
    currencyRevaluations: listing(CurrencyRevaluation, {
      ...access,
      description: 'Lists revaluations, oldest first. Not available to delegated users.',
      filters: {
        accountingPeriodId: id('Returns only revaluations of this month.').orNull(),
      },
      ...currencyRevaluations,
    }),
    currencyRevaluationPreview: operation({
      ...access,
      description:
        'Returns what a revaluation of a period that has ended would book now; null for an ID that is not a month. Books nothing. Not available to delegated users.',
      returns: CurrencyRevaluationPreview,
      args: { accountingPeriodId },
      resolve: (context, args) => previewRevaluation(context, args.accountingPeriodId),
    }),
    translatedBalanceSheet: operation({
      ...access,
      description:
        'Returns the balance sheet of all currencies at the end of a day, translated into the functional currency at the closing rates of the day. Not available to delegated users.',
      returns: TranslatedBalanceSheet,
      args: { asOf: date('The day. Defaults to today.').orNull() },
      resolve: (context, args) => readTranslatedBalanceSheet(context, args.asOf),
    }),
    translatedTrialBalance: operation({
      ...access,
      description:
        'Returns the trial balance of an accounting period in all currencies, translated into the functional currency: balances at the closing rates of their days, debits and credits at the closing rates of their accounting dates. A period that has not ended is translated up to today. Null for an ID that is not a month. Not available to delegated users.',
      returns: TranslatedTrialBalance,
      args: { accountingPeriodId },
      resolve: async (context, args) =>
        isPeriodId(args.accountingPeriodId)
          ? readTranslatedTrialBalance(context, args.accountingPeriodId)
          : null,
    }),
    translatedProfitAndLoss: operation({
      ...access,
      description:
        'Returns the income and the expenses of a range of days in all currencies, translated into the functional currency at the closing rates of their accounting dates. Not available to delegated users.',
      returns: TranslatedProfitAndLoss,
      args: { from: date('The first day.'), to: date('The last day.') },
      resolve: (context, args) => readTranslatedProfitAndLoss(context, args),
    }),
  },
  mutations: {
    revalueCurrencies: operation({
      description:
        'Revalues the positions in other currencies at the closing rates of the last day of a period, and books the difference to earlier revaluations. The period must have ended, and must not be closed. If nothing changed since its last revaluation, that one is returned and nothing is booked.',
      scope: 'accounting:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: CurrencyRevaluation,
      args: { accountingPeriodId },
      resolve: (context, args) => revalueCurrencies(context, args.accountingPeriodId),
    }),
  },
})

@Resolver(() => CurrencyRevaluation)
export class CurrencyRevaluationResolver {
  @FieldResolver(() => [CurrencyRevaluationLine], {
    description: 'The positions in the order of their currencies.',
  })
  positions(@Root() { lines, functionalCurrency }: CurrencyRevaluation): CurrencyRevaluationLine[] {
    return lines.map((line) => revaluationLineOut(line, functionalCurrency))
  }
}
