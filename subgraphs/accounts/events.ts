import { formatAmount } from '../../kernel/domain/money.ts'
import { ArrangementState, BlockKind, OverdraftState } from './model/enumerations.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import {
  amountMinor,
  currency,
  date,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
  type Static,
} from '../../kernel/events/event-data.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { Arrangement, arrangementStates } from './model/arrangement.ts'
import { Overdraft, overdraftStates } from './model/overdraft.ts'

const arrangementData = record({
  arrangementId: id,
  customerId: id,
  partyId: id,
  productId: id,
  productVersion: text,
  state: oneOf(ArrangementState.values),
  blockedFor: orNull(oneOf(BlockKind.values)),
  currency,
  overdraftLimitMinor: amountMinor,
  openedAt: instant,
})

const arrangementEvents = declareEvents(
  {
    'accounts.arrangement.opened': 'An account was opened. Its state shows whether it is active.',
    ...eventsOf(arrangementStates),
    'accounts.arrangement.overdraft-limit-changed':
      'The overdraft limit of an account changed, because an overdraft began or ended.',
  },
  arrangementData,
)
declareSubject('arrangement', Arrangement)
export type ArrangementEvent = keyof typeof arrangementEvents

/**
 * Returns the data of an account for its events and, together with the lifecycle, for its published
 * fact.
 */
export function arrangementSnapshot(arrangement: Arrangement) {
  return {
    arrangementId: arrangement.arrangementId,
    customerId: arrangement.customerId,
    partyId: arrangement.partyId,
    productId: arrangement.productId,
    productVersion: arrangement.productVersion,
    state: arrangement.state,
    blockedFor: arrangement.blockedFor,
    currency: arrangement.currency,
    overdraftLimitMinor: arrangement.overdraftLimitMinor.toString(),
    openedAt: arrangement.openedAt,
  }
}

const overdraftData = record({
  overdraftId: id,
  arrangementId: id,
  limit: decimal,
  interestFreeAmount: decimal,
  currency,
  annualRatePct: decimal,
  unarrangedRatePct: decimal,
  validFrom: date,
  validTo: orNull(date),
  state: oneOf(OverdraftState.values),
})

const overdraftEvents = declareEvents(
  {
    'accounts.overdraft.proposed': 'An overdraft was proposed for an account.',
    ...eventsOf(overdraftStates),
  },
  overdraftData,
)
declareSubject('overdraft', Overdraft)
export type OverdraftEvent = keyof typeof overdraftEvents

/** Returns the data of an overdraft for its events. */
export function overdraftSnapshot(overdraft: Overdraft): Static<typeof overdraftData> {
  const { currency: code } = overdraft
  return {
    overdraftId: overdraft.overdraftId,
    arrangementId: overdraft.arrangementId,
    limit: formatAmount(overdraft.limitMinor, code),
    interestFreeAmount: formatAmount(overdraft.interestFreeMinor, code),
    currency: code,
    annualRatePct: overdraft.annualRatePct,
    unarrangedRatePct: overdraft.unarrangedRatePct,
    validFrom: overdraft.validFrom,
    validTo: overdraft.validTo,
    state: overdraft.state,
  }
}

/** The data of a balance event. Amounts are decimal strings, as in GraphQL. */
const balanceData = record({
  arrangementId: id,
  currency,
  committed: decimal,
  pendingIn: decimal,
  pendingOut: decimal,
  available: decimal,
})

declareEvents(
  {
    'accounts.balance.changed':
      'The balance of an account changed. The event has the current amounts.',
  },
  balanceData,
)
declareSubject('balance', Arrangement)
