import {
  type TypeOf,
  boolean,
  date,
  entity,
  id,
  instant,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
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
    restrictedAt: instant(
      'When the processing of the data of the party was restricted to storage, in UTC (GDPR ' +
        'article 18); null if it is not restricted.',
    ).orNull(),
    createdAt: instant('When the party was created, in UTC.'),
    updatedAt: instant('When the party last changed, in UTC.'),
    /** Why the processing was restricted; null if it is not restricted. */
    restrictionReason: stored<string | null>(),
    /** When the death was recorded; null if no death is recorded. */
    deathRecordedAt: stored<Date | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Party = TypeOf<typeof Party>

/** A death or closure cannot be reversed: a mistake needs a new party. */
export const partyStates = stateMachine(Party, 'status', {
  recordDeath: {
    description:
      'Records that a person has died. From then on, new credit, drawdowns, accounts and ' +
      'transfers of the person are rejected. A case for the estate is opened.',
    scope: 'parties:write',
    from: ['active'],
    to: 'deceased',
    event: ['parties.party.deceased', 'The death of a person was recorded.'],
    args: {
      partyId: id('The ID of the person.'),
      diedOn: date('The date of death, not in the future and not before the date of birth.'),
    },
    set: ({ now }) => ({ deathRecordedAt: now }),
  },
  closeParty: {
    description:
      'Ends the relationship with a party permanently. Rejected with `RELATION_NOT_SETTLED` ' +
      'while the party has an open customer relationship, agreement, account or facility.',
    scope: 'parties:write',
    from: ['active', 'deceased'],
    to: 'closed',
    event: ['parties.party.closed', 'The relationship with a party ended.'],
  },
})

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
