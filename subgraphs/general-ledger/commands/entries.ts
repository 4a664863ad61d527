import { requireCallerWaits, type Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Attribution } from '../../../ledger/domain/balance.ts'
import { requireAccount } from '../domain/chart.ts'
import { firstDayOf, lastDayOf, requirePeriodId } from '../domain/period.ts'
import { unmapped } from '../domain/reports.ts'
import type { GeneralLedgerDimension } from '../model/dimension.ts'
import { readChart } from '../store/account.ts'
import {
  readAttributedDays,
  readBookedDays,
  readEntryAttributions,
  readUnassignedDays,
  type DayRange,
} from '../store/attribution.ts'
import {
  entrySortKey,
  readDatedEntries,
  type DatedEntry,
  type EntryFilter,
} from '../store/entries.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { readTotals } from '../store/totals.ts'

/** An entry with its account of the general ledger, and what it belongs to. */
export interface AccountEntry extends DatedEntry {
  accountNumber: string
  accountName: string
  attribution: Attribution
}

/** Which entries of a period to read by what they belong to; all if every member is null. */
interface AttributionFilter {
  productId: string | null
  segment: string | null
  /** Only entries that belong to no product, or to no segment. */
  unassignedBy: GeneralLedgerDimension | null
}

export const allEntries: AttributionFilter = { productId: null, segment: null, unassignedBy: null }

/** Which entries of a period to read; those of all accounts if `accountNumber` is null. */
export interface PeriodEntries extends AttributionFilter {
  accountingPeriodId: string
  accountNumber: string | null
  currency: string | null
}

/** How many entries are read at once to find those that belong to a product or a segment. */
const searchedEntries = 2000

/**
 * Reads the entries of a period, or those of an account, in the order of their accounting dates.
 * Throws VALIDATION_FAILED and GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422).
 */
export async function readPeriodEntries(
  context: Context,
  { accountingPeriodId, accountNumber, currency, ...attribution }: PeriodEntries,
  after: readonly string[] | null,
  take: number,
): Promise<AccountEntry[]> {
  requirePeriodId(accountingPeriodId)
  const [from, to] = [firstDayOf(accountingPeriodId), lastDayOf(accountingPeriodId)]
  const [chart, mapping, totals] = await Promise.all([
    readChart(context),
    readMapping(context),
    accountNumber === null ? [] : readTotals(context, from, to, currency),
  ])
  if (accountNumber !== null && accountNumber !== unmapped) requireAccount(chart, accountNumber)
  const numberOf = (key: { ledgerCode: string; productId: string }) =>
    mapping.accountOf(key, from) ?? unmapped
  const keys =
    accountNumber === null ? null : totals.filter((key) => numberOf(key) === accountNumber)
  const ledgerCodes = keys && [...new Set(keys.map(({ ledgerCode }) => ledgerCode))]
  const days = await readDaysOf(context, { from, to, ledgerCodes, currency }, attribution)
  const filter = { from, to, keys, currency, days }
  const entries = await readAttributedEntries(context, filter, attribution, after, take)
  return entries.map((entry) => {
    const number = numberOf(entry)
    return { ...entry, accountNumber: number, accountName: chart.get(number)?.name ?? number }
  })
}

/** Reads the days on which there are entries that the filter names; null for all days. */
async function readDaysOf(
  context: Context,
  range: DayRange,
  { productId, segment, unassignedBy }: AttributionFilter,
): Promise<LocalDate[] | null> {
  const isAttributed = productId !== null || segment !== null
  const found = await Promise.all([
    range.ledgerCodes && readBookedDays(context, range),
    isAttributed ? readAttributedDays(context, range, productId, segment) : null,
    unassignedBy === null ? null : readUnassignedDays(context, range, unassignedBy),
  ])
  const [days, ...others] = found.filter((each) => each !== null)
  return days ? days.filter((day) => others.every((each) => each.includes(day))) : null
}

type AttributedEntry = DatedEntry & { attribution: Attribution }

/**
 * Reads the next entries that belong to what the filter names, as many as there are or `take`. Throws
 * TIMEOUT if the caller no longer waits: a search can read many entries for each that it finds.
 */
async function readAttributedEntries(
  context: Context,
  filter: EntryFilter,
  attribution: AttributionFilter,
  after: readonly string[] | null,
  take: number,
): Promise<AttributedEntry[]> {
  const isSearch = Object.values(attribution).some((value) => value !== null)
  const batch = isSearch ? Math.max(take, searchedEntries) : take
  const found: AttributedEntry[] = []
  for (let last = after; ;) {
    const entries = await readDatedEntries(context, filter, last, batch)
    const attributions = await readEntryAttributions(context, entries)
    found.push(
      ...entries
        .map((entry, index) => ({ ...entry, attribution: attributions[index]! }))
        .filter((entry) => !isSearch || belongsTo(entry.attribution, attribution)),
    )
    if (found.length >= take || entries.length < batch) return found.slice(0, take)
    requireCallerWaits(context)
    last = entrySortKey(entries.at(-1)!)
  }
}

function belongsTo(
  { productId, segment }: Attribution,
  { unassignedBy, ...wanted }: AttributionFilter,
): boolean {
  if (wanted.productId !== null && wanted.productId !== productId) return false
  if (wanted.segment !== null && wanted.segment !== segment) return false
  if (unassignedBy === null) return true
  return (unassignedBy === 'product' ? productId : segment) === ''
}
