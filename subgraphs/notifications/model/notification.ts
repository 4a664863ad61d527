import {
  entity,
  enumeration,
  id,
  input,
  instant,
  jsonObject,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { Personalization } from '../domain/personalization.ts'
import type { Transitions } from '../../../kernel/domain/states.ts'
import { Category, Channel } from './channel.ts'

export const NotificationStatus = enumeration(
  'NotificationStatus',
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
export type NotificationStatus = TypeOf<typeof NotificationStatus>

export const notificationTransitions: Transitions<NotificationStatus> = {
  queued: ['accepted', 'suppressed', 'failed'],
  accepted: ['sent', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
  suppressed: [],
}

export const SuppressionReason = enumeration(
  'SuppressionReason',
  'The reason a notification is not sent.',
  {
    deceased: 'The party is deceased.',
    'party-closed': 'The relationship with the party is closed.',
    'processing-restricted': 'The processing of the data of the party is restricted to storage.',
    'suppression-list': "The channel is on the party's suppression list.",
    'opted-out': 'The party opted out of marketing.',
    'no-verified-contact': 'The party has no verified address for the channel.',
    'quiet-hours': "The notification is marketing and was due during the party's quiet hours.",
    cancelled: 'The bank canceled the notification.',
  },
)
export type SuppressionReason = TypeOf<typeof SuppressionReason>

export const AttemptOutcome = enumeration(
  'AttemptOutcome',
  'The result of one attempt to hand a notification to its delivery provider.',
  {
    'handed-over': 'The provider accepted the notification.',
    refused: 'The provider permanently rejected the notification.',
    deferred:
      'The provider could not accept the notification at the time. At most five attempts are ' +
      'made in total.',
  },
)
export type AttemptOutcome = TypeOf<typeof AttemptOutcome>

export const ReportedStatus = enumeration(
  'ReportedStatus',
  'A status that a delivery provider can report.',
  {
    sent: 'The provider sent the notification.',
    delivered: 'The notification reached the party.',
    failed: 'The notification could not be delivered.',
  },
)
export type ReportedStatus = TypeOf<typeof ReportedStatus>

export const NotificationAttempt = shape(
  'NotificationAttempt',
  'One attempt to hand a notification to its delivery provider.',
  {
    at: instant('When the attempt was made.').as<string>(),
    outcome: oneOf(AttemptOutcome, 'The result of the attempt.'),
    reason: string(
      'Why the provider rejected or deferred the notification; null if the provider accepted it.',
    ).orNull(),
  },
)
export type NotificationAttempt = TypeOf<typeof NotificationAttempt>

export const Notification = entity(
  'Notification',
  'notificationId',
  'A message from the bank to one party.',
  {
    notificationId: id('The ID of the notification, such as `ntf_…`.').inEvents(),
    partyId: id('The ID of the party.').inEvents(),
    channel: oneOf(Channel, 'The channel over which the notification is sent.').inEvents(),
    templateCode: string(
      'The code of the template from which the notification is rendered.',
    ).inEvents(),
    templateId: stored<string>(),
    category: stored<Category>(),
    language: string('The language of the template that was chosen, as a BCP 47 tag.'),
    subject: string(
      "The subject sent by the client, which replaces the template's; null if none was sent.",
    ).orNull(),
    personalization: jsonObject(
      'The values for the template variables, as sent by the client; null if none were sent.',
    )
      .as<Personalization>()
      .orNull(),
    status: oneOf(NotificationStatus, 'The delivery status of the notification.').inEvents(),
    suppressionReason: oneOf(
      SuppressionReason,
      'Why the notification is not sent; null unless it is suppressed.',
    )
      .orNull()
      .inEvents(),
    failureReason: string(
      'The reason why the notification failed, as a code; null unless it failed.',
    )
      .orNull()
      .inEvents(),
    /** The message as it is sent; null before the notification is accepted. */
    renderedSubject: stored<string | null>(),
    renderedBody: stored<string | null>(),
    sendAt: instant(
      'The earliest time at which the notification is sent, as requested; null if it is sent ' +
        'immediately.',
    ).orNull(),
    attempts: list(
      object(NotificationAttempt),
      'The attempts to hand the notification to its delivery provider, oldest first.',
    ),
    provider: string(
      'The delivery provider: `smtp`, `sms-http`, `push-http`, `mailbox` (the inbox at the bank) ' +
        'or, in the sandbox, `simulator`. Null before the notification is accepted.',
    ).orNull(),
    createdAt: instant('When the notification was created.'),
    deliveredAt: instant(
      'When the notification reached the party; null if it has not, or the provider does not ' +
        'report deliveries.',
    ).orNull(),
    /** When the next processing step is due; null if no step is left. */
    dueAt: stored<Date | null>(),
    leaseId: stored<string | null>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type Notification = TypeOf<typeof Notification>

export const Mail = shape(
  'Mail',
  'A message in the inbox of a party at the bank: a secure message or, in the sandbox, a ' +
    'simulated email, SMS or push message.',
  {
    mailId: id('The ID of the message, such as `mail_…`.'),
    notificationId: id('The ID of the notification.'),
    partyId: id('The ID of the party that received the message.'),
    channel: oneOf(Channel, 'The channel over which the notification was sent.'),
    address: string(
      'The address to which the message was sent: an email address, a phone number, a device ' +
        'token or the ID of an inbox.',
    ),
    subject: string('The rendered subject; null for channels without subjects.').orNull(),
    body: string('The rendered body: HTML for email, plain text for other channels.'),
    receivedAt: instant('When the inbox received the message.'),
  },
)

export type Mail = TypeOf<typeof Mail>

export const NewNotification = input('CreateNotificationInput', 'A new notification.', {
  partyId: id('The ID of the party to notify.'),
  channel: oneOf(
    Channel,
    'The channel over which to send the notification. The template must be for this channel.',
  ),
  templateCode: label('The code of an active template.'),
  subject: text(
    "A subject that replaces the template's. Used for email and secure messages only.",
  ).orNull(),
  personalization: jsonObject(
    'The values for the template variables: strings of at most 1,000 characters, numbers or ' +
      'booleans. All required variables must be included; members that the template does not ' +
      'declare are stored but not rendered.',
  )
    .as<Personalization>()
    .orNull(),
  sendAt: instant(
    'The earliest time at which to send the notification, at most 5 minutes ago and at most 90 ' +
      'days ahead. If omitted, the notification is sent immediately.',
  ).orNull(),
  language: label(
    "The preferred language, as a BCP 47 tag. Defaults to the party's language. If there is no " +
      "active template in the preferred language, the party's language and then `en` are tried.",
  ).orNull(),
})
export type NewNotification = TypeOf<typeof NewNotification>
