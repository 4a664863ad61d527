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
import { type ArrangementAction } from './domain/arrangement.ts'

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

declareEvents(
  {
    'accounts.arrangement.opened': 'An account was opened. Its state shows whether it is active.',
    'accounts.arrangement.activated': 'A pending account was approved.',
    'accounts.arrangement.rejected': 'A pending account was rejected.',
    'accounts.arrangement.cancelled': 'A pending account was canceled.',
    'accounts.arrangement.blocked': 'An account was blocked for debits, credits or both.',
    'accounts.arrangement.unblocked': 'An account was unblocked.',
    'accounts.arrangement.dormant': 'An account was marked as dormant.',
    'accounts.arrangement.reactivated': 'A dormant account was reactivated.',
    'accounts.arrangement.closure-requested': 'The closure of an account was requested.',
    'accounts.arrangement.closure-cancelled': 'The request to close an account was withdrawn.',
    'accounts.arrangement.closed': 'An account was closed.',
  },
  arrangementData,
)

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

/** The last part of the event type that each operation emits. */
export const eventNameByAction: Readonly<Record<ArrangementAction, string>> = {
  activate: 'activated',
  reject: 'rejected',
  cancel: 'cancelled',
  block: 'blocked',
  unblock: 'unblocked',
  markDormant: 'dormant',
  reactivate: 'reactivated',
  requestClosure: 'closure-requested',
  cancelClosure: 'closure-cancelled',
  close: 'closed',
}
