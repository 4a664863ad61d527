import { Field, ID, InputType } from 'type-graphql'
import { LabelScalar, LocalDateScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import type { ContactChannel, ContactPoint } from '../domain/contact.ts'
import type { PartyKind } from '../domain/party-name.ts'
import type { ConsentChanges, NewParty, PartyChanges } from '../domain/party.ts'
import { ContactChannelEnum, PartyKindEnum } from './party.types.ts'

@InputType({ description: 'An address at which a party can be contacted on one channel.' })
export class ContactPointInput implements ContactPoint {
  @Field(() => ContactChannelEnum, { description: 'The channel to which the address belongs.' })
  channel: ContactChannel

  @Field(() => TextScalar, {
    description:
      'The address, depending on the channel: an email address, a phone number in E.164 format, ' +
      'a device token (at most 512 visible ASCII characters), or the ID of an inbox.',
  })
  address: string

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description:
      'Whether the party has proven that it receives messages at the address. Defaults to false.',
  })
  verified: boolean
}

@InputType({ description: 'The party to create.' })
export class CreatePartyInput implements NewParty {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new party; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing party.',
  })
  partyId?: string | null

  @Field(() => PartyKindEnum, { description: 'Whether the party is a person or an organization.' })
  kind: PartyKind

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The given name of a person. A person needs a given name or a family name. Not allowed for ' +
      'an organization.',
  })
  givenName?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The family name of a person. Not allowed for an organization.',
  })
  familyName?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The name of an organization. Required for an organization, not allowed for a person.',
  })
  organizationName?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date of birth of a person, not in the future. Not allowed for an organization.',
  })
  dateOfBirth?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The language in which the bank writes to the party, as a BCP 47 tag. Defaults to `en`.',
  })
  language?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The IANA time zone of the party. Defaults to `UTC`.',
  })
  timeZone?: string | null

  @Field(() => [ContactPointInput], {
    nullable: true,
    description: 'The addresses of the party, at most 50. No address may occur twice.',
  })
  contactPoints?: ContactPointInput[] | null
}

@InputType({ description: 'The changes to a party. Omitted fields keep their values.' })
export class UpdatePartyInput implements PartyChanges {
  @Field(() => ID, { description: 'The ID of the party to change.' })
  partyId: string

  @Field(() => LabelScalar, { nullable: true, description: 'The new given name of a person.' })
  givenName?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'The new family name of a person.' })
  familyName?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'The new name of an organization.' })
  organizationName?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The new language in which the bank writes to the party, as a BCP 47 tag.',
  })
  language?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'The new IANA time zone of the party.' })
  timeZone?: string | null
}

@InputType({
  description:
    'The daily time window in which a party does not wish to be contacted. A window whose ' +
    'end is before its start spans midnight.',
})
export class QuietHoursInput {
  @Field(() => LabelScalar, {
    description: 'The start of the window, as HH:MM on a 24-hour clock.',
  })
  from: string

  @Field(() => LabelScalar, {
    description:
      'The end of the window, as HH:MM on a 24-hour clock. It must differ from the start.',
  })
  to: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The IANA time zone of the window. Defaults to the party's time zone.",
  })
  zone?: string | null
}

@InputType({
  description:
    "The changes to a party's communication preferences. Omitted fields keep their values. A " +
    'list replaces the previous list.',
})
export class SetConsentInput implements ConsentChanges {
  @Field(() => ID, { description: 'The ID of the party whose preferences change.' })
  partyId: string

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the party opts out of marketing on every channel.',
  })
  marketingOptOut?: boolean | null

  @Field(() => [ContactChannelEnum], {
    nullable: true,
    description: 'The channels on which the party opts out of marketing.',
  })
  marketingOptOutChannels?: ContactChannel[] | null

  @Field(() => [ContactChannelEnum], {
    nullable: true,
    description: 'The channels on which nothing is sent to the party, whatever the purpose.',
  })
  suppressedChannels?: ContactChannel[] | null

  @Field(() => QuietHoursInput, {
    nullable: true,
    description: 'The new daily time window in which the party does not wish to be contacted.',
  })
  quietHours?: QuietHoursInput | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to remove the quiet hours. Cannot be combined with `quietHours`.',
  })
  removeQuietHours?: boolean | null
}
