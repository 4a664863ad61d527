import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { id, oneOf, orNull, record, text, integer } from '../../kernel/events/event-data.ts'
import { channels } from './domain/channel.ts'
import { notificationStatuses, type Notification } from './domain/notification.ts'
import { categories, suppressionReasons } from './domain/suppression.ts'
import { templateStatuses, type Template } from './domain/template.ts'

const templateData = record({
  templateId: id,
  templateCode: text,
  channel: oneOf(channels),
  language: text,
  edition: integer,
  status: oneOf(templateStatuses),
  category: oneOf(categories),
})

const notificationData = record({
  notificationId: id,
  partyId: id,
  channel: oneOf(channels),
  templateCode: text,
  status: oneOf(notificationStatuses),
  suppressionReason: orNull(oneOf(suppressionReasons)),
  failureReason: orNull(text),
})

export const templateEvents = declareEvents(
  {
    'notifications.template.created': 'A template was created.',
    'notifications.template.updated': 'The content of a draft was replaced.',
    'notifications.template.submitted': 'A template was submitted for review.',
    'notifications.template.approved': 'A reviewer approved a template.',
    'notifications.template.rejected': 'A reviewer rejected a template.',
    'notifications.template.reopened': 'A rejected template was reopened as a draft.',
    'notifications.template.activated': 'A template was activated.',
    'notifications.template.retired': 'A template was retired.',
  },
  templateData,
)

export const notificationEvents = declareEvents(
  {
    'notifications.notification.queued': 'A notification was queued, to be sent now or later.',
    'notifications.notification.accepted':
      'A notification was rendered and a delivery provider was chosen for it.',
    'notifications.notification.sent': 'A notification was handed to its delivery provider.',
    'notifications.notification.delivered': 'A notification was delivered to its party.',
    'notifications.notification.failed': 'A notification could not be delivered.',
    'notifications.notification.suppressed':
      'A notification was suppressed by a rule, or was canceled. It is not sent.',
  },
  notificationData,
)

export type TemplateEvent = keyof typeof templateEvents

/** Returns an event about a template. `template` is its state after the change. */
export function templateEvent(type: TemplateEvent, template: Template): DomainEvent {
  const { templateId, templateCode, channel, language, edition, status, category } = template
  return {
    type,
    subject: `template/${templateId}`,
    version: template.version,
    data: { templateId, templateCode, channel, language, edition, status, category },
    parties: [],
  }
}

/**
 * Returns the event for the status that a notification has reached. The data omits the
 * notification's content.
 */
export function notificationEvent(notification: Notification): DomainEvent {
  const { notificationId, partyId, channel, templateCode, status } = notification
  const { suppressionReason, failureReason } = notification
  const type: keyof typeof notificationEvents = `notifications.notification.${status}`
  return {
    type,
    subject: `notification/${notificationId}`,
    version: notification.version,
    data: {
      notificationId,
      partyId,
      channel,
      templateCode,
      status,
      suppressionReason,
      failureReason,
    },
    parties: [partyId],
  }
}
