import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import {
  contactChannels,
  type ContactChannel,
  type ContactPoint as DomainContactPoint,
  type QuietHours as DomainQuietHours,
} from '../domain/contact.ts'
import { partyKinds, type PartyKind } from '../domain/party-name.ts'
import { partyStatuses, type PartyStatus } from '../domain/party.ts'

export const PartyKindEnum = wireEnum(
  'PartyKind',
  partyKinds,
  'Whether a party is a person or an organization.',
  {
    person: 'A natural person.',
    organisation: 'A legal entity or another organization.',
  },
)
const PartyStatusEnum = wireEnum('PartyStatus', partyStatuses, 'The lifecycle state of a party.', {
  active: 'The bank may do new business with the party.',
  deceased:
    'The person has died. New credit, drawdowns, accounts and transfers of the person are ' +
    'rejected.',
  closed: 'The relationship with the party has ended. This state is final.',
})
export const ContactChannelEnum = wireEnum(
  'ContactChannel',
  contactChannels,
  'A channel through which the bank contacts a party.',
  {
    email: 'Email to an email address.',
    sms: 'Text message to a phone number.',
    push: 'Push notification to a device.',
    'secure-message': "Message to the party's inbox at the bank.",
  },
)

@ObjectType({ description: 'An address at which a party can be contacted on one channel.' })
export class ContactPoint implements DomainContactPoint {
  @Field(() => ContactChannelEnum, { description: 'The channel to which the address belongs.' })
  channel: ContactChannel

  @Field(() => String, {
    description:
      'The address, depending on the channel: an email address, a phone number in E.164 format, ' +
      'a device token, or the ID of an inbox.',
  })
  address: string

  @Field(() => Boolean, {
    description: 'Whether the party has proven that it receives messages at the address.',
  })
  verified: boolean
}

@ObjectType({
  description:
    'The daily time window in which a party does not wish to be contacted. A window whose ' +
    'end is before its start spans midnight.',
})
export class QuietHours implements DomainQuietHours {
  @Field(() => String, { description: 'The start of the window, as HH:MM on a 24-hour clock.' })
  from: string

  @Field(() => String, { description: 'The end of the window, as HH:MM on a 24-hour clock.' })
  to: string

  @Field(() => String, {
    description: 'The IANA time zone of the window, such as `Europe/Amsterdam`.',
  })
  zone: string
}

@ObjectType({ description: 'A person or an organization that the bank knows.' })
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID, { description: 'The ID of the party.' })
  partyId: string

  @Field(() => PartyKindEnum, { description: 'Whether the party is a person or an organization.' })
  kind: PartyKind

  @Field(() => PartyStatusEnum, { description: 'The current lifecycle state of the party.' })
  status: PartyStatus

  @Field(() => String, {
    nullable: true,
    description: 'The given name of a person; null for an organization, and if it is unknown.',
  })
  givenName: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The family name of a person; null for an organization, and if it is unknown.',
  })
  familyName: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The name of an organization; null for a person.',
  })
  organizationName: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The date of birth of a person; null for an organization, and if it is unknown.',
  })
  dateOfBirth: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The date of death of a person; null unless a death was recorded.',
  })
  diedOn: string | null

  @Field(() => String, {
    description: 'The language in which the bank writes to the party, as a BCP 47 tag.',
  })
  language: string

  @Field(() => String, {
    description: 'The IANA time zone of the party, such as `Europe/Amsterdam`.',
  })
  timeZone: string

  @Field(() => [ContactPoint], {
    description: 'The addresses of the party, in the order in which they were added.',
  })
  contactPoints: DomainContactPoint[]

  @Field(() => Boolean, {
    description: 'Whether the party has opted out of marketing on every channel.',
  })
  marketingOptOut: boolean

  @Field(() => [ContactChannelEnum], {
    description: 'The channels on which the party has opted out of marketing.',
  })
  marketingOptOutChannels: ContactChannel[]

  @Field(() => [ContactChannelEnum], {
    description: 'The channels on which nothing is sent to the party, whatever the purpose.',
  })
  suppressedChannels: ContactChannel[]

  @Field(() => QuietHours, {
    nullable: true,
    description:
      'The daily time window in which the party does not wish to be contacted; null if there is ' +
      'none.',
  })
  quietHours: DomainQuietHours | null

  @Field(() => DateTimeScalar, { description: 'When the party was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the party last changed, in UTC.' })
  updatedAt: Date
}

export const PartyConnection = connectionOf('Party', () => Party)

@ObjectType({ description: 'The name of a party and its preferred address on each channel.' })
export class PartyContact {
  @Field(() => ID, { description: 'The ID of the party.' })
  partyId: string

  @Field(() => PartyStatusEnum, { description: 'The lifecycle state of the party.' })
  status: PartyStatus

  @Field(() => String, {
    description: 'The full name of the person or the name of the organization.',
  })
  displayName: string

  @Field(() => String, {
    description: 'The language in which the bank writes to the party, as a BCP 47 tag.',
  })
  language: string

  @Field(() => String, {
    description: 'The IANA time zone of the party, such as `Europe/Amsterdam`.',
  })
  timeZone: string

  @Field(() => [ContactPoint], {
    description:
      'One address per channel: the first verified address, or the first address if none is ' +
      'verified. An active party always has a secure-message inbox.',
  })
  contactPoints: DomainContactPoint[]
}
