import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import {
  contactChannels,
  type ContactChannel,
  type ContactPoint as DomainContactPoint,
  type QuietHours as DomainQuietHours,
} from '../domain/contact.ts'
import {
  partyKinds,
  partyStatuses,
  type ConsentChanges,
  type NewParty,
  type PartyChanges,
  type PartyKind,
  type PartyStatus,
} from '../domain/party.ts'

const PartyKindEnum = wireEnum('PartyKind', partyKinds, 'What a party is.')
const PartyStatusEnum = wireEnum('PartyStatus', partyStatuses, 'Where the relation stands.')
export const ContactChannelEnum = wireEnum(
  'ContactChannel',
  contactChannels,
  'A way to reach a party.',
)

@ObjectType({ description: 'An address of a party.' })
export class ContactPoint implements DomainContactPoint {
  @Field(() => ContactChannelEnum)
  channel: ContactChannel

  @Field(() => String)
  address: string

  @Field(() => Boolean, { description: 'The party has shown that it receives what is sent there.' })
  verified: boolean
}

@ObjectType({ description: 'When a party is not to be disturbed; the hours may span midnight.' })
export class QuietHours implements DomainQuietHours {
  @Field(() => String, { description: 'HH:MM' })
  from: string

  @Field(() => String, { description: 'HH:MM' })
  to: string

  @Field(() => String, { description: 'The IANA time zone whose clock the hours are on.' })
  zone: string
}

@ObjectType({ description: 'A person or an organisation the bank deals with.' })
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID)
  partyId: string

  @Field(() => PartyKindEnum)
  kind: PartyKind

  @Field(() => PartyStatusEnum)
  status: PartyStatus

  @Field(() => String, { nullable: true })
  givenName: string | null

  @Field(() => String, { nullable: true })
  familyName: string | null

  @Field(() => String, { nullable: true })
  organisationName: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  dateOfBirth: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  diedOn: string | null

  @Field(() => String, { description: 'The language to write in, BCP-47.' })
  language: string

  @Field(() => String, { description: 'IANA.' })
  timeZone: string

  @Field(() => [ContactPoint])
  contactPoints: DomainContactPoint[]

  @Field(() => Boolean, { description: 'Opted out of marketing on every channel.' })
  marketingOptOut: boolean

  @Field(() => [ContactChannelEnum], { description: 'Opted out of marketing on these channels.' })
  marketingOptOutChannels: ContactChannel[]

  @Field(() => [ContactChannelEnum], { description: 'Nothing is sent on these, whatever it is.' })
  suppressedChannels: ContactChannel[]

  @Field(() => QuietHours, { nullable: true })
  quietHours: DomainQuietHours | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const PartyConnection = connectionOf('Party', () => Party)

@ObjectType({ description: 'How to reach a party: the best address of each channel it has.' })
export class PartyContact {
  @Field(() => ID)
  partyId: string

  @Field(() => PartyStatusEnum)
  status: PartyStatus

  @Field(() => String)
  displayName: string

  @Field(() => String)
  language: string

  @Field(() => String)
  timeZone: string

  @Field(() => [ContactPoint], {
    description: 'One for each channel; an active party always has its secure-message inbox.',
  })
  contactPoints: DomainContactPoint[]
}

@InputType()
export class ContactPointInput implements DomainContactPoint {
  @Field(() => ContactChannelEnum)
  channel: ContactChannel

  @Field(() => TextScalar)
  address: string

  @Field(() => Boolean, { nullable: true, defaultValue: false })
  verified: boolean
}

@InputType()
export class CreatePartyInput implements NewParty {
  @Field(() => ID, { nullable: true })
  partyId?: string | null

  @Field(() => PartyKindEnum)
  kind: PartyKind

  @Field(() => LabelScalar, { nullable: true })
  givenName?: string | null

  @Field(() => LabelScalar, { nullable: true })
  familyName?: string | null

  @Field(() => LabelScalar, { nullable: true })
  organisationName?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  dateOfBirth?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'BCP-47; `en` when absent.' })
  language?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'IANA; `UTC` when absent.' })
  timeZone?: string | null

  @Field(() => [ContactPointInput], { nullable: true })
  contactPoints?: ContactPointInput[] | null
}

@InputType({ description: 'What is absent stays as it is.' })
export class UpdatePartyInput implements PartyChanges {
  @Field(() => ID)
  partyId: string

  @Field(() => LabelScalar, { nullable: true })
  givenName?: string | null

  @Field(() => LabelScalar, { nullable: true })
  familyName?: string | null

  @Field(() => LabelScalar, { nullable: true })
  organisationName?: string | null

  @Field(() => LabelScalar, { nullable: true })
  language?: string | null

  @Field(() => LabelScalar, { nullable: true })
  timeZone?: string | null
}

@InputType()
export class QuietHoursInput {
  @Field(() => LabelScalar, { description: 'HH:MM' })
  from: string

  @Field(() => LabelScalar, { description: 'HH:MM' })
  to: string

  @Field(() => LabelScalar, { nullable: true, description: "IANA; the party's own when absent." })
  zone?: string | null
}

@InputType({ description: 'What is absent stays as it is; a list replaces the list.' })
export class SetConsentInput implements ConsentChanges {
  @Field(() => ID)
  partyId: string

  @Field(() => Boolean, { nullable: true })
  marketingOptOut?: boolean | null

  @Field(() => [ContactChannelEnum], { nullable: true })
  marketingOptOutChannels?: ContactChannel[] | null

  @Field(() => [ContactChannelEnum], { nullable: true })
  suppressedChannels?: ContactChannel[] | null

  @Field(() => QuietHoursInput, { nullable: true })
  quietHours?: QuietHoursInput | null

  @Field(() => Boolean, { nullable: true })
  removeQuietHours?: boolean | null
}
