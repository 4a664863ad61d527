import {
  entity,
  enumeration,
  id,
  input,
  instant,
  label,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const TrustedPayeeStatus = enumeration(
  'TrustedPayeeStatus',
  'Whether payments to a trusted payee need no approval.',
  {
    active: 'Payments to the payee need no approval.',
    removed: 'The customer removed the payee. Payments need an approval again.',
  },
)
export type TrustedPayeeStatus = TypeOf<typeof TrustedPayeeStatus>

export const TrustedPayee = entity(
  'TrustedPayee',
  'trustedPayeeId',
  'A payee to whom a customer pays without approving each payment. The customer adds and removes ' +
    'trusted payees after a recent log-in with a passkey.',
  {
    trustedPayeeId: id('The ID of the trusted payee.').inEvents(),
    partyId: id('The ID of the party that trusts the payee.').inEvents(),
    status: oneOf(TrustedPayeeStatus, 'Whether the payee is trusted.').inEvents(),
    creditorIban: string(
      'The IBAN of the payee; null if the account was specified by its ID.',
    ).orNull(),
    creditorArrangementId: id(
      'The ID of the account of the payee at this bank; null for an account at another bank.',
    ).orNull(),
    name: text('The name that the customer gave the payee.'),
    removedAt: instant('When the customer removed the payee, in UTC; null if never.').orNull(),
    createdAt: instant('When the payee was added, in UTC.'),
    /** The account by which payments are compared: its ID at this bank, or its IBAN. */
    payee: stored<string>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type TrustedPayee = TypeOf<typeof TrustedPayee>

export const AddTrustedPayeeInput = input('AddTrustedPayeeInput', 'A payee to trust.', {
  trustedPayeeId: id(
    'The ID of the trusted payee, chosen by the client. Generated if omitted.',
  ).orNull(),
  creditorArrangementId: id(
    'The ID of the account at this bank. Send either `creditorArrangementId` or `creditorIban`.',
  ).orNull(),
  creditorIban: label(
    'The IBAN of the account. Send either `creditorIban` or `creditorArrangementId`.',
  ).orNull(),
  name: text('The name of the payee, at most 70 characters.'),
})
export type AddTrustedPayeeInput = TypeOf<typeof AddTrustedPayeeInput>
