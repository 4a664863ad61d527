import { ArrangementState, BlockKind } from './model/enumerations.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import {
  amountMinor,
  currency,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
} from '../../kernel/events/event-data.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { Arrangement, arrangementStates } from './model/arrangement.ts'

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
