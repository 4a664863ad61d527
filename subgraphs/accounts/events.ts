import { declareEvents } from '../_kernel/events.ts'
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
} from '../_kernel/event-data.ts'
import { arrangementStates, blockKinds, type ArrangementAct } from './domain/arrangement.ts'

const arrangementData = record({
  arrangementId: id,
  customerId: id,
  partyId: id,
  productId: id,
  productVersion: text,
  state: oneOf(arrangementStates),
  blockedFor: orNull(oneOf(blockKinds)),
  currency,
  overdraftLimitMinor: amountMinor,
  openedAt: instant,
})

declareEvents(
  {
    'accounts.arrangement.opened':
      'A customer has a new account; its state says whether it is active.',
    'accounts.arrangement.activated': 'A pending account was approved.',
    'accounts.arrangement.rejected': 'A pending account was not approved.',
    'accounts.arrangement.cancelled': 'A pending account was given up.',
    'accounts.arrangement.blocked': 'Money stopped moving on an account, one way or both.',
    'accounts.arrangement.unblocked': 'Money moves again on an account.',
    'accounts.arrangement.dormant': 'An account has not been used for long.',
    'accounts.arrangement.reactivated': 'A dormant account is used again.',
    'accounts.arrangement.closure-requested': 'An account is to be closed.',
    'accounts.arrangement.closure-cancelled': 'An account is not to be closed after all.',
    'accounts.arrangement.closed': 'An account ended, with nothing on it.',
  },
  arrangementData,
)

/** Amounts as decimal strings, as the graph has them. */
const balanceData = record({
  arrangementId: id,
  currency,
  committed: decimal,
  pendingIn: decimal,
  pendingOut: decimal,
  available: decimal,
})

declareEvents(
  { 'accounts.balance.changed': 'Money was moved or promised on an account; what it holds now.' },
  balanceData,
)

/** What each act is told as. */
export const factOf: Readonly<Record<ArrangementAct, string>> = {
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
