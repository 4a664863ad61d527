import { requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { read } from '../_ledger/read.ts'
import type { InstructionAsked } from './domain/asked.ts'
import {
  completed,
  currencySources,
  isComplete,
  type CurrencySource,
  type WithAmountsSent,
} from './domain/sent-amount.ts'

const accountSql =
  'select account_id, currency from ledger.account ' +
  'where account_id = any($1::text[]) and ($2::text is null or party_id = $2)'
const chainSql =
  'select t.client_transaction_id, a.currency from ledger.authorisation t ' +
  'join ledger.account a using (account_id) ' +
  'where t.client_id = $1 and t.client_transaction_id = any($2::text[])'

/**
 * The instructions with the currency of every amount that was sent as a decimal string: that of the
 * account it moves on, or of the authorization it continues. Instructions that say every currency
 * cost nothing. A delegated user learns no currency but that of their own accounts.
 * Refuses with ARRANGEMENT_NOT_FOUND, AUTHORISATION_NOT_FOUND.
 */
export async function withCurrencies<Asked extends InstructionAsked>(
  context: Context,
  sent: readonly WithAmountsSent<Asked>[],
  placeOf: (index: number) => string,
): Promise<Asked[]> {
  if (sent.every(isComplete)) return sent as unknown as Asked[]
  const sources = sent.flatMap((each, index) => currencySources(each, placeOf(index)))
  const { partyId, clientId } = context.caller
  const chains = chainsWithin(sent)
  const byChain = sources.flatMap((each) =>
    'clientTransactionId' in each && !chains.has(each.clientTransactionId)
      ? [each.clientTransactionId]
      : [],
  )
  if (byChain.length > 0) requireBank(context)
  const accountIds = [
    ...sources.flatMap((each) => ('accountId' in each ? [each.accountId] : [])),
    ...chains.values(),
  ]
  const { pool } = context.bank
  const accounts = await read<{ account_id: string; currency: string }>(pool, accountSql, [
    accountIds,
    partyId,
  ])
  const open =
    byChain.length === 0
      ? []
      : await read<{ client_transaction_id: string; currency: string }>(pool, chainSql, [
          clientId,
          byChain,
        ])
  const ofAccount = new Map(accounts.map((row) => [row.account_id, row.currency]))
  const ofChain = new Map(open.map((row) => [row.client_transaction_id, row.currency]))
  return sent.map((each, index) =>
    completed(each, (source) => {
      const accountId =
        'accountId' in source ? source.accountId : chains.get(source.clientTransactionId)
      const pointer = placeOf(index) + source.pointer
      if (accountId !== undefined) return ofAccount.get(accountId) ?? missing(accountId, pointer)
      const { clientTransactionId } = source as Extract<
        CurrencySource,
        { clientTransactionId: string }
      >
      const currency = ofChain.get(clientTransactionId)
      if (currency !== undefined) return currency
      throw missingReference('AUTHORISATION_NOT_FOUND', clientTransactionId, pointer)
    }),
  )
}

function missing(accountId: string, pointer: string): never {
  throw missingReference('ARRANGEMENT_NOT_FOUND', accountId, pointer)
}

/** Authorizations that a batch opens itself, with the account each is on. */
function chainsWithin(
  sent: readonly Pick<InstructionAsked, 'type' | 'clientTransactionId' | 'arrangementId'>[],
): Map<string, string> {
  const opened = new Map<string, string>()
  for (const { type, clientTransactionId, arrangementId } of sent) {
    if (type !== 'inbound-authorisation' && type !== 'outbound-authorisation') continue
    if (clientTransactionId && arrangementId) opened.set(clientTransactionId, arrangementId)
  }
  return opened
}
