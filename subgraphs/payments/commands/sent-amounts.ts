import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { read } from '../../../ledger/read.ts'
import type { InstructionRequest } from '../domain/instruction-request.ts'
import {
  fillCurrencies,
  currencySources,
  hasAllCurrencies,
  type CurrencySource,
  type WithAmountsSent,
} from '../domain/sent-amount.ts'

const accountSql =
  'select account_id, currency from ledger.account ' +
  'where account_id = any($1::text[]) and ($2::text is null or party_id = $2)'
const authorizationSql =
  'select t.client_transaction_id, a.currency from ledger.authorization t ' +
  'join ledger.account a using (account_id) ' +
  'where t.client_id = $1 and t.client_transaction_id = any($2::text[])'

/**
 * Adds the currency of the account or the authorization to every amount that was sent as a decimal
 * string. If every amount already has a currency, no query is made. Accounts of other parties are
 * reported to delegated users as not found. Throws ARRANGEMENT_NOT_FOUND and AUTHORISATION_NOT_FOUND,
 * and NOT_FOR_DELEGATED_USERS if a delegated user refers to an authorization.
 */
export async function withCurrencies<Request extends InstructionRequest>(
  context: Context,
  instructions: readonly WithAmountsSent<Request>[],
  pointerOf: (index: number) => string,
): Promise<Request[]> {
  if (instructions.every(hasAllCurrencies)) return instructions as unknown as Request[]
  const sources = instructions.flatMap((each, index) => currencySources(each, pointerOf(index)))
  const { partyId, clientId } = context.caller
  const accountByAuthorization = authorizationsOpenedIn(instructions)
  const authorizationIds = sources.flatMap((each) =>
    'clientTransactionId' in each && !accountByAuthorization.has(each.clientTransactionId)
      ? [each.clientTransactionId]
      : [],
  )
  if (authorizationIds.length > 0) requireBank(context)
  const accountIds = [
    ...sources.flatMap((each) => ('accountId' in each ? [each.accountId] : [])),
    ...accountByAuthorization.values(),
  ]
  const { pool } = context.bank
  const accounts = await read<{ account_id: string; currency: string }>(pool, accountSql, [
    accountIds,
    partyId,
  ])
  const authorizations =
    authorizationIds.length === 0
      ? []
      : await read<{ client_transaction_id: string; currency: string }>(pool, authorizationSql, [
          clientId,
          authorizationIds,
        ])
  const currencyByAccount = new Map(accounts.map((row) => [row.account_id, row.currency]))
  const currencyByAuthorization = new Map(
    authorizations.map((row) => [row.client_transaction_id, row.currency]),
  )
  return instructions.map((each, index) =>
    fillCurrencies(each, (source) => {
      const accountId =
        'accountId' in source
          ? source.accountId
          : accountByAuthorization.get(source.clientTransactionId)
      const pointer = pointerOf(index) + source.pointer
      if (accountId !== undefined)
        return currencyByAccount.get(accountId) ?? throwAccountNotFound(accountId, pointer)
      const { clientTransactionId } = source as Extract<
        CurrencySource,
        { clientTransactionId: string }
      >
      const currency = currencyByAuthorization.get(clientTransactionId)
      if (currency !== undefined) return currency
      throw missingReference('AUTHORISATION_NOT_FOUND', clientTransactionId, pointer)
    }),
  )
}

function throwAccountNotFound(accountId: string, pointer: string): never {
  throw missingReference('ARRANGEMENT_NOT_FOUND', accountId, pointer)
}

/** Returns the account of each authorization that the batch itself opens. */
function authorizationsOpenedIn(
  instructions: readonly Pick<
    InstructionRequest,
    'type' | 'clientTransactionId' | 'arrangementId'
  >[],
): Map<string, string> {
  const accounts = new Map<string, string>()
  for (const { type, clientTransactionId, arrangementId } of instructions) {
    if (type !== 'inbound-authorisation' && type !== 'outbound-authorisation') continue
    if (clientTransactionId && arrangementId) accounts.set(clientTransactionId, arrangementId)
  }
  return accounts
}
