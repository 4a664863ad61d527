import type { TransactionStatus } from '../model/enumerations.ts'
import { bankCaller, maySee } from '../../../kernel/authorization/auth.ts'
import { loader, requireCallerWaits, type Context } from '../../../kernel/environment/context.ts'
import { addDays } from '../../../kernel/domain/dates.ts'
import { noncharacter } from '../../../kernel/domain/unstorable.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Side } from '../../../ledger/domain/account.ts'
import { defaultAddress } from '../../../ledger/domain/balance.ts'
import { CounterpartyNamesDocument } from '../queries.generated.ts'
import type { Transaction, TransactionFilter } from '../domain/transaction.ts'

/** The types of the later instructions of an authorization, which belong to its transaction. */
const laterTypes = "('authorisation-adjustment', 'settlement', 'release')"
const openingTypes = "('inbound-authorisation', 'outbound-authorisation')"
const isTextFound = `concat_ws(' ', t.description, t."endToEndId", t.name, t.iban) ilike $10`
const narrativeField = (name: string) =>
  `coalesce(settled.narrative ->> '${name}', p.narrative ->> '${name}')`
const counterpartyField = (name: string) =>
  `coalesce(settled.narrative -> 'counterparty' ->> '${name}', p.narrative -> 'counterparty' ->> '${name}')`

/**
 * Selects the transactions of an account. A transaction is sorted by the sequence of its first
 * entry, so that cursors stay valid when an authorization is settled. The query makes one backward
 * scan of the primary key of the account's entries. Every join looks up one row by an index. A
 * transaction whose counterparty has an encrypted name is selected for every text: `isFound` says
 * whether the text was found in what is not encrypted.
 */
export const transactionsSql = `
select t.*, ($10::text is null or ${isTextFound}) as "isFound" from (
  select e.sequence, p.posting_instruction_id as "transactionId", e.currency,
    case
      when auth.state is null then case when reversal.posting_instruction_id is null then 'booked' else 'reversed' end
      when auth.open > 0 then 'pending'
      when auth.settled = 0 then 'released'
      when reversal.posting_instruction_id is null then 'booked' else 'reversed'
    end as status,
    case
      when auth.state is null then case when booked.net < 0 then 'debit' else 'credit' end
      when auth.direction = 'in' then 'credit' else 'debit'
    end as side,
    case
      when auth.state is null then abs(booked.net)
      when auth.open = 0 and auth.settled = 0 then auth.authorized
      else auth.open + auth.settled
    end as amount,
    e.booked_at as "startedAt",
    case when auth.state is null then e.booked_at when auth.open = 0 then settled.booked_at end as "bookedAt",
    case when auth.state is null then e.value_date when auth.open = 0 then settled.value_date end as "valueDate",
    ${narrativeField('remittanceInformation')} as description,
    ${narrativeField('endToEndId')} as "endToEndId",
    other.party_id as "partyId",
    coalesce(case when y.debtor_arrangement_id = $1 then y.creditor_name else y.debtor_name end,
      ${counterpartyField('name')}) as name,
    coalesce(case when y.debtor_arrangement_id = $1 then y.creditor_iban else y.debtor_iban end,
      ${counterpartyField('iban')}) as iban,
    y.payment_id as "paymentId",
    coalesce(reversed_auth.opened_by, p.reverses_id) as "reversesTransactionId"
  from ledger.entry e
  cross join lateral (
    select *, details::json -> 'narrative' as narrative from ledger.posting_instruction
    where posting_instruction_id = e.posting_instruction_id
  ) p
  left join ledger.authorization auth on p.type in ${openingTypes}
    and auth.client_id = p.client_id and auth.client_transaction_id = p.client_transaction_id
  left join lateral (
    select s.posting_instruction_id, s.booked_at, s.value_date, s.details::json -> 'narrative' as narrative
    from ledger.posting_instruction s
    where auth.settled > 0 and s.client_id = auth.client_id
      and s.client_transaction_id = auth.client_transaction_id
      and s.type = 'settlement' and s.status = 'accepted'
    order by s.booked_at desc, s.posting_instruction_id desc limit 1
  ) settled on true
  left join ledger.posting_instruction reversal on reversal.status = 'accepted'
    and reversal.reverses_id = coalesce(settled.posting_instruction_id, p.posting_instruction_id)
  left join ledger.posting_instruction original on original.posting_instruction_id = p.reverses_id
  left join ledger.authorization reversed_auth on original.type = 'settlement'
    and reversed_auth.client_id = original.client_id
    and reversed_auth.client_transaction_id = original.client_transaction_id
  left join payments.payment y on p.client_id = '${bankCaller.clientId}' and y.payment_id = p.client_transaction_id
  left join lateral (
    select a.party_id from ledger.entry o join ledger.account a using (account_id)
    where o.posting_instruction_id = p.posting_instruction_id and o.account_id <> $1 and a.party_id is not null
    order by o.ordinal limit 1
  ) other on true
  left join lateral (
    select sum(case m.side when 'credit' then m.amount else -m.amount end) as net
    from ledger.entry m where m.posting_instruction_id = p.posting_instruction_id
      and m.account_id = $1 and m.address = $2 and m.phase = 'committed'
  ) booked on true
  where e.account_id = $1 and e.address = $2
    and e.sequence > (select case when $4::timestamptz is null then 0
      else ledger.last_sequence_at($1, $2, $4 - interval '1 millisecond') end)
    and e.sequence < (select case when $5::timestamptz is null then $3::bigint
      else least($3::bigint, ledger.last_sequence_at($1, $2, $5) + 1) end)
    and p.type not in ${laterTypes} and (auth.state is not null or booked.net <> 0)
    and not exists (select from ledger.entry f where f.posting_instruction_id = p.posting_instruction_id
      and f.account_id = $1 and f.address = $2 and f.ordinal < e.ordinal)
) t
where ($6::bigint is null or t.amount >= $6) and ($7::bigint is null or t.amount <= $7)
  and ($8::text[] is null or t.status = any($8)) and ($9::text is null or t.side = $9)
  and ($10::text is null or ${isTextFound} or starts_with(t.name, '${noncharacter}'))
order by t.sequence desc limit $11`

/** Selects the transactions of several accounts, `$1`, with the ID of the account. */
export const ofAccountsSql = `select account.id as "accountId", page.*
from unnest($1::text[]) account(id)
cross join lateral (${transactionsSql.replaceAll(/\$1(?!\d)/g, 'account.id')}) page`

interface Row extends Omit<
  Transaction,
  'sequence' | 'amountMinor' | 'counterparty' | 'status' | 'valueDate'
> {
  sequence: string
  status: TransactionStatus
  side: Side
  amount: string
  valueDate: Date | null
  partyId: string | null
  name: string | null
  iban: string | null
  isFound: boolean
}

type AccountRow = Row & { accountId: string }

/** The minimum size of the pages after the first one, when a text is looked for in encrypted names. */
const laterPageSize = 200

/**
 * Returns transactions of an account, newest first. If `before` is not undefined, only transactions
 * with a lower sequence are returned. Throws TIMEOUT if the caller no longer waits.
 */
export async function listTransactions(
  context: Context,
  arrangementId: string,
  filter: TransactionFilter,
  before: string | undefined,
  take: number,
): Promise<Transaction[]> {
  const found: Row[] = []
  let from = before ?? String(Number.MAX_SAFE_INTEGER)
  for (let pageSize = take; ; pageSize = Math.max(take, laterPageSize)) {
    const page = { filter, before: from, take: pageSize }
    const rows = await loadTransactions(context, arrangementId, page)
    found.push(...rows.filter((row) => row.isFound || hasText(row, filter.text!)))
    if (rows.length < pageSize || found.length >= take) break
    // A rare text leads through all transactions with encrypted names.
    requireCallerWaits(context)
    from = rows.at(-1)!.sequence
  }
  return found.slice(0, take).map(transactionOf)
}

/** Whether a row whose encrypted values were decrypted has a text. */
function hasText({ description, endToEndId, name, iban }: Row, text: string): boolean {
  const values = [description, endToEndId, name, iban].filter((value) => value !== null)
  return values.join(' ').toLowerCase().includes(text.toLowerCase())
}

interface TransactionPage {
  filter: TransactionFilter
  before: string
  take: number
}

const loadTransactions = listLoader(
  async ({ bank }: Context, accountIds, { filter, before, take }: TransactionPage) => {
    const values = [
      defaultAddress,
      before,
      filter.from && `${filter.from}T00:00:00Z`,
      // Instants have whole milliseconds, so a day ends one millisecond before midnight.
      filter.to && new Date(Date.parse(`${addDays(filter.to, 1)}T00:00:00Z`) - 1).toISOString(),
      filter.minAmountMinor?.toString() ?? null,
      filter.maxAmountMinor?.toString() ?? null,
      filter.statuses,
      filter.side,
      filter.text === null ? null : `%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
      take,
    ]
    // Of one account, the database can compute the limits of the period before the scan.
    if (accountIds.length === 1) {
      return [await readRows<Row>(bank, transactionsSql, [accountIds[0], ...values])]
    }
    const rows = await readRows<AccountRow>(bank, ofAccountsSql, [accountIds, ...values])
    return listsByKey(accountIds, rows, ({ accountId }) => accountId)
  },
)

function transactionOf(row: Row): Transaction {
  const { sequence, amount, valueDate, partyId, name, iban, isFound: _, ...rest } = row
  return {
    ...rest,
    sequence: Number(sequence),
    amountMinor: BigInt(amount),
    valueDate: valueDate && valueDate.toISOString().slice(0, 10),
    counterparty: { partyId, name, iban },
  }
}

/** Loads the currency of an account; null if its transactions are not visible to the caller. */
export const loadAccountCurrency = loader<string, string>(async (context, ids) => {
  const facts = await readFacts(
    context,
    ids.map((id) => `arrangement/${id}`),
  )
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  return facts.map((fact, at) => {
    const isVisible = fact && (maySee(context.caller, [ownerOf(fact)]) || grantedIds.has(ids[at]!))
    return isVisible ? (fact['currency'] as string) : null
  })
})

const ownerOf = (fact: Record<string, unknown>) => fact['partyId'] as string

/** The maximum number of parties that the graph returns at once. */
const maxPartyIds = 200

/**
 * Loads the names of parties from the graph, once per request. A name is null if it cannot be read,
 * so that the list of transactions does not fail.
 */
export const loadPartyName = loader<string, string>(async ({ bank }, partyIds) => {
  const pages = Array.from({ length: Math.ceil(partyIds.length / maxPartyIds) }, (_, at) =>
    partyIds.slice(at * maxPartyIds, (at + 1) * maxPartyIds),
  )
  const found = await Promise.all(
    pages.map(async (page) => {
      try {
        return (await bank.queryGraph(CounterpartyNamesDocument, { partyIds: page })).partyContacts!
      } catch (error) {
        bank.log.warn({ error: (error as Error).message }, 'names of counterparties cannot be read')
        return []
      }
    }),
  )
  const contacts = found.flat()
  const names = new Map(contacts.map(({ partyId, displayName }) => [partyId, displayName]))
  return partyIds.map((partyId) => names.get(partyId) ?? null)
})
