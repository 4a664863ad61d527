import { loader, type Context } from '../_kernel/context.ts'
import { addDays, type LocalDate } from '../_kernel/domain/dates.ts'
import { formatAmount } from '../_kernel/domain/money.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { phaseFigure, type Standing } from '../_ledger/domain/balance.ts'
import {
  readEntries,
  readPeriod,
  readStandingAt,
  readStandings,
  readValuedStanding,
  type BookedEntry,
} from '../_ledger/entries.ts'
import type { Arrangement } from './domain/arrangement.ts'
import { describeEntries } from './describe-entries.ts'
import type { AccountBalance, AccountEntry, AccountStatement } from './graph/balance.types.ts'

const loadStanding = loader<string, Standing>(async ({ bank }, ids) => {
  const found = await readStandings(bank.pool, ids)
  return ids.map((id) => found.get(id) ?? null)
})

/** When a balance is asked for: now, as it was booked at an instant, or as it counts at the end of a day. */
export interface BalanceAsked {
  asOf?: Date | null
  valueDate?: LocalDate | null
}

/** What an account holds. Refuses with VALIDATION_FAILED two points in time. */
export async function balanceOf(
  context: Context,
  arrangement: Arrangement,
  { asOf, valueDate }: BalanceAsked,
): Promise<AccountBalance> {
  const { arrangementId } = arrangement
  const { pool } = context.bank
  if (asOf && valueDate) {
    const detail = 'Send asOf or valueDate, not both.'
    const errors = [{ pointer: '/valueDate', code: 'CONFLICT', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  if (valueDate) {
    const standing = await readValuedStanding(pool, arrangementId, valueDate)
    return balanceOut(arrangement, { ...standing, availableMinor: null })
  }
  const standing = asOf
    ? await readStandingAt(pool, arrangementId, asOf)
    : await loadStanding(context, arrangementId)
  if (!standing) throw new Error(`${arrangementId} has no account in the ledger.`)
  return balanceOut(arrangement, standing)
}

type Figures = Omit<Standing, 'availableMinor'> & { availableMinor: bigint | null }

function balanceOut({ arrangementId, currency }: Arrangement, figures: Figures): AccountBalance {
  const { committedMinor, pendingInMinor, pendingOutMinor, availableMinor } = figures
  return {
    arrangementId,
    currency,
    committed: formatAmount(committedMinor, currency),
    pendingIn: formatAmount(pendingInMinor, currency),
    pendingOut: formatAmount(pendingOutMinor, currency),
    available: availableMinor === null ? null : formatAmount(availableMinor, currency),
  }
}

/** The entries of an account, oldest or newest first, after the sequence of the one before. */
export async function entriesOf(
  context: Context,
  { arrangementId }: Arrangement,
  after: string | undefined,
  take: number,
  isNewestFirst: boolean,
): Promise<AccountEntry[]> {
  const from = isNewestFirst
    ? { before: after ? Number(after) : Number.MAX_SAFE_INTEGER }
    : { after: Number(after ?? 0) }
  return described(context, await readEntries(context.bank.pool, arrangementId, from, take))
}

const mostOnStatement = 5000
const mostDays = 366

/**
 * What was booked from the beginning of one day to the end of another, in UTC.
 * Refuses with INVALID_DATE_RANGE, LIMIT_EXCEEDED more entries than a statement holds.
 */
export async function statementOf(
  context: Context,
  { arrangementId, currency }: Arrangement,
  from: LocalDate,
  to: LocalDate,
): Promise<AccountStatement> {
  if (to < from || addDays(from, mostDays) < to) {
    const detail = `From a day to the same or a later one, at most ${mostDays} days.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/to', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  // Instants have whole milliseconds; the last of the day before is the one before midnight.
  const endOf = (day: LocalDate) => new Date(Date.parse(`${addDays(day, 1)}T00:00:00Z`) - 1)
  const { bank } = context
  const after = endOf(addDays(from, -1))
  const upTo = endOf(to)
  const [opening, entries] = await Promise.all([
    readStandingAt(bank.pool, arrangementId, after),
    readPeriod(bank.pool, arrangementId, { after, upTo }, mostOnStatement + 1),
  ])
  if (entries.length > mostOnStatement) {
    const detail = `More than ${mostOnStatement} entries; ask for a shorter period.`
    throw new Problem('LIMIT_EXCEEDED', { detail })
  }
  const openingMinor = opening?.committedMinor ?? 0n
  const sum = (side: 'debit' | 'credit') =>
    entries.reduce((all, entry) => (entry.side === side ? all + entry.amountMinor : all), 0n)
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  const [debits, credits] = [sum('debit'), sum('credit')]
  return {
    arrangementId,
    from,
    to,
    currency,
    openingBalance: money(openingMinor),
    closingBalance: money(openingMinor - debits + credits),
    totalDebits: money(debits),
    totalCredits: money(credits),
    entries: await described(context, entries),
  }
}

/** Entries with what a statement says of each: the text and the other side. */
async function described(
  context: Context,
  entries: readonly BookedEntry[],
): Promise<AccountEntry[]> {
  const said = await describeEntries(context, entries)
  return entries.map((entry, at) => {
    const { postingInstructionId, ordinal, amountMinor, currency, phase } = entry
    return {
      ...entry,
      ...said[at]!,
      entryId: `${postingInstructionId}.${ordinal}`,
      sequence: entry.sequence!,
      amount: formatAmount(amountMinor, currency),
      balanceAfter: formatAmount(phaseFigure(entry.after!, phase), currency),
    }
  })
}
