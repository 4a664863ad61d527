import type { Arrangement } from '../model/arrangement.ts'
import { listLoader } from '../../../kernel/database/list-loader.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { requestLimit } from '../../../kernel/environment/request-limit.ts'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { Problem } from '../domain/problems.ts'
import { amountOfPhase, type BalanceAmounts } from '../../../ledger/domain/balance.ts'
import {
  readEntries,
  readEntriesInPeriod,
  readAccountBalanceAt,
  readBalanceAmounts,
  readBalanceAmountsAt,
  readValueDatedBalances,
  type BookedEntry,
} from '../../../ledger/entries.ts'
import type { DescribableEntry } from './entry-description.ts'
import type { AccountBalance, AccountEntry, AccountStatement } from '../model/balance.ts'

const loadStanding = loader<string, BalanceAmounts>(async ({ bank }, ids) => {
  const found = await readBalanceAmounts(bank.pool, ids)
  return ids.map((id) => found.get(id) ?? null)
})

const loadStandingAt = listLoader(async ({ bank }: Context, ids, { asOf }: { asOf: Date }) => {
  const found = await readBalanceAmountsAt(bank.pool, ids, asOf)
  return ids.map((id) => [found.get(id) ?? null])
})

const loadValueDated = listLoader(
  async ({ bank }: Context, ids, { valueDate }: { valueDate: LocalDate }) => {
    const found = await readValueDatedBalances(bank.pool, ids, valueDate)
    return ids.map((id) => [found.get(id)!])
  },
)

/**
 * The point in time of a balance: as booked at the instant `asOf`, or by value date at the end of
 * the day `valueDate`. If both are null, it is now.
 */
export interface BalanceRequest {
  asOf?: Date | null
  valueDate?: LocalDate | null
}

/** Returns the balance of an account. Throws VALIDATION_FAILED for both `asOf` and `valueDate`. */
export async function balanceOf(
  context: Context,
  arrangement: Arrangement,
  { asOf, valueDate }: BalanceRequest,
): Promise<AccountBalance> {
  const { arrangementId } = arrangement
  if (asOf && valueDate) {
    const detail = 'Send asOf or valueDate, not both.'
    const errors = [{ pointer: '/valueDate', code: 'CONFLICT', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  if (valueDate) {
    const [standing] = await loadValueDated(context, arrangementId, { valueDate })
    return balanceOut(arrangement, { ...standing!, availableMinor: null })
  }
  const standing = asOf
    ? (await loadStandingAt(context, arrangementId, { asOf }))[0]
    : await loadStanding(context, arrangementId)
  if (!standing) throw new Error(`${arrangementId} has no ledger account.`)
  return balanceOut(arrangement, standing)
}

type Figures = Omit<BalanceAmounts, 'availableMinor'> & { availableMinor: bigint | null }

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

const loadEntries = listLoader(
  async (
    { bank }: Context,
    accountIds,
    { start, take }: { start: Parameters<typeof readEntries>[2]; take: number },
  ) => {
    const found = await readEntries(bank.pool, accountIds, start, take)
    return accountIds.map((id) => found.get(id) ?? [])
  },
)

/**
 * Returns entries of an account, oldest or newest first. `after` is the sequence of the last entry
 * of the previous page; undefined for the first page.
 */
export async function entriesOf(
  context: Context,
  { arrangementId }: Arrangement,
  after: string | undefined,
  take: number,
  isNewestFirst: boolean,
): Promise<AccountEntry[]> {
  const start = isNewestFirst
    ? { before: after ? Number(after) : Number.MAX_SAFE_INTEGER }
    : { after: Number(after ?? 0) }
  return (await loadEntries(context, arrangementId, { start, take })).map(entryOut)
}

/** A statement whose entries can be described. */
export interface ReadStatement extends AccountStatement {
  entries: (AccountEntry & DescribableEntry)[]
}

const countStatement = requestLimit(10, 'account statements')
const maxStatementEntries = 5000
/** The maximum number of days between the first and the last day of a statement. */
const maxDays = 366

/**
 * Returns the statement from the start of the day `from` to the end of the day `to`, in UTC. Throws
 * INVALID_DATE_RANGE, and LIMIT_EXCEEDED for the eleventh statement of a request, or if the period
 * has more than 5,000 entries.
 */
export async function statementOf(
  context: Context,
  { arrangementId, currency }: Arrangement,
  from: LocalDate,
  to: LocalDate,
): Promise<ReadStatement> {
  if (to < from || addDays(from, maxDays) < to) {
    const detail = `The period is from ${from} to ${to}. Its last day must not be before its first day, and at most ${maxDays} days after it.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/to', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  countStatement(context)
  // Timestamps have millisecond precision, so a day ends one millisecond before midnight.
  const endOf = (day: LocalDate) => new Date(Date.parse(`${addDays(day, 1)}T00:00:00Z`) - 1)
  const { bank } = context
  const after = endOf(addDays(from, -1))
  const upTo = endOf(to)
  const [opening, entries] = await Promise.all([
    readAccountBalanceAt(bank.pool, arrangementId, after),
    readEntriesInPeriod(bank.pool, arrangementId, { after, upTo }, maxStatementEntries + 1),
  ])
  if (entries.length > maxStatementEntries) {
    const detail = `The period has more than ${maxStatementEntries} entries. Request a shorter period.`
    throw new Problem('LIMIT_EXCEEDED', { detail })
  }
  const openingMinor = opening?.committedMinor ?? 0n
  const sum = (side: 'debit' | 'credit') =>
    entries.reduce((total, entry) => (entry.side === side ? total + entry.amountMinor : total), 0n)
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
    entries: entries.map(entryOut),
  }
}

function entryOut(entry: BookedEntry): AccountEntry & DescribableEntry {
  const { postingInstructionId, ordinal, amountMinor, currency, phase } = entry
  return {
    ...entry,
    entryId: `${postingInstructionId}.${ordinal}`,
    sequence: entry.sequence!,
    amount: formatAmount(amountMinor, currency),
    balanceAfter: formatAmount(amountOfPhase(entry.after!, phase), currency),
  }
}
