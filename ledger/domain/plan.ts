import type { Money } from '../../kernel/domain/money.ts'
import { internalAccountId } from './account.ts'
import {
  adjustAuthorization,
  movement,
  openAuthorization,
  releaseAuthorization,
  settleAuthorization,
  type PostingOrigin,
  type Step,
} from './authorization.ts'
import type { Leg } from './balance.ts'
import type { Books } from './books.ts'
import type { Authorization, Instruction, Violation } from './instruction.ts'

/** The planned legs of an instruction, before the accounts are checked. */
export interface Planned {
  legs: readonly Leg[]
  authorization: Authorization | null
  /** Whether a blocked account accepts the posting, because the amount was already authorized. */
  isPromised?: boolean
}

/** The types of postings that can be reversed. Authorizations are released instead. */
const reversibleTypes = new Set([
  'inbound-hard-settlement',
  'outbound-hard-settlement',
  'settlement',
  'transfer',
  'custom',
])

/** Plans the legs of an instruction. Returns a violation if the instruction is not possible. */
export function plan(
  books: Books,
  instruction: Instruction,
  origin: PostingOrigin,
): Planned | Violation {
  switch (instruction.type) {
    case 'inbound-hard-settlement':
      return withoutAuthorization(
        movement('committed', instruction.contraId, instruction.accountId, instruction.money),
      )
    case 'outbound-hard-settlement':
      return withoutAuthorization(
        movement('committed', instruction.accountId, instruction.contraId, instruction.money),
      )
    case 'inbound-authorisation':
    case 'outbound-authorisation': {
      if (!books.authorization(origin.clientId, instruction.clientTransactionId)) {
        return openAuthorization(instruction, origin)
      }
      const detail = `The client transaction ID ${instruction.clientTransactionId} is already in use by another authorization.`
      return { code: 'CLIENT_TRANSACTION_ID_REUSED', detail }
    }
    case 'authorisation-adjustment':
      return planOnAuthorization(
        books,
        instruction,
        origin,
        (authorization) => adjustAuthorization(authorization, instruction),
        false,
      )
    case 'settlement':
      return planOnAuthorization(
        books,
        instruction,
        origin,
        (authorization) => settleAuthorization(authorization, instruction),
        true,
      )
    case 'release':
      return planOnAuthorization(
        books,
        instruction,
        origin,
        (authorization) => releaseAuthorization(authorization, instruction.isExpiry),
        true,
      )
    case 'transfer':
      return planTransfer(instruction)
    case 'custom':
      return withoutAuthorization(instruction.legs)
    case 'reversal':
      return planReversal(books, instruction.reversesId)
  }
}

function withoutAuthorization(legs: readonly Leg[]): Planned {
  return { legs, authorization: null }
}

type AuthorizationInstruction = Extract<
  Instruction,
  { type: 'authorisation-adjustment' | 'settlement' | 'release' }
>

function planOnAuthorization(
  books: Books,
  instruction: AuthorizationInstruction,
  { clientId, now }: PostingOrigin,
  step: (authorization: Authorization) => Step | Violation,
  isPromised: boolean,
): Planned | Violation {
  const authorization = books.authorization(clientId, instruction.clientTransactionId)
  if (!authorization) {
    const detail = `The authorization ${instruction.clientTransactionId} does not exist.`
    return { code: 'AUTHORISATION_NOT_FOUND', detail }
  }
  const { state, expiresAt, accountId } = authorization
  const isExpiry = instruction.type === 'release' && instruction.isExpiry
  const hasExpired = expiresAt !== null && expiresAt <= now
  if (state === 'expired' || (hasExpired && authorization.openMinor > 0n && !isExpiry)) {
    return { code: 'AUTHORISATION_EXPIRED', detail: 'The authorization has expired.', accountId }
  }
  if (authorization.openMinor === 0n) {
    return {
      code: 'AUTHORISATION_ALREADY_CLOSED',
      detail: `The authorization is ${state}.`,
      accountId,
    }
  }
  if (
    'money' in instruction &&
    instruction.money &&
    instruction.money.currency !== authorization.currency
  ) {
    const detail = `The currency of the authorization is ${authorization.currency}.`
    return { code: 'CURRENCY_MISMATCH', detail, accountId }
  }
  const result = step(authorization)
  return 'code' in result ? result : { ...result, isPromised }
}

function planTransfer({
  debtorId,
  creditorId,
  money,
  creditorMoney,
}: Extract<Instruction, { type: 'transfer' }>): Planned | Violation {
  if (debtorId === creditorId) {
    const detail = 'The debtor and the creditor of a transfer must be different accounts.'
    return { code: 'SAME_ACCOUNT', detail, accountId: debtorId }
  }
  if (!creditorMoney || creditorMoney.currency === money.currency) {
    const isSameAmount = !creditorMoney || creditorMoney.amountMinor === money.amountMinor
    if (isSameAmount) {
      return withoutAuthorization(movement('committed', debtorId, creditorId, money))
    }
    return {
      code: 'UNBALANCED_ENTRIES',
      detail:
        'The debtor amount and the creditor amount must be equal if they are in the same currency.',
    }
  }
  const positionAccountId = (amount: Money) => internalAccountId('fx-position', amount.currency)
  return withoutAuthorization([
    ...movement('committed', debtorId, positionAccountId(money), money),
    ...movement('committed', positionAccountId(creditorMoney), creditorId, creditorMoney),
  ])
}

/**
 * Plans legs that are opposite to the booked legs of a posting. The reversal of a settlement does
 * not reopen the authorization.
 */
function planReversal(books: Books, reversesId: string): Planned | Violation {
  const posted = books.posted(reversesId)
  if (!posted || !reversibleTypes.has(posted.type)) {
    const detail = posted
      ? `A posting of the type ${posted.type} cannot be reversed.`
      : `The posting ${reversesId} does not exist.`
    return { code: 'POSTING_NOT_REVERSIBLE', detail }
  }
  if (posted.reversedBy) {
    return {
      code: 'ALREADY_REVERSED',
      detail: `The posting was already reversed by ${posted.reversedBy}.`,
    }
  }
  const legs = posted.legs
    .filter(({ phase }) => phase === 'committed')
    .map((leg) => ({ ...leg, side: leg.side === 'debit' ? 'credit' : 'debit' }) as const)
  return withoutAuthorization(legs)
}
