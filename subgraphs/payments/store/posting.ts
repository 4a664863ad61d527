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

/** The filters of a list of postings, of which the caller's party is one. */
type Filters = PostingFilter & { partyId: string | null }

/**
 * How each filter finds its postings on its own, by an index, and how it tests a posting `p` that
 * another one found; `?` is its value. No index begins with the client transaction ID: the first
 * filter looks it up for each of the few clients. The tests of the last two are not written with
 * `exists`, which PostgreSQL would turn into a join and then read all entries of the account.
 */
const filtersSql = {
  clientTransactionId: {
    found:
      'with recursive client(id) as ((select client_id from ledger.posting_instruction ' +
      'where client_transaction_id is not null order by client_id limit 1) union all ' +
      'select (select client_id from ledger.posting_instruction where client_transaction_id is not null ' +
      'and client_id > client.id order by client_id limit 1) from client where client.id is not null) ' +
      'select posting_instruction_id, batch_id from client join ledger.posting_instruction ' +
      'on client_id = client.id where client_transaction_id = ?',
    test: 'p.client_transaction_id = ?',
  },
  batchId: {
    found: 'select posting_instruction_id from ledger.posting_instruction where batch_id = ?',
    test: 'p.batch_id = ?',
  },
  arrangementId: {
    found: 'select distinct posting_instruction_id from ledger.entry where account_id = ?',
    test:
      '(select true from ledger.entry e where e.account_id = ? ' +
      'and e.posting_instruction_id = p.posting_instruction_id limit 1)',
  },
  partyId: {
    found:
      'select distinct posting_instruction_id from ledger.account join ledger.entry using (account_id) ' +
      'where party_id = ?',
    test:
      '(select true from ledger.entry e join ledger.account a using (account_id) ' +
      'where a.party_id = ? and e.posting_instruction_id = p.posting_instruction_id limit 1)',
  },
} satisfies Record<keyof Filters, { found: string; test: string }>

const filterNames = Object.keys(filtersSql) as (keyof Filters)[]

/**
 * Up to this number of entries, all entries of the accounts are read for a page. Beyond it a page is
 * sooner full if the postings are tested one by one in the order of their IDs.
 */
const maxEntriesRead = 20_000

const entryCountsSql =
  'select (select sum(entry_count) from ledger.balance where account_id = $1)::text as account, ' +
  '(select sum(b.entry_count) from ledger.account a join ledger.balance b using (account_id) ' +
  'where a.party_id = $2)::text as party'

/** Returns the filter by which to find the postings; null if each posting must be tested. */
async function narrowestFilter(
  queries: Context['bank']['pool'],
  { clientTransactionId, batchId, arrangementId, partyId }: Filters,
): Promise<keyof Filters | null> {
  if (clientTransactionId !== null) return 'clientTransactionId'
  if (batchId !== null) return 'batchId'
  if (arrangementId === null && partyId === null) return null
  const values = [arrangementId, partyId]
  const rows = await read<{ account: string | null; party: string | null }>(
    queries,
    entryCountsSql,
    values,
  )
  const { account, party } = rows[0]!
  const ofAccount = arrangementId === null ? Infinity : Number(account)
  const ofParty = partyId === null ? Infinity : Number(party)
  if (Math.min(ofAccount, ofParty) > maxEntriesRead) return null
  return ofAccount <= ofParty ? 'arrangementId' : 'partyId'
}

/** Returns the postings that are visible to the caller, in the order of their IDs. */
export async function listPostings(
  context: Context,
  filter: PostingFilter,
  after: string,
  take: number,
): Promise<PostingRecord[]> {
  const { pool } = context.bank
  const filters: Filters = { ...filter, partyId: context.caller.partyId }
  const narrowest = await narrowestFilter(pool, filters)
  const values: unknown[] = [after, take]
  const sqlOf = (name: keyof Filters, use: 'found' | 'test') =>
    filtersSql[name][use].replace('?', `$${values.push(filters[name])}`)
  const tests = filterNames
    .filter((name) => filters[name] !== null && name !== narrowest)
    .map((name) => ` and ${sqlOf(name, 'test')}`)
    .join('')
  // Materialized: otherwise PostgreSQL might walk the primary key for the order, and test each row.
  const found = narrowest
    ? `with p as materialized (${sqlOf(narrowest, 'found')} and posting_instruction_id > $1) `
    : ''
  const sql =
    `${found}select posting_instruction_id as id from ${narrowest ? 'p' : 'ledger.posting_instruction p'} ` +
    `where posting_instruction_id > $1${tests} order by posting_instruction_id limit $2`
  const rows = await read<{ id: string }>(pool, sql, values)
  const records = await readPostings(
    pool,
    rows.map(({ id }) => id),
  )
  return records.filter((record) => record !== null)
}

const authorizationsSql = (condition: string) =>
  'select t.* from ledger.authorization t join ledger.account a using (account_id) ' +
  `where t.account_id = $1 and ($2::text is null or a.party_id = $2) ${condition}` +
  'and (t.opened_at, t.client_transaction_id) > ($3, $4) ' +
  'order by t.opened_at, t.client_transaction_id limit $5'
const allAuthorizationsSql = authorizationsSql('')
const openAuthorizationsSql = authorizationsSql('and t.open > 0 ')

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
  const [openedAt = '-infinity', id = ''] = after ?? []
  const values = [arrangementId, partyId, openedAt, id, take]
  const sql = isOpenOnly ? openAuthorizationsSql : allAuthorizationsSql
  const rows = await read<AuthorizationRow>(context.bank.pool, sql, values)
  return rows.map(authorizationFrom)
}
