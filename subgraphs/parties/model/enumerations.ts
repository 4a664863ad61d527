import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const AgreementStatus = enumeration(
  'AgreementStatus',
  'The lifecycle state of an agreement.',
  {
    draft: 'The agreement is being prepared and has not been sent to the party.',
    'pending-signature': 'The agreement was sent to the party and waits for the signature.',
    active: 'The agreement is signed and in force.',
    suspended: 'The agreement is on hold and can be resumed.',
    terminated: 'The agreement was ended before its last day. This state is final.',
    expired: 'The last day of the agreement has passed. This state is final.',
    cancelled: 'The agreement was withdrawn before it was signed. This state is final.',
  },
)
export type AgreementStatus = TypeOf<typeof AgreementStatus>

export const PartyKind = enumeration(
  'PartyKind',
  'Whether a party is a person or an organization.',
  {
    person: 'A natural person.',
    organisation: 'A legal entity or another organization.',
  },
)
export type PartyKind = TypeOf<typeof PartyKind>

export const PartyStatus = enumeration('PartyStatus', 'The lifecycle state of a party.', {
  active: 'The bank may do new business with the party.',
  deceased:
    'The person has died. New credit, drawdowns, accounts and transfers of the person are ' +
    'rejected.',
  closed: 'The relationship with the party has ended. This state is final.',
})
export type PartyStatus = TypeOf<typeof PartyStatus>

export const ContactChannel = enumeration(
  'ContactChannel',
  'A channel through which the bank contacts a party.',
  {
    email: 'Email to an email address.',
    sms: 'Text message to a phone number.',
    push: 'Push notification to a device.',
    'secure-message': "Message to the party's inbox at the bank.",
  },
)
export type ContactChannel = TypeOf<typeof ContactChannel>

export const CustomerStatus = enumeration(
  'CustomerStatus',
  'The lifecycle state of a customer, which determines whether the customer can do new business.',
  {
    prospect: 'The party has applied to become a customer and cannot do business yet.',
    active: 'The customer can do new business.',
    suspended: 'The customer cannot do new business until reactivated.',
    closed: 'The customer relationship has ended. This state is final.',
  },
)
export type CustomerStatus = TypeOf<typeof CustomerStatus>

export const KycState = enumeration(
  'KycState',
  "The state of a customer's identity check (know your customer).",
  {
    'not-started': 'No identity check has been started.',
    'in-progress': 'An identity check is under way.',
    passed: 'The customer passed the identity check.',
    failed: 'The customer failed the identity check. A new check can be started.',
    expired: 'The identity check is no longer valid. A new check can be started.',
  },
)
export type KycState = TypeOf<typeof KycState>

export const EntitlementStatus = enumeration('EntitlementStatus', 'The state of an entitlement.', {
  active: 'The entitlement has not been revoked. It applies until the end of its last day.',
  revoked:
    'The entitlement was revoked by the grantor, the grantee or the bank. This state is ' +
    'final.',
})
export type EntitlementStatus = TypeOf<typeof EntitlementStatus>
