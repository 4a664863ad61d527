import { declareEvents, type Told } from '../_kernel/events.ts'
import { id, oneOf, orNull, record, text, whole } from '../_kernel/event-data.ts'
import { channels } from './domain/channel.ts'
import { notificationStatuses, type Notification } from './domain/notification.ts'
import { categories, suppressionReasons } from './domain/suppression.ts'
import { templateStatuses, type Template } from './domain/template.ts'

const templateData = record({
  templateId: id,
  templateCode: text,
  channel: oneOf(channels),
  language: text,
  edition: whole,
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
    'notifications.notification.delivered': 'A notification reached its party.',
    'notifications.notification.failed': 'A notification could not be delivered.',
    'notifications.notification.suppressed':
      'A notification is not sent: the rules forbid it or the bank canceled it.',
  },
  notificationData,
)

export type TemplateEvent = keyof typeof templateEvents

/** The event of a template after the commit. */
export function tellTemplate(type: TemplateEvent, template: Template): Told {
  const { templateId, templateCode, channel, language, edition, status, category } = template
  return {
    type,
    subject: `template/${templateId}`,
    version: template.version,
    data: { templateId, templateCode, channel, language, edition, status, category },
    parties: [],
  }
}

/** The event of the status a notification reached, without its content. */
export function tellNotification(notification: Notification): Told {
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
