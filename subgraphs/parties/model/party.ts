import {
  type TypeOf,
  boolean,
  connectionOf,
  date,
  entity,
  id,
  instant,
  list,
  object,
  oneOf,
  shape,
  string,
} from '../../../kernel/domain/model.ts'
import { ContactChannel, PartyKind, PartyStatus } from './enumerations.ts'

export const ContactPoint = shape(
  'ContactPoint',
  'An address at which a party can be contacted on one channel.',
  {
    channel: oneOf(ContactChannel, 'The channel to which the address belongs.'),
    address: string(
      'The address, depending on the channel: an email address, a phone number in E.164 format, ' +
        'a device token, or the ID of an inbox.',
    ),
    verified: boolean('Whether the party has proven that it receives messages at the address.'),
  },
)
export type ContactPoint = TypeOf<typeof ContactPoint>

export const QuietHours = shape(
  'QuietHours',
  'The daily time window in which a party does not wish to be contacted. A window whose ' +
    'end is before its start spans midnight.',
  {
    from: string('The start of the window, as HH:MM on a 24-hour clock.'),
    to: string('The end of the window, as HH:MM on a 24-hour clock.'),
    zone: string('The IANA time zone of the window, such as `Europe/Amsterdam`.'),
  },
)
export type QuietHours = TypeOf<typeof QuietHours>

export const Party = entity(
  'Party',
  'partyId',
  'A person or an organization that the bank knows.',
  {
    partyId: id('The ID of the party.'),
    kind: oneOf(PartyKind, 'Whether the party is a person or an organization.'),
    status: oneOf(PartyStatus, 'The current lifecycle state of the party.'),
    givenName: string(
      'The given name of a person; null for an organization, and if it is unknown.',
    ).orNull(),
    familyName: string(
      'The family name of a person; null for an organization, and if it is unknown.',
    ).orNull(),
    organizationName: string('The name of an organization; null for a person.').orNull(),
    dateOfBirth: date(
      'The date of birth of a person; null for an organization, and if it is unknown.',
    ).orNull(),
    diedOn: date('The date of death of a person; null unless a death was recorded.').orNull(),
    language: string('The language in which the bank writes to the party, as a BCP 47 tag.'),
    timeZone: string('The IANA time zone of the party, such as `Europe/Amsterdam`.'),
    contactPoints: list(
      object(ContactPoint),
      'The addresses of the party, in the order in which they were added.',
    ),
    marketingOptOut: boolean('Whether the party has opted out of marketing on every channel.'),
    marketingOptOutChannels: list(
      oneOf(ContactChannel),
      'The channels on which the party has opted out of marketing.',
    ),
    suppressedChannels: list(
      oneOf(ContactChannel),
      'The channels on which nothing is sent to the party, whatever the purpose.',
    ),
    quietHours: object(
      QuietHours,
      'The daily time window in which the party does not wish to be contacted; null if there is ' +
        'none.',
    ).orNull(),
    createdAt: instant('When the party was created, in UTC.'),
    updatedAt: instant('When the party last changed, in UTC.'),
  },
)

export const PartyConnection = connectionOf(Party)

export const PartyContact = shape(
  'PartyContact',
  'The name of a party and its preferred address on each channel.',
  {
    partyId: id('The ID of the party.'),
    status: oneOf(PartyStatus, 'The lifecycle state of the party.'),
    displayName: string('The full name of the person or the name of the organization.'),
    language: string('The language in which the bank writes to the party, as a BCP 47 tag.'),
    timeZone: string('The IANA time zone of the party, such as `Europe/Amsterdam`.'),
    contactPoints: list(
      object(ContactPoint),
      'One address per channel: the first verified address, or the first address if none is ' +
        'verified. An active party always has a secure-message inbox.',
    ),
  },
)
export type PartyContact = TypeOf<typeof PartyContact>
