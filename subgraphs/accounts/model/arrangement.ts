import {
  stored,
  type TypeOf,
  connectionOf,
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

export const AccountArrangementConnection = connectionOf(Arrangement)

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
