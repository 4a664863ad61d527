import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { ledgerAccountIdOf } from '../domain/mapping.ts'
import type { EntrySide } from '../model/journal-entry.ts'

/** An entry of a dated posting. */
export interface DatedEntry {
  accountingDate: LocalDate
  valueDate: LocalDate
  bookedAt: Date
  /** The position of the posting in the event log. */
  position: bigint
  ordinal: number
  postingInstructionId: string
  ledgerAccountId: string
  ledgerCode: string
  productId: string
  side: EntrySide
  amountMinor: bigint
  currency: string
}

type EntryRow = Omit<DatedEntry, 'position' | 'amountMinor'> & {
  position: string
  amount: string
  [column: string]: unknown
}

/** Which entries to read. */
export interface EntryFilter {
  from: LocalDate
  to: LocalDate
  /** The ledger accounts, by code, product and currency; null for all. */
  keys: readonly EntryKey[] | null
  currency: string | null
  /** Only these days; null for all. */
  days: readonly LocalDate[] | null
}

interface EntryKey {
  ledgerCode: string
  productId: string
  currency: string
}

/** Which page of entries to read: those after a sort key, and how many. */
interface EntryPage {
  after: readonly string[] | null
  take: number
}

/** Accounts with at most this many entries are read as a whole, and other ones by the days of the journal. */
const maxAccountEntries = 20_000

/** Returns the sort key of an entry: accounting date, position and ordinal. */
export function entrySortKey({ accountingDate, position, ordinal }: DatedEntry): string[] {
  return [accountingDate, position.toString(), String(ordinal)]
}

/** Returns the IDs of the only accounts with some keys; null if a key may have several accounts. */
function accountIdsOf(keys: readonly EntryKey[] | null): string[] | null {
  if (!keys) return null
  const ids = keys.map(({ ledgerCode, currency }) => ledgerAccountIdOf(ledgerCode, currency))
  return ids.every((id) => id !== null) ? [...new Set(ids)] : null
}

/**
 * Returns the statement that reads a page of entries: from the journal, which begins with the first posting
 * of the page, or from the accounts, if these are known and have few entries. It has only the conditions of
 * the filters that are given, so that the indexes serve them. `offset 0` keeps the order of the joins.
 */
export function entriesStatement(
  { from, to, keys, currency, days }: EntryFilter,
  { after, take }: EntryPage,
  isByAccount: boolean,
): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const given = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const accountIds = accountIdsOf(keys)
  const ofPosting = [
    `d.accounting_date between ${given(from, 'date')} and ${given(to, 'date')}`,
    ...(days ? [`d.accounting_date = any(${given(days, 'date[]')})`] : []),
  ]
  const ofEntry = [
    "e.phase = 'committed'",
    ...(currency === null ? [] : [`e.currency = ${given(currency, 'text')}`]),
    ...(accountIds ? [`e.account_id = any(${given(accountIds, 'text[]')})`] : []),
  ]
  const ofPage = ['true']
  if (keys && !accountIds) {
    const codes = [...new Set(keys.map(({ ledgerCode }) => ledgerCode))]
    const pairs = keys.map(({ ledgerCode, productId }) => `${ledgerCode} ${productId}`)
    ofPage.push(`a.code = any(${given(codes, 'text[]')})`)
    ofPage.push(`(a.code || ' ' || k.product_id) = any(${given(pairs, 'text[]')})`)
  }
  if (after) {
    const [date, position] = [given(after[0], 'date'), given(after[1], 'bigint')]
    const ordinal = given(after[2], 'int')
    ofPosting.push(`(d.accounting_date, d.position) >= (${date}, ${position})`)
    ofPage.push(`(d.accounting_date, d.position, e.ordinal) > (${date}, ${position}, ${ordinal})`)
  }
  const postings = `select * from general_ledger.dated_posting d where ${ofPosting.join(' and ')}`
  const entries = `select * from ledger.entry e where ${ofEntry.join(' and ')}`
  const joined = 'd.posting_instruction_id = e.posting_instruction_id offset 0'
  const text = `select d.accounting_date::text as "accountingDate",
    e.value_date::text as "valueDate", e.booked_at as "bookedAt", d.position::text as position,
    e.ordinal, e.posting_instruction_id as "postingInstructionId",
    e.account_id as "ledgerAccountId", a.code as "ledgerCode", k.product_id as "productId",
    e.side, e.amount::text as amount, e.currency
  from ${
    isByAccount
      ? `(${entries}) e cross join lateral (${postings} and ${joined}) d`
      : `(${postings}) d cross join lateral (${entries} and ${joined}) e`
  }
  cross join lateral (select code from ledger.account l
    where l.account_id = e.account_id offset 0) a
  cross join lateral (select general_ledger.product_of(e.account_id, a.code)) k (product_id)
  where ${ofPage.join(' and ')}
  order by d.accounting_date, d.position, e.ordinal limit ${given(take, 'int')}`
  return { text, values }
}

const countSql = `select coalesce(sum(entry_count), 0)::text as count
  from ledger.balance where account_id = any($1)`

/** Whether the accounts of the keys are known and have few entries. */
async function areFew(bank: Bank, keys: readonly EntryKey[] | null): Promise<boolean> {
  const accountIds = accountIdsOf(keys)
  if (!accountIds) return false
  const [row] = await readRows<{ count: string }>(bank, countSql, [accountIds])
  return BigInt(row!.count) <= maxAccountEntries
}

/** Reads entries in the order of their accounting dates, and of the journal within a day. */
export async function readDatedEntries(
  { bank }: Context,
  filter: EntryFilter,
  after: readonly string[] | null,
  take: number,
): Promise<DatedEntry[]> {
  const isByAccount = await areFew(bank, filter.keys)
  const { text, values } = entriesStatement(filter, { after, take }, isByAccount)
  const rows = await readRows<EntryRow>(bank, text, values)
  return rows.map(({ position, amount, ...row }) => ({
    ...row,
    position: BigInt(position),
    amountMinor: BigInt(amount),
  }))
}
