import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { PostingRecord } from '../../../ledger/journal.ts'
import { readPostings, read } from '../../../ledger/read.ts'
import type { Authorization } from '../../../ledger/domain/instruction.ts'
import { authorizationFrom, type AuthorizationRow } from '../../../ledger/rows.ts'
import { isVisibleTo } from '../commands/posting.ts'

/** Loads posting records by ID; null if one does not exist or is not visible to the caller. */
export const loadPosting = loader<string, PostingRecord>(async (context, ids) => {
  const records = await readPostings(context.bank.pool, ids)
  return records.map((record) => (record && isVisibleTo(context, record) ? record : null))
})

export interface PostingFilter {
  arrangementId: string | null
  batchId: string | null
  clientTransactionId: string | null
}

const listSql =
  'select p.posting_instruction_id as id from ledger.posting_instruction p ' +
  'where p.posting_instruction_id > $1 and ($2::text is null or p.batch_id = $2) ' +
  'and ($3::text is null or p.client_transaction_id = $3) and ($4::text is null or exists ' +
  '(select from ledger.entry e where e.account_id = $4 and e.posting_instruction_id = p.posting_instruction_id)) ' +
  'and ($5::text is null or exists (select from ledger.entry e join ledger.account a using (account_id) ' +
  'where a.party_id = $5 and e.posting_instruction_id = p.posting_instruction_id)) ' +
  'order by p.posting_instruction_id limit $6'

/** Returns the posting records that are visible to the caller, in the order of their IDs. */
export async function listPostings(
  context: Context,
  { arrangementId, batchId, clientTransactionId }: PostingFilter,
  after: string,
  take: number,
): Promise<PostingRecord[]> {
  const { pool } = context.bank
  const { partyId } = context.caller
  const values = [after, batchId, clientTransactionId, arrangementId, partyId, take]
  const rows = await read<{ id: string }>(pool, listSql, values)
  const records = await readPostings(
    pool,
    rows.map(({ id }) => id),
  )
  return records.filter((record) => record !== null)
}

const authorizationsSql =
  'select t.* from ledger.authorization t join ledger.account a using (account_id) ' +
  'where t.account_id = $1 and ($2::boolean is false or t.open > 0) and ($3::text is null or a.party_id = $3) ' +
  'and ($4::timestamptz is null or (t.opened_at, t.client_transaction_id) > ($4, $5)) ' +
  'order by t.opened_at, t.client_transaction_id limit $6'

/**
 * Returns the authorizations of an account in the order in which they were opened; empty if the
 * account is not visible to the caller. If `isOpenOnly` is true, closed authorizations are left
 * out.
 */
export async function listAuthorizations(
  context: Context,
  arrangementId: string,
  isOpenOnly: boolean,
  after: string[] | null,
  take: number,
): Promise<Authorization[]> {
  const { partyId } = context.caller
  const [openedAt = null, id = null] = after ?? []
  const values = [arrangementId, isOpenOnly, partyId, openedAt, id, take]
  const rows = await read<AuthorizationRow>(context.bank.pool, authorizationsSql, values)
  return rows.map(authorizationFrom)
}
