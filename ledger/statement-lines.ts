import type { Queries } from '../kernel/database/read-rows.ts'
import type { InstructionType } from './domain/instruction.ts'
import type { Narrative } from './journal.ts'
import { read } from './read.ts'
import type { Side } from './domain/account.ts'

/** An entry of a posting, with the data that a statement shows. */
export interface CounterEntry {
  accountId: string
  /** `customer`, `loan`, or the account's code in the chart of accounts. */
  code: string
  /** The owner of the account; null for internal accounts and loan accounts. */
  partyId: string | null
  side: Side
  amountMinor: bigint
  currency: string
}

/** The data that a statement shows for a posting: its narrative and all of its entries. */
export interface StatementLine {
  type: InstructionType
  isExpiry: boolean
  narrative: Partial<Narrative>
  /**
   * The narrative of the posting that this posting settles, releases, adjusts or reverses; null if
   * there is none.
   */
  original: Partial<Narrative> | null
  entries: CounterEntry[]
}

const linesSql =
  'select p.posting_instruction_id as id, p.type, p.details, coalesce(r.details, o.details) as original ' +
  'from ledger.posting_instruction p ' +
  'left join ledger.posting_instruction r on r.posting_instruction_id = p.reverses_id ' +
  'left join ledger.authorization t on t.client_id = p.client_id and t.client_transaction_id = p.client_transaction_id ' +
  "and p.type in ('authorisation-adjustment', 'settlement', 'release') " +
  'left join ledger.posting_instruction o on o.posting_instruction_id = t.opened_by ' +
  'where p.posting_instruction_id = any($1)'
const entriesSql =
  'select e.posting_instruction_id as id, e.account_id as "accountId", a.code, a.party_id as "partyId", e.side, ' +
  'e.amount::text as amount, e.currency from ledger.entry e join ledger.account a using (account_id) ' +
  'where e.posting_instruction_id = any($1) order by e.posting_instruction_id, e.ordinal'

/** Reads the statement lines of postings, by posting ID. */
export async function readStatementLines(
  queries: Queries,
  ids: readonly string[],
): Promise<Map<string, StatementLine>> {
  if (ids.length === 0) return new Map()
  interface LineRow {
    id: string
    type: InstructionType
    details: string
    original: string | null
  }
  type EntryRow = Omit<CounterEntry, 'amountMinor'> & { id: string; amount: string }
  const [lines, entries] = await Promise.all([
    read<LineRow>(queries, linesSql, [ids]),
    read<EntryRow>(queries, entriesSql, [ids]),
  ])
  const byId = new Map<string, CounterEntry[]>(ids.map((id) => [id, []]))
  for (const { id, amount, ...entry } of entries) {
    byId.get(id)!.push({ ...entry, amountMinor: BigInt(amount) })
  }
  return new Map(
    lines.map(({ id, type, details, original }) => [
      id,
      {
        type,
        isExpiry: detailsOf(details).movement?.isExpiry ?? false,
        narrative: narrativeIn(details),
        original: original === null ? null : narrativeIn(original),
        entries: byId.get(id)!,
      },
    ]),
  )
}

interface Details {
  narrative?: Partial<Narrative>
  movement?: { isExpiry?: boolean }
}

function detailsOf(text: string): Details {
  return JSON.parse(text) as Details
}

/** Returns the narrative in the details of a posting. */
export function narrativeIn(details: string): Partial<Narrative> {
  return detailsOf(details).narrative ?? {}
}
