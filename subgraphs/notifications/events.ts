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
    'notifications.template.created': 'A template was written.',
    'notifications.template.updated': 'A draft was rewritten.',
    'notifications.template.submitted': 'A template was put up for review.',
    'notifications.template.approved': 'A second person approved a template.',
    'notifications.template.rejected': 'A second person sent a template back.',
    'notifications.template.reopened': 'A rejected template is a draft again.',
    'notifications.template.activated': 'A template is in force.',
    'notifications.template.retired': 'A template is no longer used for new notifications.',
  },
  templateData,
)

export const notificationEvents = declareEvents(
  {
    'notifications.notification.queued': 'A message waits to be sent, now or later.',
    'notifications.notification.accepted': 'A provider takes the rendered message.',
    'notifications.notification.sent': 'A message was handed to its carrier.',
    'notifications.notification.delivered': 'A message reached its party.',
    'notifications.notification.failed': 'A message could not be delivered.',
    'notifications.notification.suppressed': 'A message is not sent, by the rules or the bank.',
  },
  notificationData,
)

export type TemplateEvent = keyof typeof templateEvents

/** Tells a template as it is after the commit. */
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

/** Tells the state a notification reached, without a word of what it says. */
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
