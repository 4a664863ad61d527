import {
  stored,
  type TypeOf,
  currency,
  entity,
  id,
  input,
  instant,
  jsonObject,
  label,
  money,
  oneOf,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { ArrangementState, BlockKind } from './enumerations.ts'

export const Arrangement = entity(
  'AccountArrangement',
  'arrangementId',
  "A customer's account under a product. It keeps the product version under which it was " +
    'opened.',
  {
    arrangementId: id('The ID of the account.'),
    customerId: id('The ID of the customer who holds the account.'),
    partyId: id("The ID of the customer's party."),
    productId: id('The ID of the product.'),
    productVersion: label(
      'The label of the product version under which the account was opened, such as `2026.10`.',
    ),
    state: oneOf(ArrangementState, 'The lifecycle state of the account.'),
    stateReason: text(
      'The reason given for the block, rejection, cancellation or closure; null if none was ' +
        'given.',
    ).orNull(),
    blockedFor: oneOf(
      BlockKind,
      'The direction in which the account is blocked; null if it is not blocked.',
    ).orNull(),
    openedAt: instant('When the account was opened, in UTC.'),
    closedAt: instant('When the account was closed, in UTC; null before that.').orNull(),
    currency: currency('The currency of the account.'),
    accountNumber: string('The IBAN of the account.'),
    nickname: label("The customer's name for the account; null if none was given.").orNull(),
    parameters: jsonObject(
      "The values of the product's parameters, by name: the values chosen when the account was " +
        'opened, and the defaults of the other parameters.',
    ).as<Record<string, string | boolean>>(),
    createdAt: instant('When the record was created, in UTC.'),
    updatedAt: instant('When the record last changed, in UTC.'),
    overdraftLimitMinor: stored<bigint>(),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Arrangement = TypeOf<typeof Arrangement>

/** The argument that identifies an account. */
export const arrangementId = id('The ID of the account.')

/** The states of an account. Four transitions lead to `active`, each from a different state. */
export const arrangementStates = stateMachine(Arrangement, 'state', {
  activateAccountArrangement: {
    description: 'Approves a pending account. Not available to delegated users.',
    scope: 'accounts:write',
    from: ['pending'],
    to: 'active',
    event: ['accounts.arrangement.activated', 'A pending account was approved.'],
    args: { arrangementId },
  },
  rejectAccountArrangement: {
    description: 'Rejects a pending account. Not available to delegated users.',
    scope: 'accounts:write',
    from: ['pending'],
    to: 'rejected',
    event: ['accounts.arrangement.rejected', 'A pending account was rejected.'],
    args: {
      arrangementId,
      stateReason: text('The reason for the rejection.').orNull().named('reason'),
    },
  },
  cancelAccountArrangement: {
    description: 'Cancels a pending account.',
    scope: 'accounts:write',
    from: ['pending'],
    to: 'cancelled',
    event: ['accounts.arrangement.cancelled', 'A pending account was canceled.'],
    args: {
      arrangementId,
      stateReason: text('The reason for the cancellation.').orNull().named('reason'),
    },
    isForDelegatedUsers: true,
  },
  blockAccountArrangement: {
    description:
      'Blocks an active account for debits, credits or both. Not available to delegated users.',
    scope: 'accounts:write',
    from: ['active'],
    to: 'blocked',
    event: ['accounts.arrangement.blocked', 'An account was blocked for debits, credits or both.'],
    args: {
      arrangementId,
      blockedFor: oneOf(BlockKind, 'The direction in which to block the account.').named('kind'),
      stateReason: text('The reason for the block.').orNull().named('reason'),
    },
  },
  unblockAccountArrangement: {
    description: 'Unblocks a blocked account. Not available to delegated users.',
    scope: 'accounts:write',
    from: ['blocked'],
    to: 'active',
    event: ['accounts.arrangement.unblocked', 'An account was unblocked.'],
    args: { arrangementId },
    set: () => ({ stateReason: null, blockedFor: null }),
  },
  markAccountArrangementDormant: {
    description:
      'Marks an active account as dormant because it has not been used for a long time. Not ' +
      'available to delegated users.',
    scope: 'accounts:write',
    from: ['active'],
    to: 'dormant',
    event: ['accounts.arrangement.dormant', 'An account was marked as dormant.'],
    args: { arrangementId },
  },
  reactivateAccountArrangement: {
    description: 'Reactivates a dormant account. Not available to delegated users.',
    scope: 'accounts:write',
    from: ['dormant'],
    to: 'active',
    event: ['accounts.arrangement.reactivated', 'A dormant account was reactivated.'],
    args: { arrangementId },
  },
  requestAccountArrangementClosure: {
    description:
      'Requests the closure of an active or dormant account. Delegated users cannot request it ' +
      'for a dormant account.',
    scope: 'accounts:write',
    from: ['active', 'dormant'],
    to: 'pending-closure',
    event: ['accounts.arrangement.closure-requested', 'The closure of an account was requested.'],
    args: {
      arrangementId,
      stateReason: text('The reason for the closure.').orNull().named('reason'),
    },
    isForDelegatedUsers: true,
  },
  cancelAccountArrangementClosure: {
    description: 'Withdraws a closure request; the account becomes active.',
    scope: 'accounts:write',
    from: ['pending-closure'],
    to: 'active',
    event: [
      'accounts.arrangement.closure-cancelled',
      'The request to close an account was withdrawn.',
    ],
    args: { arrangementId },
    set: () => ({ stateReason: null }),
    isForDelegatedUsers: true,
  },
  closeAccountArrangement: {
    description:
      'Closes an account whose closure was requested. The account must have no balance, no open ' +
      'authorizations, no outstanding fees and no interest that is accrued and not paid, and must ' +
      'not be the settlement account of an open facility. Not available to delegated users.',
    scope: 'accounts:write',
    from: ['pending-closure'],
    to: 'closed',
    event: ['accounts.arrangement.closed', 'An account was closed.'],
    args: { arrangementId },
    set: ({ now }) => ({ closedAt: now }),
  },
})

export const OpenAccountArrangementInput = input(
  'OpenAccountArrangementInput',
  'An account to open.',
  {
    arrangementId: id(
      'The ID of the new account; generated if omitted. A repeated request with the same ID and ' +
        'content returns the existing account.',
    ).orNull(),
    customerId: id('The ID of the customer, who must be active and have passed KYC.'),
    productId: id('The ID of the product.'),
    state: label(
      'The initial state, in any letter case: `pending` or `active`, which is the default.',
    ).orNull(),
    openedAt: instant(
      'When the account is opened. Defaults to now. A past time, at most 30 days back, requires ' +
        'the scope `accounts:backdate`.',
    ).orNull(),
    productVersion: label(
      'The label of the product version. Defaults to the active version.',
    ).orNull(),
    currency: currency(
      'The currency of the account. Defaults to the first currency of the product.',
    ).orNull(),
    nickname: label("The customer's name for the account.").orNull(),
    overdraftLimit: money(
      'The overdraft limit. If omitted, the account has no overdraft. Not available to delegated ' +
        'users.',
    ).orNull(),
    parameters: jsonObject(
      "The values of the product's parameters, by name. Numbers can be sent as decimal strings. " +
        'Omitted parameters take their default values.',
    )
      .as<Record<string, unknown>>()
      .orNull(),
  },
)
export type OpenAccountArrangementInput = TypeOf<typeof OpenAccountArrangementInput>
