import { loader, type Context } from '../../_kernel/context.ts'
import type { PostingRecord } from '../../_ledger/journal.ts'
import { readPostings, read } from '../../_ledger/read.ts'
import type { Authorisation } from '../../_ledger/domain/instruction.ts'
import { authorisationFrom, type AuthorisationRow } from '../../_ledger/rows.ts'
import { isTheirs } from '../post.ts'

/** Lines of the journal by id, each only if it is the caller's to see. */
export const loadPosting = loader<string, PostingRecord>(async (context, ids) => {
  const records = await readPostings(context.bank.pool, ids)
  return records.map((record) => (record && isTheirs(context, record) ? record : null))
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

/** Lines of the journal in the order of their ids, as far as they are the caller's to see. */
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

const authorisationsSql =
  'select t.* from ledger.authorisation t join ledger.account a using (account_id) ' +
  'where t.account_id = $1 and ($2::boolean is false or t.open > 0) and ($3::text is null or a.party_id = $3) ' +
  'and ($4::timestamptz is null or (t.opened_at, t.client_transaction_id) > ($4, $5)) ' +
  'order by t.opened_at, t.client_transaction_id limit $6'

/** The chains of an account in the order they were opened, if it is the caller's to see. */
export async function listAuthorisations(
  context: Context,
  arrangementId: string,
  isOpen: boolean,
  after: string[] | null,
  take: number,
): Promise<Authorisation[]> {
  const { partyId } = context.caller
  const [openedAt = null, id = null] = after ?? []
  const values = [arrangementId, isOpen, partyId, openedAt, id, take]
  const rows = await read<AuthorisationRow>(context.bank.pool, authorisationsSql, values)
  return rows.map(authorisationFrom)
}
