import type { Attribution } from '../../../ledger/domain/balance.ts'
import type { AttributedBalance } from '../domain/year-end.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { JournalEntry } from '../model/journal-entry.ts'
import { journalEntries } from './journal-entry.ts'

const idsSql = `select j.journal_entry_id as "journalEntryId" from general_ledger.journal_entry j
  where j.kind = 'year-end' and j.state = 'posted' and j.accounting_date between $1 and $2
    and not exists (select from ledger.posting_instruction p
      where p.reverses_id = j.posting_instruction_id and p.status = 'accepted')
  order by j.created_at, j.journal_entry_id`

/** Finds the year-end entries of a range of days that are not reversed, oldest first. */
export async function findYearEndEntries(
  context: Context,
  from: LocalDate,
  to: LocalDate,
): Promise<JournalEntry[]> {
  const rows = await readRows<{ journalEntryId: string }>(context.bank, idsSql, [from, to])
  const found = await journalEntries.loadMany(
    context,
    rows.map(({ journalEntryId }) => journalEntryId),
  )
  return found.filter((entry) => entry !== null)
}

interface AttributedRow extends Attribution {
  ledgerCode: string
  currency: string
  balance: string
  [column: string]: unknown
}

const attributedSql = `select ledger_code as "ledgerCode", currency, product_id as "productId", segment,
    sum(debit_minor - credit_minor)::text as balance
  from general_ledger.dimension_total where accounting_date <= $1 and ledger_code = any($2)
  group by 1, 2, 3, 4 having sum(debit_minor - credit_minor) <> 0 order by 1, 2, 3, 4`

/** Reads the parts of the balances of ledger accounts at the end of a day by product and segment. */
export async function readAttributedBalances(
  { bank }: Context,
  day: LocalDate,
  accounts: readonly { ledgerAccountId: string; ledgerCode: string; currency: string }[],
): Promise<AttributedBalance[]> {
  const codes = [...new Set(accounts.map(({ ledgerCode }) => ledgerCode))]
  const rows = await readRows<AttributedRow>(bank, attributedSql, [day, codes])
  return rows.flatMap(({ ledgerCode, currency, balance, productId, segment }) => {
    // Each code of income or expenses has one ledger account in a currency.
    const account = accounts.find(
      (each) => each.ledgerCode === ledgerCode && each.currency === currency,
    )
    if (!account) return []
    const { ledgerAccountId } = account
    return [{ ledgerAccountId, currency, balanceMinor: BigInt(balance), productId, segment }]
  })
}
