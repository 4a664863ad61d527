import { formatAmount, type Money } from '../../_kernel/domain/money.ts'
import { defaultAddress, type Leg, type Phase } from './balance.ts'
import type { Authorisation, InstructionTerms, Movement, Violation } from './instruction.ts'

/** What a step of a chain does: the movements, and the authorisation as it is after them. */
export interface Step {
  legs: Leg[]
  authorisation: Authorisation
}

export interface Made {
  postingInstructionId: string
  clientId: string
  /** The party a delegated user is; null when the bank acts. */
  actingFor: string | null
  now: Date
}

type Opening = Extract<Movement, { type: 'inbound-authorisation' | 'outbound-authorisation' }>
type Settling = Extract<Movement, { type: 'settlement' }> & InstructionTerms
type Adjusting = Extract<Movement, { type: 'authorisation-adjustment' }>

/** Promises an amount: nothing is booked, but money that is to leave is no longer available. */
export function openAuthorisation(asked: Opening, made: Made): Step {
  const { accountId, contraId, money, clientTransactionId, expiresAt } = asked
  const authorisation: Authorisation = {
    clientId: made.clientId,
    clientTransactionId,
    accountId,
    contraId,
    direction: asked.type === 'inbound-authorisation' ? 'in' : 'out',
    currency: money.currency,
    authorisedMinor: money.amountMinor,
    settledMinor: 0n,
    releasedMinor: 0n,
    openMinor: money.amountMinor,
    exceededMinor: 0n,
    state: 'open',
    expiresAt,
    openedAt: made.now,
    openedBy: made.postingInstructionId,
    stamp: null,
  }
  return { legs: pendingLegs(authorisation, money.amountMinor), authorisation }
}

/** Raises or lowers what is promised. Refuses with INVALID_AMOUNT to lower it by all of it or more. */
export function adjustAuthorisation(before: Authorisation, asked: Adjusting): Step | Violation {
  const { amountMinor } = asked.money
  const openMinor = before.openMinor + amountMinor
  if (openMinor <= 0n) {
    const open = formatAmount(before.openMinor, before.currency)
    return { code: 'INVALID_AMOUNT', detail: `${open} is open; release it instead.` }
  }
  const authorisedMinor = before.authorisedMinor + amountMinor
  return {
    legs: pendingLegs(before, amountMinor),
    authorisation: { ...before, authorisedMinor, openMinor },
  }
}

/**
 * Books all or part of what was promised; when it is final, or all of it, the chain is closed and
 * the rest is free again. Refuses with SETTLEMENT_EXCEEDS_AUTHORISATION what is beyond the promise
 * and is no advice.
 */
export function settleAuthorisation(before: Authorisation, asked: Settling): Step | Violation {
  const { openMinor, currency } = before
  const amountMinor = asked.money?.amountMinor ?? openMinor
  const consumedMinor = amountMinor < openMinor ? amountMinor : openMinor
  const exceededMinor = amountMinor - consumedMinor
  if (exceededMinor > 0n && !asked.isAdvice) {
    const detail = `${formatAmount(openMinor, currency)} is open.`
    return { code: 'SETTLEMENT_EXCEEDS_AUTHORISATION', detail, accountId: before.accountId }
  }
  const restMinor = openMinor - consumedMinor
  const isClosed = asked.isFinal || restMinor === 0n
  const freedMinor = isClosed ? openMinor : consumedMinor
  return {
    // The promise is taken back first, so that nothing is counted twice in between.
    legs: [...pendingLegs(before, -freedMinor), ...settlingLegs(before, amountMinor)],
    authorisation: {
      ...before,
      settledMinor: before.settledMinor + consumedMinor,
      exceededMinor: before.exceededMinor + exceededMinor,
      releasedMinor: before.releasedMinor + (isClosed ? restMinor : 0n),
      openMinor: isClosed ? 0n : restMinor,
      state: isClosed ? 'settled' : 'partially-settled',
    },
  }
}

/** Gives up what is still promised. */
export function releaseAuthorisation(before: Authorisation, isExpiry: boolean): Step {
  return {
    legs: pendingLegs(before, -before.openMinor),
    authorisation: {
      ...before,
      releasedMinor: before.releasedMinor + before.openMinor,
      openMinor: 0n,
      state: isExpiry ? 'expired' : 'released',
    },
  }
}

type Parties = Pick<Authorisation, 'accountId' | 'contraId' | 'direction' | 'currency'>

/** Raises what is pending by an amount, or lowers it when the amount is negative. */
function pendingLegs(parties: Parties, amountMinor: bigint): Leg[] {
  const phase = parties.direction === 'out' ? 'pending-out' : 'pending-in'
  return between(parties, phase, amountMinor)
}

function settlingLegs(parties: Parties, amountMinor: bigint): Leg[] {
  return between(parties, 'committed', amountMinor)
}

function between(parties: Parties, phase: Phase, signedMinor: bigint): Leg[] {
  const { accountId, contraId, direction, currency } = parties
  const amountMinor = signedMinor < 0n ? -signedMinor : signedMinor
  const isDebit = (direction === 'out') === signedMinor > 0n
  return movement(phase, isDebit ? accountId : contraId, isDebit ? contraId : accountId, {
    amountMinor,
    currency,
  })
}

/** Money from one account to another: the first is debited, the second credited. */
export function movement(phase: Phase, debtor: string, creditor: string, money: Money): Leg[] {
  const leg = { address: defaultAddress, phase, ...money }
  return [
    { accountId: debtor, ...leg, side: 'debit' },
    { accountId: creditor, ...leg, side: 'credit' },
  ]
}
