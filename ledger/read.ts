import type pg from 'pg'
import type { Queries } from '../kernel/database/read-rows.ts'
import { statementName } from '../kernel/database/statement-name.ts'
import { internalAccount, internalAccountId } from './domain/account.ts'
import { defaultAddress, emptyBalance, type Balance, type Leg } from './domain/balance.ts'
import { authorizationKey, balanceKey, type Books } from './domain/books.ts'
import type { Authorization, Entry, Instruction, PostedInstruction } from './domain/instruction.ts'
import { recordFrom, type BalanceAfter, type PostingRecord, type PostingRow } from './journal.ts'
import {
  authorizationFrom,
  balanceColumns,
  balanceFrom,
  entryFrom,
  type AuthorizationRow,
  type BalanceRow,
  type EntryRow,
} from './rows.ts'

/** The records that must be read to decide instructions. */
export interface Needs {
  accountIds: Set<string>
  /** The authorizations, each identified by a JSON array `[clientId, clientTransactionId]`. */
  authorizationKeys: Set<string>
  postingIds: Set<string>
}

/** Returns the accounts, authorizations and earlier postings to which instructions refer. */
export function needsOf(instructions: readonly Instruction[], clientId: string): Needs {
  const needs: Needs = {
    accountIds: new Set(),
    authorizationKeys: new Set(),
    postingIds: new Set(),
  }
  for (const instruction of instructions) {
    if ('accountId' in instruction) {
      needs.accountIds.add(instruction.accountId).add(instruction.contraId)
    }
    if ('debtorId' in instruction) {
      needs.accountIds.add(instruction.debtorId).add(instruction.creditorId)
      if (instruction.creditorMoney) {
        const positions = [instruction.money, instruction.creditorMoney]
        for (const { currency } of positions) {
          needs.accountIds.add(internalAccountId('fx-position', currency))
        }
      }
    }
    if ('legs' in instruction) {
      for (const { accountId } of instruction.legs) needs.accountIds.add(accountId)
    }
    if ('reversesId' in instruction) needs.postingIds.add(instruction.reversesId)
    const { clientTransactionId, type } = instruction
    const refersToAuthorization = clientTransactionId !== null && typesOnAuthorizations.has(type)
    if (refersToAuthorization)
      needs.authorizationKeys.add(JSON.stringify([clientId, clientTransactionId]))
  }
  return needs
}

const typesOnAuthorizations = new Set<Instruction['type']>([
  'inbound-authorisation',
  'outbound-authorisation',
  'authorisation-adjustment',
  'settlement',
  'release',
])

/**
 * Books that were read from the database. Internal accounts are not read: they are accumulating, so
 * no decision depends on their balances.
 */
export class StoredBooks implements Books {
  readonly balances = new Map<string, Balance>()
  readonly authorizations = new Map<string, Authorization>()
  readonly posts = new Map<string, PostedInstruction>()

  balance(accountId: string, address: string): Balance | null {
    return this.balances.get(balanceKey(accountId, address)) ?? internalBalance(accountId, address)
  }

  authorization(clientId: string, clientTransactionId: string): Authorization | null {
    return this.authorizations.get(authorizationKey(clientId, clientTransactionId)) ?? null
  }

  posted(postingInstructionId: string): PostedInstruction | null {
    return this.posts.get(postingInstructionId) ?? null
  }
}

const internalBalances = new Map<string, Balance>()

function internalBalance(accountId: string, address: string): Balance | null {
  if (address !== defaultAddress || !accountId.includes('/')) return null
  const known = internalBalances.get(accountId)
  const account = known ? null : internalAccount(accountId)
  if (account) internalBalances.set(accountId, emptyBalance(account))
  return internalBalances.get(accountId) ?? null
}

const accountsSql = `select ${balanceColumns} from ledger.account a join ledger.balance b using (account_id) `
const balancesSql = `${accountsSql}where a.account_id = any($1)`
const requestedAuthorizationsSql =
  'ledger.authorization t join json_to_recordset($1::json) as c (client text, id text) ' +
  'on t.client_id = c.client and t.client_transaction_id = c.id'
const authorizationsSql = `select t.* from ${requestedAuthorizationsSql}`
/**
 * Selects the balances of the needed accounts, including the accounts of authorizations and earlier
 * postings, to which the instructions refer only indirectly.
 */
const neededSql =
  `${accountsSql}where a.policy <> 'deferred' and a.account_id in (select unnest($2::text[]) ` +
  `union select t.account_id from ${requestedAuthorizationsSql} ` +
  'union select e.account_id from ledger.entry e where e.posting_instruction_id = any($3))'
/** Locks the balances in the same order as `ledger.book`, so that transactions do not deadlock. */
const locking = 'order by b.account_id collate "C", b.address collate "C" for no key update of b'
const postedSql =
  'select p.posting_instruction_id, p.type, r.posting_instruction_id as reversed_by ' +
  'from ledger.posting_instruction p left join ledger.posting_instruction r ' +
  "on r.reverses_id = p.posting_instruction_id and r.status = 'accepted' " +
  "where p.posting_instruction_id = any($1) and p.status = 'accepted'"
export const entriesSql =
  'select * from ledger.entry where posting_instruction_id = any($1) order by posting_instruction_id, ordinal'

/**
 * Reads the needed records into the books. `isLocking` locks the balances until the transaction
 * ends. Authorizations and earlier postings are read after the balances. A concurrent change to one
 * of them also changes a balance, so a decision based on the old balance fails the stamp check.
 */
export async function readInto(
  books: StoredBooks,
  queries: Queries,
  { authorizationKeys, postingIds, ...needs }: Needs,
  isLocking = false,
): Promise<void> {
  const accountIds = [...needs.accountIds].filter((accountId) => !accountId.includes('/'))
  if (accountIds.length + authorizationKeys.size + postingIds.size === 0) return
  // The accounts alone are found by their keys. With the indirect ones PostgreSQL may scan the table.
  const isPlain = authorizationKeys.size + postingIds.size === 0
  const sql = isPlain ? balancesSql : neededSql
  const values = isPlain ? [accountIds] : [jsonOf(authorizationKeys), accountIds, [...postingIds]]
  const rows = await read<BalanceRow>(queries, isLocking ? `${sql} ${locking}` : sql, values)
  for (const row of rows)
    books.balances.set(balanceKey(row.account_id, row.address), balanceFrom(row))
  // Skip records that were created after the balances were read: their balances are missing.
  const isRead = ({ accountId, address }: Pick<Leg, 'accountId' | 'address'>) =>
    books.balance(accountId, address) !== null
  if (postingIds.size > 0) {
    for (const post of await readPosted(queries, [...postingIds])) {
      if (post.legs.every(isRead)) books.posts.set(post.postingInstructionId, post)
    }
  }
  if (authorizationKeys.size > 0) {
    for (const authorization of await readAuthorizations(queries, authorizationKeys)) {
      if (!isRead({ ...authorization, address: defaultAddress })) continue
      const { clientId, clientTransactionId } = authorization
      books.authorizations.set(authorizationKey(clientId, clientTransactionId), authorization)
    }
  }
}

/**
 * Returns the current balances of customer accounts and loan accounts at each of their addresses.
 */
export async function readBalances(
  queries: Queries,
  accountIds: readonly string[],
): Promise<Balance[]> {
  return (await read<BalanceRow>(queries, balancesSql, [accountIds])).map(balanceFrom)
}

/**
 * Returns the currency of a ledger account. Throws an Error if the account does not exist in the
 * ledger.
 */
export async function readCurrency(queries: Queries, accountId: string): Promise<string> {
  const sql = 'select currency from ledger.account where account_id = $1'
  const [account] = await read<{ currency: string }>(queries, sql, [accountId])
  if (!account) throw new Error(`The ledger has no account ${accountId}.`)
  return account.currency
}

async function readAuthorizations(
  queries: Queries,
  authorizationKeys: Set<string>,
): Promise<Authorization[]> {
  const rows = await read<AuthorizationRow>(queries, authorizationsSql, [jsonOf(authorizationKeys)])
  return rows.map(authorizationFrom)
}

function jsonOf(authorizationKeys: Set<string>): string {
  const keys = [...authorizationKeys].map((key) => {
    const [client, id] = JSON.parse(key) as [string, string]
    return { client, id }
  })
  return JSON.stringify(keys)
}

async function readPosted(queries: Queries, ids: readonly string[]): Promise<PostedInstruction[]> {
  interface PostedRow {
    posting_instruction_id: string
    type: Instruction['type']
    reversed_by: string | null
  }
  const rows = await read<PostedRow>(queries, postedSql, [ids])
  const entries = await readEntriesOf(queries, ids)
  return rows.map((row) => ({
    postingInstructionId: row.posting_instruction_id,
    type: row.type,
    legs: entries.get(row.posting_instruction_id) ?? [],
    reversedBy: row.reversed_by,
  }))
}

async function readEntriesOf(
  queries: Queries,
  ids: readonly string[],
): Promise<Map<string, Entry[]>> {
  const entries = new Map<string, Entry[]>(ids.map((id) => [id, []]))
  for (const row of await read<EntryRow>(queries, entriesSql, [ids])) {
    entries.get(row.posting_instruction_id)!.push(entryFrom(row))
  }
  return entries
}

export const recordsSql =
  'select * from ledger.posting_instruction where posting_instruction_id = any($1)'
const batchSql =
  'select posting_instruction_id from ledger.posting_instruction where batch_id = $1 order by ordinal'

/** Returns lines of the journal in the order of `ids`; null for an ID without a line. */
export async function readPostings(
  queries: Queries,
  ids: readonly string[],
): Promise<(PostingRecord | null)[]> {
  const rows = await read<PostingRow>(queries, recordsSql, [ids])
  const entries = await readEntriesOf(queries, ids)
  const owners = await readOwners(queries, [...entries.values()].flat())
  const byId = new Map(rows.map((row) => [row.posting_instruction_id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) return null
    const booked = entries.get(id)!
    return recordFrom(row, booked, balancesFrom(booked, owners))
  })
}

const ownersSql = 'select account_id, party_id from ledger.account where account_id = any($1)'

async function readOwners(
  queries: Queries,
  entries: readonly Entry[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(entries.map(({ accountId }) => accountId))]
  interface OwnerRow {
    account_id: string
    party_id: string | null
  }
  const rows = await read<OwnerRow>(queries, ownersSql, [ids])
  return new Map(rows.map((row) => [row.account_id, row.party_id]))
}

/** Returns the balances after an instruction, from its last entry on each account and address. */
function balancesFrom(
  entries: readonly Entry[],
  owners: ReadonlyMap<string, string | null>,
): BalanceAfter[] {
  const lastBalances = new Map<string, BalanceAfter>()
  for (const { accountId, address, currency, sequence, after } of entries) {
    if (!after) continue
    const partyId = owners.get(accountId) ?? null
    const balance = { accountId, address, partyId, currency, version: sequence!, ...after }
    lastBalances.set(balanceKey(accountId, address), balance)
  }
  return [...lastBalances.values()]
}

export async function readBatch(queries: Queries, batchId: string): Promise<PostingRecord[]> {
  const rows = await read<{ posting_instruction_id: string }>(queries, batchSql, [batchId])
  const ids = rows.map((row) => row.posting_instruction_id)
  return (await readPostings(queries, ids)) as PostingRecord[]
}

export async function read<Row extends pg.QueryResultRow>(
  queries: Queries,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await queries.query<Row>({
    name: statementName(text),
    text,
    values: [...values],
  })
  return rows
}
