import { command } from '../../../kernel/writing/command.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { eventDataOf } from '../../../kernel/events/record-data.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { ratesForCosts, costedPositions } from '../domain/position-cost.ts'
import {
  isPeriodId,
  lastDayOf,
  requireEnded,
  requireNotClosed,
  requirePeriodId,
} from '../domain/period.ts'
import {
  entryLinesOf,
  gainOf,
  isOutdated,
  requireRevaluationAccounts,
  requireSameFunctionalCurrency,
  revalue,
} from '../domain/revaluation.ts'
import {
  CurrencyRevaluation,
  type CurrencyRevaluationPreview,
  type CurrencyRevaluationLine,
  type StoredRevaluationLine,
} from '../model/revaluation.ts'
import { readChart } from '../store/account.ts'
import { countRevaluation, readBook } from '../store/book.ts'
import { readMapping } from '../store/mapping-rule.ts'
import {
  currencyRevaluations,
  readPositionMovements,
  readRevaluations,
} from '../store/revaluation.ts'
import { readClosingRates } from './closing-rates.ts'
import { dateCommittedPostings } from './date-postings.ts'
import { bookOwnEntry } from './own-entry.ts'

/** The positions at the end of a period as a revaluation finds them. */
interface Measurement {
  lines: StoredRevaluationLine[]
  /** The last revaluation of the period; null if there is none. */
  latest: CurrencyRevaluation | null
}

/**
 * Measures the positions at the end of a period. Throws FUNCTIONAL_CURRENCY_CHANGED and
 * CLOSING_RATE_MISSING.
 */
export async function measurePositions(context: Context, periodId: string): Promise<Measurement> {
  const { functionalCurrency } = context.bank.config
  const day = lastDayOf(periodId)
  const [mapping, revaluations] = await Promise.all([
    readMapping(context),
    readRevaluations(context),
  ])
  requireSameFunctionalCurrency(revaluations, functionalCurrency)
  const groups = await readPositionMovements(context, day, mapping, functionalCurrency)
  const currencies = new Set(groups.flatMap(({ movements }) => [...movements.keys()]))
  const rates = await readClosingRates(context, [
    ...ratesForCosts(groups, functionalCurrency),
    ...[...currencies].map((currency) => ({ currency, day })),
  ])
  const former = revaluations.filter((each) => each.accountingPeriodId <= periodId)
  const latest = former.findLast((each) => each.accountingPeriodId === periodId) ?? null
  return { lines: revalue(costedPositions(groups, rates), former, rates, day), latest }
}

/**
 * Returns what a revaluation of a period would book now; null for an ID that is not a month. Throws
 * PERIOD_NOT_ENDED, and what `measurePositions` throws.
 */
export async function previewRevaluation(
  context: Context,
  accountingPeriodId: string,
): Promise<CurrencyRevaluationPreview | null> {
  if (!isPeriodId(accountingPeriodId)) return null
  requireEnded(accountingPeriodId, dateOf(context.now()))
  const { functionalCurrency } = context.bank.config
  const { lines, latest } = await measurePositions(context, accountingPeriodId)
  return {
    accountingPeriodId,
    functionalCurrency,
    gain: formatAmount(gainOf(lines), functionalCurrency),
    isUpToDate: latest !== null && !isOutdated(latest, lines),
    positions: lines.map((line) => revaluationLineOut(line, functionalCurrency)),
  }
}

/**
 * Revalues the positions in other currencies at the end of a period, and books the difference to
 * former revaluations on its last day. If nothing changed since the last revaluation of the period,
 * returns it and books nothing. Throws VALIDATION_FAILED, PERIOD_NOT_ENDED, PERIOD_CLOSED,
 * what `requireRevaluationAccounts` and `measurePositions` throw, and the problem of the ledger if it
 * rejects the posting.
 */
export async function revalueCurrencies(
  context: Context,
  accountingPeriodId: string,
): Promise<CurrencyRevaluation> {
  requirePeriodId(accountingPeriodId)
  const accountingDate = lastDayOf(accountingPeriodId)
  requireEnded(accountingPeriodId, dateOf(context.now()))
  await dateCommittedPostings(context)
  return command(context, 'revalueCurrencies', { accountingPeriodId }, async () => {
    const book = await readBook(context)
    requireNotClosed(accountingDate, book)
    requireRevaluationAccounts(await readChart(context))
    const { lines, latest } = await measurePositions(context, accountingPeriodId)
    if (latest && !isOutdated(latest, lines)) {
      return { result: latest, resourceId: latest.currencyRevaluationId }
    }
    const { functionalCurrency } = context.bank.config
    const entryLines = entryLinesOf(lines, functionalCurrency)
    const entry =
      entryLines.length === 0
        ? null
        : await bookOwnEntry(context, {
            kind: 'revaluation',
            accountingDate,
            description: `Revaluation of positions in other currencies in ${accountingPeriodId}`,
            lines: entryLines,
          })
    const now = context.now()
    const revaluation: CurrencyRevaluation = {
      currencyRevaluationId: context.newId('currencyRevaluation'),
      sequence: book.revaluations + 1n,
      accountingPeriodId,
      functionalCurrency,
      gain: formatAmount(gainOf(lines), functionalCurrency),
      lines,
      journalEntryId: entry?.journalEntryId ?? null,
      revaluedBy: context.caller.subject,
      contentHash: '',
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    return {
      result: revaluation,
      resourceId: revaluation.currencyRevaluationId,
      retainsKey: entry !== null,
      writes: [
        ...(entry?.writes ?? []),
        currencyRevaluations.insert(revaluation),
        countRevaluation(book),
      ],
      events: [...(entry?.events ?? []), completed(revaluation)],
    }
  })
}

function completed(revaluation: CurrencyRevaluation): DomainEvent {
  return {
    type: 'general-ledger.currency-revaluation.completed',
    subject: `currency-revaluation/${revaluation.currencyRevaluationId}`,
    version: revaluation.version,
    data: eventDataOf(CurrencyRevaluation, revaluation),
    parties: [],
  }
}

/** Returns a line of a revaluation with its amounts as decimals. */
export function revaluationLineOut(
  line: StoredRevaluationLine,
  functionalCurrency: string,
): CurrencyRevaluationLine {
  const { currency, rate, exchangeRateId } = line
  const money = (minor: bigint) => formatAmount(minor, functionalCurrency)
  return {
    currency,
    position: formatAmount(line.positionMinor, currency),
    cost: money(line.costMinor),
    rate,
    exchangeRateId,
    value: money(line.valueMinor),
    bookedBefore: money(line.bookedBeforeMinor),
    difference: money(line.differenceMinor),
  }
}
