import { readRows } from '../../../kernel/database/read-rows.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { defaultAddress } from '../../../ledger/domain/balance.ts'
import type { Movement } from '../domain/accrued-day.ts'
import type { InterestPosition } from '../domain/position.ts'

/** The maximum number of entries that are read of one account at once. */
const maxEntries = 5000

interface EntryRow {
  id: string
  sequence: string
  isBooked: boolean
  amount: string
  valueDate: LocalDate
  postingInstructionId: string
}

const movementsSql =
  'select e.account_id as id, e.sequence::text as sequence, e.phase = \'committed\' as "isBooked", ' +
  "(case e.side when 'credit' then e.amount else -e.amount end)::text as amount, " +
  'e.value_date::text as "valueDate", e.posting_instruction_id as "postingInstructionId" ' +
  'from unnest($1::text[], $2::bigint[]) a (id, seen) cross join lateral ' +
  '(select * from ledger.entry e where e.account_id = a.id and e.address = $3 ' +
  'and e.sequence > a.seen order by e.sequence limit $4) e'

/** The entries of an account that its position does not include. */
export interface NewMovements {
  movements: Movement[]
  seenSequence: bigint
  /** Whether there may be further entries. */
  isPartial: boolean
}

/** Which movements a book reads, and how. */
export interface MovementBook {
  /** 1 for what the bank owes to the customer, -1 for what the customer owes. */
  sign: 1n | -1n
  /** Returns the entries of these postings that are already part of positions. */
  readOwn(context: Context, postingInstructionIds: readonly string[]): Promise<OwnEntry[]>
}

/** The entries of one posting on one account. */
export interface OwnEntry {
  arrangementId: string
  postingInstructionId: string
}

const keyOf = ({ arrangementId, postingInstructionId }: OwnEntry) =>
  `${arrangementId} ${postingInstructionId}`

/**
 * Reads the booked entries of accounts that their positions do not include. The interest of the book
 * that was paid into the account, and what term deposits paid out, is left out, because the position
 * includes it from its effective day on.
 */
export async function readMovements(
  context: Context,
  { sign, readOwn }: MovementBook,
  positions: readonly InterestPosition[],
): Promise<Map<string, NewMovements>> {
  const ids = positions.map(({ arrangementId }) => arrangementId)
  const seen = positions.map(({ seenSequence }) => seenSequence.toString())
  const values = [ids, seen, defaultAddress, maxEntries]
  const rows = await readRows<EntryRow>(context.bank, movementsSql, values)
  const postingIds = new Set(rows.map(({ postingInstructionId }) => postingInstructionId))
  const ownEntries = new Set((await readOwn(context, [...postingIds])).map(keyOf))
  const found = new Map(
    positions.map(({ arrangementId, seenSequence }) => [
      arrangementId,
      { movements: [] as Movement[], seenSequence, count: 0 },
    ]),
  )
  for (const { id, sequence, isBooked, amount, valueDate, postingInstructionId } of rows) {
    const account = found.get(id)!
    account.count++
    if (BigInt(sequence) > account.seenSequence) account.seenSequence = BigInt(sequence)
    if (!isBooked || ownEntries.has(keyOf({ arrangementId: id, postingInstructionId }))) continue
    const amountMinor = sign * BigInt(amount)
    account.movements.push({ valueDate, amountMinor, postingInstructionId })
  }
  return new Map(
    [...found].map(([id, { count, ...account }]) => [
      id,
      { ...account, isPartial: count === maxEntries },
    ]),
  )
}
