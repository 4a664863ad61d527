import { formatAmount, type Money } from '../../kernel/domain/money.ts'
import { defaultAddress, type Leg, type Phase } from './balance.ts'
import type { Authorization, InstructionTerms, Movement, Violation } from './instruction.ts'

/** One step in the life cycle of an authorization: its legs, and the authorization after them. */
export interface Step {
  legs: Leg[]
  authorization: Authorization
}

export interface PostingOrigin {
  postingInstructionId: string
  clientId: string
  /** The party for which the client acts; null if the client acts for the bank. */
  actingFor: string | null
  now: Date
}

type OpeningInstruction = Extract<
  Movement,
  { type: 'inbound-authorisation' | 'outbound-authorisation' }
>
type SettlingInstruction = Extract<Movement, { type: 'settlement' }> & InstructionTerms
type AdjustingInstruction = Extract<Movement, { type: 'authorisation-adjustment' }>

/**
 * Opens an authorization. Nothing is booked, but an outgoing amount lowers the available balance.
 */
export function openAuthorization(instruction: OpeningInstruction, origin: PostingOrigin): Step {
  const { accountId, contraId, money, clientTransactionId, expiresAt } = instruction
  const authorization: Authorization = {
    clientId: origin.clientId,
    clientTransactionId,
    accountId,
    contraId,
    direction: instruction.type === 'inbound-authorisation' ? 'in' : 'out',
    currency: money.currency,
    authorizedMinor: money.amountMinor,
    settledMinor: 0n,
    releasedMinor: 0n,
    openMinor: money.amountMinor,
    exceededMinor: 0n,
    state: 'open',
    expiresAt,
    openedAt: origin.now,
    openedBy: origin.postingInstructionId,
    stamp: null,
  }
  return { legs: pendingLegs(authorization, money.amountMinor), authorization }
}

/**
 * Raises or lowers the open amount. Returns the violation INVALID_AMOUNT if the new open amount
 * would not be positive.
 */
export function adjustAuthorization(
  before: Authorization,
  instruction: AdjustingInstruction,
): Step | Violation {
  const { amountMinor } = instruction.money
  const openMinor = before.openMinor + amountMinor
  if (openMinor <= 0n) {
    const open = formatAmount(before.openMinor, before.currency)
    return {
      code: 'INVALID_AMOUNT',
      detail: `The open amount is ${open}. Release the authorization instead.`,
    }
  }
  const authorizedMinor = before.authorizedMinor + amountMinor
  return {
    legs: pendingLegs(before, amountMinor),
    authorization: { ...before, authorizedMinor, openMinor },
  }
}

/**
 * Books all or part of the open amount. A final settlement, or one of the entire open amount,
 * closes the authorization and releases the rest. Returns the violation
 * SETTLEMENT_EXCEEDS_AUTHORISATION if the settlement exceeds the open amount and is not an advice.
 */
export function settleAuthorization(
  before: Authorization,
  instruction: SettlingInstruction,
): Step | Violation {
  const { openMinor, currency } = before
  const amountMinor = instruction.money?.amountMinor ?? openMinor
  const consumedMinor = amountMinor < openMinor ? amountMinor : openMinor
  const exceededMinor = amountMinor - consumedMinor
  if (exceededMinor > 0n && !instruction.isAdvice) {
    const detail = `The open amount of the authorization is ${formatAmount(openMinor, currency)} ${currency}.`
    return { code: 'SETTLEMENT_EXCEEDS_AUTHORISATION', detail, accountId: before.accountId }
  }
  const restMinor = openMinor - consumedMinor
  const isClosed = instruction.isFinal || restMinor === 0n
  const freedMinor = isClosed ? openMinor : consumedMinor
  return {
    // The pending amount is released first, so that it is not counted twice in the running
    // balances.
    legs: [...pendingLegs(before, -freedMinor), ...committedLegs(before, amountMinor)],
    authorization: {
      ...before,
      settledMinor: before.settledMinor + consumedMinor,
      exceededMinor: before.exceededMinor + exceededMinor,
      releasedMinor: before.releasedMinor + (isClosed ? restMinor : 0n),
      openMinor: isClosed ? 0n : restMinor,
      state: isClosed ? 'settled' : 'partially-settled',
    },
  }
}

/** Releases the entire open amount. */
export function releaseAuthorization(before: Authorization, isExpiry: boolean): Step {
  return {
    legs: pendingLegs(before, -before.openMinor),
    authorization: {
      ...before,
      releasedMinor: before.releasedMinor + before.openMinor,
      openMinor: 0n,
      state: isExpiry ? 'expired' : 'released',
    },
  }
}

type AuthorizationAccounts = Pick<
  Authorization,
  'accountId' | 'contraId' | 'direction' | 'currency'
>

/** Returns the legs that raise the pending amount, or lower it if `amountMinor` is negative. */
function pendingLegs(accounts: AuthorizationAccounts, amountMinor: bigint): Leg[] {
  const phase = accounts.direction === 'out' ? 'pending-out' : 'pending-in'
  return signedMovement(accounts, phase, amountMinor)
}

function committedLegs(accounts: AuthorizationAccounts, amountMinor: bigint): Leg[] {
  return signedMovement(accounts, 'committed', amountMinor)
}

function signedMovement(accounts: AuthorizationAccounts, phase: Phase, signedMinor: bigint): Leg[] {
  const { accountId, contraId, direction, currency } = accounts
  const amountMinor = signedMinor < 0n ? -signedMinor : signedMinor
  const isDebit = (direction === 'out') === signedMinor > 0n
  return movement(phase, isDebit ? accountId : contraId, isDebit ? contraId : accountId, {
    amountMinor,
    currency,
  })
}

/** Returns the legs that move money: a debit of the debtor and a credit of the creditor. */
export function movement(phase: Phase, debtor: string, creditor: string, money: Money): Leg[] {
  const leg = { address: defaultAddress, phase, ...money }
  return [
    { accountId: debtor, ...leg, side: 'debit' },
    { accountId: creditor, ...leg, side: 'credit' },
  ]
}
