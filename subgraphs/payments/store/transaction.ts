import { bankCaller, maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { addDays } from '../../_kernel/domain/dates.ts'
import { idsGranted } from '../../_kernel/entitlements.ts'
import { readFacts } from '../../_kernel/facts.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import { defaultAddress } from '../../_ledger/domain/balance.ts'
import { CounterpartyNamesDocument } from '../asks.generated.ts'
import type { Transaction, TransactionFilter, TransactionStatus } from '../domain/transaction.ts'

/** Steps of an authorization after the first: they belong to the transaction that it began. */
const laterSteps = "('authorisation-adjustment', 'settlement', 'release')"
const openings = "('inbound-authorisation', 'outbound-authorisation')"
const text = (member: string) =>
  `coalesce(settled.narrative ->> '${member}', p.narrative ->> '${member}')`
const merchant = (member: string) =>
  `coalesce(settled.narrative -> 'counterparty' ->> '${member}', p.narrative -> 'counterparty' ->> '${member}')`

/**
 * Transactions of an account, each at the place of its first entry, so that a cursor stays where it is
 * when an authorization is settled. One pass backwards over the primary key of the account's entries; every join
 * looks one row up by an index.
 */
export const transactionsSql = `
select t.* from (
  select e.sequence, p.posting_instruction_id as "transactionId", e.currency,
    case
      when chain.state is null then case when reversal.posting_instruction_id is null then 'booked' else 'reversed' end
      when chain.open > 0 then 'pending'
      when chain.settled = 0 then 'released'
      when reversal.posting_instruction_id is null then 'booked' else 'reversed'
    end as status,
    case
      when chain.state is null then case when booked.net < 0 then 'debit' else 'credit' end
      when chain.direction = 'in' then 'credit' else 'debit'
    end as side,
    case
      when chain.state is null then abs(booked.net)
      when chain.open = 0 and chain.settled = 0 then chain.authorised
      else chain.open + chain.settled
    end as amount,
    e.booked_at as "startedAt",
    case when chain.state is null then e.booked_at when chain.open = 0 then settled.booked_at end as "bookedAt",
    case when chain.state is null then e.value_date when chain.open = 0 then settled.value_date end as "valueDate",
    ${text('remittanceInformation')} as description,
    ${text('endToEndId')} as "endToEndId",
    other.party_id as "partyId",
    coalesce(case when y.debtor_arrangement_id = $1 then y.creditor_name else y.debtor_name end,
      ${merchant('name')}) as name,
    coalesce(case when y.debtor_arrangement_id = $1 then y.creditor_iban else y.debtor_iban end,
      ${merchant('iban')}) as iban,
    y.payment_id as "paymentId",
    coalesce(reversed_chain.opened_by, p.reverses_id) as "reversesTransactionId"
  from ledger.entry e
  cross join lateral (
    select *, details::json -> 'narrative' as narrative from ledger.posting_instruction
    where posting_instruction_id = e.posting_instruction_id
  ) p
  left join ledger.authorisation chain on p.type in ${openings}
    and chain.client_id = p.client_id and chain.client_transaction_id = p.client_transaction_id
  left join lateral (
    select s.posting_instruction_id, s.booked_at, s.value_date, s.details::json -> 'narrative' as narrative
    from ledger.posting_instruction s
    where chain.settled > 0 and s.client_id = chain.client_id
      and s.client_transaction_id = chain.client_transaction_id
      and s.type = 'settlement' and s.status = 'accepted'
    order by s.booked_at desc, s.posting_instruction_id desc limit 1
  ) settled on true
  left join ledger.posting_instruction reversal on reversal.status = 'accepted'
    and reversal.reverses_id = coalesce(settled.posting_instruction_id, p.posting_instruction_id)
  left join ledger.posting_instruction original on original.posting_instruction_id = p.reverses_id
  left join ledger.authorisation reversed_chain on original.type = 'settlement'
    and reversed_chain.client_id = original.client_id
    and reversed_chain.client_transaction_id = original.client_transaction_id
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
    and p.type not in ${laterSteps} and (chain.state is not null or booked.net <> 0)
    and not exists (select from ledger.entry f where f.posting_instruction_id = p.posting_instruction_id
      and f.account_id = $1 and f.address = $2 and f.ordinal < e.ordinal)
) t
where ($6::bigint is null or t.amount >= $6) and ($7::bigint is null or t.amount <= $7)
  and ($8::text[] is null or t.status = any($8)) and ($9::text is null or t.side = $9)
  and ($10::text is null or concat_ws(' ', t.description, t."endToEndId", t.name, t.iban) ilike $10)
order by t.sequence desc limit $11`

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
}

/** Transactions of an account, the newest first, before the sequence of the one that was read last. */
export async function listTransactions(
  { bank }: Context,
  arrangementId: string,
  filter: TransactionFilter,
  before: string | undefined,
  take: number,
): Promise<Transaction[]> {
  const values = [
    arrangementId,
    defaultAddress,
    before ?? String(Number.MAX_SAFE_INTEGER),
    filter.from && `${filter.from}T00:00:00Z`,
    // Instants have whole milliseconds; the last of a day is the one before midnight.
    filter.to && new Date(Date.parse(`${addDays(filter.to, 1)}T00:00:00Z`) - 1).toISOString(),
    filter.minAmountMinor?.toString() ?? null,
    filter.maxAmountMinor?.toString() ?? null,
    filter.statuses,
    filter.side,
    filter.text === null ? null : `%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
    take,
  ]
  const rows = await readRows<Row>(bank, transactionsSql, values)
  return rows.map(({ sequence, amount, valueDate, partyId, name, iban, ...row }) => ({
    ...row,
    sequence: Number(sequence),
    amountMinor: BigInt(amount),
    valueDate: valueDate && valueDate.toISOString().slice(0, 10),
    counterparty: { partyId, name, iban },
  }))
}

/** The currency of an account whose transactions the caller may see; null for any other. */
export const loadAccountCurrency = loader<string, string>(async (context, ids) => {
  const facts = await readFacts(
    context,
    ids.map((id) => `arrangement/${id}`),
  )
  const granted = new Set(await idsGranted(context, 'arrangement'))
  return facts.map((fact, at) => {
    const isSeen = fact && (maySee(context.caller, [ownerOf(fact)]) || granted.has(ids[at]!))
    return isSeen ? (fact['currency'] as string) : null
  })
})

const ownerOf = (fact: Record<string, unknown>) => fact['partyId'] as string

/** The most parties that the graph answers for at once. */
const maxPartyIds = 200

/** The names of parties of this bank, read from the graph once for all transactions of a request. */
export const loadPartyName = loader<string, string>(async ({ bank }, partyIds) => {
  const pages = Array.from({ length: Math.ceil(partyIds.length / maxPartyIds) }, (_, at) =>
    partyIds.slice(at * maxPartyIds, (at + 1) * maxPartyIds),
  )
  const answers = await Promise.all(
    pages.map((page) => bank.ask(CounterpartyNamesDocument, { partyIds: page })),
  )
  const contacts = answers.flatMap(({ partyContacts }) => partyContacts!)
  const names = new Map(contacts.map(({ partyId, displayName }) => [partyId, displayName]))
  return partyIds.map((partyId) => names.get(partyId) ?? null)
})
