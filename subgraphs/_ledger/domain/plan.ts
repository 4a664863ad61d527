import type { Money } from '../../_kernel/domain/money.ts'
import { internalAccountId } from './account.ts'
import {
  adjustAuthorisation,
  movement,
  openAuthorisation,
  releaseAuthorisation,
  settleAuthorisation,
  type Made,
  type Step,
} from './authorisation.ts'
import type { Leg } from './balance.ts'
import type { Books } from './books.ts'
import type { Authorisation, Instruction, Violation } from './instruction.ts'

/** The movements of an instruction, before anybody looked whether the accounts allow them. */
export interface Planned {
  legs: readonly Leg[]
  authorisation: Authorisation | null
  /** What was promised before is honoured on a blocked account. */
  isPromised?: boolean
}

/** What may be taken back; what is pending is released instead. */
const reversible = new Set([
  'inbound-hard-settlement',
  'outbound-hard-settlement',
  'settlement',
  'transfer',
  'custom',
])

/** Works out the movements, or why there are none. */
export function plan(books: Books, asked: Instruction, made: Made): Planned | Violation {
  switch (asked.type) {
    case 'inbound-hard-settlement':
      return unchained(movement('committed', asked.contraId, asked.accountId, asked.money))
    case 'outbound-hard-settlement':
      return unchained(movement('committed', asked.accountId, asked.contraId, asked.money))
    case 'inbound-authorisation':
    case 'outbound-authorisation': {
      if (!books.authorisation(made.clientId, asked.clientTransactionId)) {
        return openAuthorisation(asked, made)
      }
      const detail = `${asked.clientTransactionId} names another authorisation.`
      return { code: 'CLIENT_TRANSACTION_ID_REUSED', detail }
    }
    case 'authorisation-adjustment':
      return onChain(books, asked, made, (chain) => adjustAuthorisation(chain, asked), false)
    case 'settlement':
      return onChain(books, asked, made, (chain) => settleAuthorisation(chain, asked), true)
    case 'release':
      return onChain(
        books,
        asked,
        made,
        (chain) => releaseAuthorisation(chain, asked.isExpiry),
        true,
      )
    case 'transfer':
      return transfer(asked)
    case 'custom':
      return unchained(asked.legs)
    case 'reversal':
      return reversal(books, asked.reversesId)
  }
}

function unchained(legs: readonly Leg[]): Planned {
  return { legs, authorisation: null }
}

type Chained = Extract<Instruction, { type: 'authorisation-adjustment' | 'settlement' | 'release' }>

function onChain(
  books: Books,
  asked: Chained,
  { clientId, now }: Made,
  step: (chain: Authorisation) => Step | Violation,
  isPromised: boolean,
): Planned | Violation {
  const chain = books.authorisation(clientId, asked.clientTransactionId)
  if (!chain) {
    const detail = `No authorisation is called ${asked.clientTransactionId}.`
    return { code: 'AUTHORISATION_NOT_FOUND', detail }
  }
  const { state, expiresAt, accountId } = chain
  const isExpiry = asked.type === 'release' && asked.isExpiry
  const isOver = expiresAt !== null && expiresAt <= now
  if (state === 'expired' || (isOver && chain.openMinor > 0n && !isExpiry)) {
    return { code: 'AUTHORISATION_EXPIRED', detail: 'Its time is over.', accountId }
  }
  if (chain.openMinor === 0n) {
    return { code: 'AUTHORISATION_ALREADY_CLOSED', detail: `It is ${state}.`, accountId }
  }
  if ('money' in asked && asked.money && asked.money.currency !== chain.currency) {
    const detail = `The authorisation is in ${chain.currency}.`
    return { code: 'CURRENCY_MISMATCH', detail, accountId }
  }
  const done = step(chain)
  return 'code' in done ? done : { ...done, isPromised }
}

function transfer({
  debtorId,
  creditorId,
  money,
  creditorMoney,
}: Extract<Instruction, { type: 'transfer' }>): Planned | Violation {
  if (debtorId === creditorId) {
    const detail = 'Money is transferred between two accounts.'
    return { code: 'SAME_ACCOUNT', detail, accountId: debtorId }
  }
  if (!creditorMoney || creditorMoney.currency === money.currency) {
    const isSame = !creditorMoney || creditorMoney.amountMinor === money.amountMinor
    if (isSame) return unchained(movement('committed', debtorId, creditorId, money))
    return { code: 'UNBALANCED_ENTRIES', detail: 'Both amounts are in one currency and differ.' }
  }
  const position = (given: Money) => internalAccountId('fx-position', given.currency)
  return unchained([
    ...movement('committed', debtorId, position(money), money),
    ...movement('committed', position(creditorMoney), creditorId, creditorMoney),
  ])
}

/** The same movements the other way round. A settled chain stays settled: what was promised is over. */
function reversal(books: Books, reversesId: string): Planned | Violation {
  const posted = books.posted(reversesId)
  if (!posted || !reversible.has(posted.type)) {
    const detail = posted ? `A ${posted.type} is not taken back.` : `No posting is ${reversesId}.`
    return { code: 'POSTING_NOT_REVERSIBLE', detail }
  }
  if (posted.reversedBy) {
    return { code: 'ALREADY_REVERSED', detail: `${posted.reversedBy} took it back.` }
  }
  const legs = posted.legs
    .filter(({ phase }) => phase === 'committed')
    .map((leg) => ({ ...leg, side: leg.side === 'debit' ? 'credit' : 'debit' }) as const)
  return unchained(legs)
}
