import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, JsonObjectScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
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
  'How far a message is on its way.',
)
const SuppressionReasonEnum = wireEnum(
  'SuppressionReason',
  suppressionReasons,
  'Why a message is not sent.',
)
const AttemptOutcomeEnum = wireEnum(
  'AttemptOutcome',
  ['handed-over', 'refused', 'deferred'],
  'What the carrier said.',
)
export const ReportedStatusEnum = wireEnum(
  'ReportedStatus',
  reportedStatuses,
  'What a provider may report.',
)

@ObjectType({ description: 'One try to hand a message to its carrier.' })
export class NotificationAttempt {
  @Field(() => DateTimeScalar)
  at: string

  @Field(() => AttemptOutcomeEnum)
  outcome: Attempt['outcome']

  @Field(() => String, { nullable: true })
  reason: string | null
}

@ObjectType({ description: 'One message to one party.' })
@Directive('@key(fields: "notificationId")')
export class Notification {
  @Field(() => ID)
  notificationId: string

  @Field(() => ID)
  partyId: string

  @Field(() => NotificationChannelEnum)
  channel: Channel

  @Field(() => String)
  templateCode: string

  @Field(() => String, { description: 'The language of the template that was chosen.' })
  language: string

  @Field(() => String, { nullable: true, description: 'As it was sent.' })
  subject: string | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'As it was sent.' })
  personalization: Personalization | null

  @Field(() => NotificationStatusEnum)
  status: NotificationStatus

  @Field(() => SuppressionReasonEnum, { nullable: true })
  suppressionReason: SuppressionReason | null

  @Field(() => String, { nullable: true })
  failureReason: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Not before this; at once if absent.',
  })
  sendAt: Date | null

  @Field(() => [NotificationAttempt])
  attempts: readonly NotificationAttempt[]

  @Field(() => String, {
    nullable: true,
    description:
      'The delivery provider, from when it accepted the message: `smtp`, `sms-http`, `push-http`, ' +
      '`mailbox` (the inbox at the bank) or, in the sandbox, `simulator`.',
  })
  provider: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar, { nullable: true })
  deliveredAt: Date | null
}

export const NotificationConnection = connectionOf('Notification', () => Notification)

@ObjectType({
  description:
    'A message in the inbox of a party at the bank: a secure message or, in the sandbox, a simulated e-mail, SMS or push message.',
})
export class Mail {
  @Field(() => ID)
  mailId: string

  @Field(() => ID)
  notificationId: string

  @Field(() => ID)
  partyId: string

  @Field(() => NotificationChannelEnum)
  channel: Channel

  @Field(() => String)
  address: string

  @Field(() => String, { nullable: true })
  subject: string | null

  @Field(() => String)
  body: string

  @Field(() => DateTimeScalar)
  receivedAt: Date
}

export const MailConnection = connectionOf('Mail', () => Mail)

@InputType()
export class CreateNotificationInput implements NewNotification {
  @Field(() => ID)
  partyId: string

  @Field(() => NotificationChannelEnum)
  channel: Channel

  @Field(() => LabelScalar)
  templateCode: string

  @Field(() => TextScalar, {
    nullable: true,
    description: "Replaces the template's subject, over e-mail and secure messages.",
  })
  subject?: string | null

  @Field(() => JsonObjectScalar, { nullable: true })
  personalization?: Personalization | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'At most 90 days ahead.' })
  sendAt?: Date | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "BCP-47; the party's own when absent, and when there is no such template.",
  })
  language?: string | null
}
