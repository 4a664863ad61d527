import { ContactChannel, PartyKind } from './enumerations.ts'
import {
  boolean,
  date,
  id,
  input,
  label,
  list,
  object,
  oneOf,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ContactPointInput = input(
  'ContactPointInput',
  'An address at which a party can be contacted on one channel.',
  {
    channel: oneOf(ContactChannel, 'The channel to which the address belongs.'),
    address: text(
      'The address, depending on the channel: an email address, a phone number in E.164 format, ' +
        'a device token (at most 512 visible ASCII characters), or the ID of an inbox.',
    ),
    verified: boolean(
      'Whether the party has proven that it receives messages at the address. Defaults to false.',
    )
      .orNull()
      .defaultsTo(false),
  },
)
export type ContactPointInput = TypeOf<typeof ContactPointInput>

export const CreatePartyInput = input('CreatePartyInput', 'The party to create.', {
  partyId: id(
    'The ID of the new party; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing party.',
  ).orNull(),
  kind: oneOf(PartyKind, 'Whether the party is a person or an organization.'),
  givenName: label(
    'The given name of a person. A person needs a given name or a family name. Not allowed for ' +
      'an organization.',
  ).orNull(),
  familyName: label('The family name of a person. Not allowed for an organization.').orNull(),
  organizationName: label(
    'The name of an organization. Required for an organization, not allowed for a person.',
  ).orNull(),
  dateOfBirth: date(
    'The date of birth of a person, not in the future. Not allowed for an organization.',
  ).orNull(),
  language: label(
    'The language in which the bank writes to the party, as a BCP 47 tag. Defaults to `en`.',
  ).orNull(),
  timeZone: label('The IANA time zone of the party. Defaults to `UTC`.').orNull(),
  contactPoints: list(
    object(ContactPointInput),
    'The addresses of the party, at most 50. No address may occur twice.',
  ).orNull(),
})
export type CreatePartyInput = TypeOf<typeof CreatePartyInput>

export const UpdatePartyInput = input(
  'UpdatePartyInput',
  'The changes to a party. Omitted fields keep their values.',
  {
    partyId: id('The ID of the party to change.'),
    givenName: label('The new given name of a person.').orNull(),
    familyName: label('The new family name of a person.').orNull(),
    organizationName: label('The new name of an organization.').orNull(),
    language: label(
      'The new language in which the bank writes to the party, as a BCP 47 tag.',
    ).orNull(),
    timeZone: label('The new IANA time zone of the party.').orNull(),
  },
)
export type UpdatePartyInput = TypeOf<typeof UpdatePartyInput>

export const QuietHoursInput = input(
  'QuietHoursInput',
  'The daily time window in which a party does not wish to be contacted. A window whose ' +
    'end is before its start spans midnight.',
  {
    from: label('The start of the window, as HH:MM on a 24-hour clock.'),
    to: label('The end of the window, as HH:MM on a 24-hour clock. It must differ from the start.'),
    zone: label("The IANA time zone of the window. Defaults to the party's time zone.").orNull(),
  },
)
export type QuietHoursInput = TypeOf<typeof QuietHoursInput>

export const SetConsentInput = input(
  'SetConsentInput',
  "The changes to a party's communication preferences. Omitted fields keep their values. A " +
    'list replaces the previous list.',
  {
    partyId: id('The ID of the party whose preferences change.'),
    marketingOptOut: boolean('Whether the party opts out of marketing on every channel.').orNull(),
    marketingOptOutChannels: list(
      oneOf(ContactChannel),
      'The channels on which the party opts out of marketing.',
    ).orNull(),
    suppressedChannels: list(
      oneOf(ContactChannel),
      'The channels on which nothing is sent to the party, whatever the purpose.',
    ).orNull(),
    quietHours: object(
      QuietHoursInput,
      'The new daily time window in which the party does not wish to be contacted.',
    ).orNull(),
    removeQuietHours: boolean(
      'Whether to remove the quiet hours. Cannot be combined with `quietHours`.',
    ).orNull(),
  },
)
export type SetConsentInput = TypeOf<typeof SetConsentInput>
