import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  DateTimeScalar,
  JsonObjectScalar,
  LabelScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import type { Channel } from '../domain/channel.ts'
import { reportedStatuses } from '../domain/delivery-report.ts'
import {
  notificationStatuses,
  type Attempt,
  type NewNotification,
  type NotificationStatus,
} from '../domain/notification.ts'
import type { Personalization } from '../domain/personalization.ts'
import { suppressionReasons, type SuppressionReason } from '../domain/suppression.ts'
import { NotificationChannelEnum } from './template.types.ts'

const NotificationStatusEnum = wireEnum(
  'NotificationStatus',
  notificationStatuses,
  'The delivery status of a notification.',
  {
    queued: 'The notification waits to be sent.',
    accepted: 'The notification was rendered and a delivery provider was chosen for it.',
    sent: 'The notification was handed to the delivery provider.',
    delivered: 'The notification reached the party. This status is final.',
    failed: 'The notification could not be rendered or delivered. This status is final.',
    suppressed:
      'The notification is not sent; `suppressionReason` contains the reason. This status is ' +
      'final.',
  },
)
const SuppressionReasonEnum = wireEnum(
  'SuppressionReason',
  suppressionReasons,
  'The reason a notification is not sent.',
  {
    deceased: 'The party is deceased.',
    'party-closed': 'The relationship with the party is closed.',
    'suppression-list': "The channel is on the party's suppression list.",
    'opted-out': 'The party opted out of marketing.',
    'no-verified-contact': 'The party has no verified address for the channel.',
    'quiet-hours': "The notification is marketing and was due during the party's quiet hours.",
    cancelled: 'The bank canceled the notification.',
  },
)
const AttemptOutcomeEnum = wireEnum(
  'AttemptOutcome',
  ['handed-over', 'refused', 'deferred'],
  'The result of one attempt to hand a notification to its delivery provider.',
  {
    'handed-over': 'The provider accepted the notification.',
    refused: 'The provider permanently rejected the notification.',
    deferred:
      'The provider could not accept the notification at the time. At most five attempts are ' +
      'made in total.',
  },
)
export const ReportedStatusEnum = wireEnum(
  'ReportedStatus',
  reportedStatuses,
  'A status that a delivery provider can report.',
  {
    sent: 'The provider sent the notification.',
    delivered: 'The notification reached the party.',
    failed: 'The notification could not be delivered.',
  },
)

@ObjectType({ description: 'One attempt to hand a notification to its delivery provider.' })
export class NotificationAttempt {
  @Field(() => DateTimeScalar, { description: 'When the attempt was made.' })
  at: string

  @Field(() => AttemptOutcomeEnum, { description: 'The result of the attempt.' })
  outcome: Attempt['outcome']

  @Field(() => String, {
    nullable: true,
    description:
      'Why the provider rejected or deferred the notification; null if the provider accepted it.',
  })
  reason: string | null
}

@ObjectType({ description: 'A message from the bank to one party.' })
@Directive('@key(fields: "notificationId")')
export class Notification {
  @Field(() => ID, { description: 'The ID of the notification, such as `ntf_…`.' })
  notificationId: string

  @Field(() => ID, { description: 'The ID of the party.' })
  partyId: string

  @Field(() => NotificationChannelEnum, {
    description: 'The channel over which the notification is sent.',
  })
  channel: Channel

  @Field(() => String, {
    description: 'The code of the template from which the notification is rendered.',
  })
  templateCode: string

  @Field(() => String, {
    description: 'The language of the template that was chosen, as a BCP 47 tag.',
  })
  language: string

  @Field(() => String, {
    nullable: true,
    description:
      "The subject sent by the client, which replaces the template's; null if none was sent.",
  })
  subject: string | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'The values for the template variables, as sent by the client; null if none were sent.',
  })
  personalization: Personalization | null

  @Field(() => NotificationStatusEnum, { description: 'The delivery status of the notification.' })
  status: NotificationStatus

  @Field(() => SuppressionReasonEnum, {
    nullable: true,
    description: 'Why the notification is not sent; null unless it is suppressed.',
  })
  suppressionReason: SuppressionReason | null

  @Field(() => String, {
    nullable: true,
    description: 'The reason why the notification failed, as a code; null unless it failed.',
  })
  failureReason: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The earliest time at which the notification is sent, as requested; null if it is sent ' +
      'immediately.',
  })
  sendAt: Date | null

  @Field(() => [NotificationAttempt], {
    description: 'The attempts to hand the notification to its delivery provider, oldest first.',
  })
  attempts: readonly NotificationAttempt[]

  @Field(() => String, {
    nullable: true,
    description:
      'The delivery provider: `smtp`, `sms-http`, `push-http`, `mailbox` (the inbox at the bank) ' +
      'or, in the sandbox, `simulator`. Null before the notification is accepted.',
  })
  provider: string | null

  @Field(() => DateTimeScalar, { description: 'When the notification was created.' })
  createdAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the notification reached the party; null if it has not, or the provider does not ' +
      'report deliveries.',
  })
  deliveredAt: Date | null
}

export const NotificationConnection = connectionOf('Notification', () => Notification)

@ObjectType({
  description:
    'A message in the inbox of a party at the bank: a secure message or, in the sandbox, a ' +
    'simulated email, SMS or push message.',
})
export class Mail {
  @Field(() => ID, { description: 'The ID of the message, such as `mail_…`.' })
  mailId: string

  @Field(() => ID, { description: 'The ID of the notification.' })
  notificationId: string

  @Field(() => ID, { description: 'The ID of the party that received the message.' })
  partyId: string

  @Field(() => NotificationChannelEnum, {
    description: 'The channel over which the notification was sent.',
  })
  channel: Channel

  @Field(() => String, {
    description:
      'The address to which the message was sent: an email address, a phone number, a device ' +
      'token or the ID of an inbox.',
  })
  address: string

  @Field(() => String, {
    nullable: true,
    description: 'The rendered subject; null for channels without subjects.',
  })
  subject: string | null

  @Field(() => String, {
    description: 'The rendered body: HTML for email, plain text for other channels.',
  })
  body: string

  @Field(() => DateTimeScalar, { description: 'When the inbox received the message.' })
  receivedAt: Date
}

export const MailConnection = connectionOf('Mail', () => Mail)

@InputType({ description: 'A new notification.' })
export class CreateNotificationInput implements NewNotification {
  @Field(() => ID, { description: 'The ID of the party to notify.' })
  partyId: string

  @Field(() => NotificationChannelEnum, {
    description:
      'The channel over which to send the notification. The template must be for this channel.',
  })
  channel: Channel

  @Field(() => LabelScalar, { description: 'The code of an active template.' })
  templateCode: string

  @Field(() => TextScalar, {
    nullable: true,
    description: "A subject that replaces the template's. Used for email and secure messages only.",
  })
  subject?: string | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'The values for the template variables: strings of at most 1,000 characters, numbers or ' +
      'booleans. All required variables must be included; members that the template does not ' +
      'declare are stored but not rendered.',
  })
  personalization?: Personalization | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The earliest time at which to send the notification, at most 5 minutes ago and at most 90 ' +
      'days ahead. If omitted, the notification is sent immediately.',
  })
  sendAt?: Date | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      "The preferred language, as a BCP 47 tag. Defaults to the party's language. If there is no " +
      "active template in the preferred language, the party's language and then `en` are tried.",
  })
  language?: string | null
}
