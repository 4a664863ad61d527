import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { eventDataOf, eventShapeOf } from '../../kernel/events/record-data.ts'
import { Notification } from './model/notification.ts'
import { Template } from './model/template.ts'

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
  eventShapeOf(Template),
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
  eventShapeOf(Notification),
)

export type TemplateEvent = keyof typeof templateEvents

/** Returns an event about a template. `template` is its state after the change. */
export function templateEvent(type: TemplateEvent, template: Template): DomainEvent {
  return {
    type,
    subject: `template/${template.templateId}`,
    version: template.version,
    data: eventDataOf(Template, template),
    parties: [],
  }
}

/** Returns the event for the status that a notification has reached. */
export function notificationEvent(notification: Notification): DomainEvent {
  const type: keyof typeof notificationEvents = `notifications.notification.${notification.status}`
  return {
    type,
    subject: `notification/${notification.notificationId}`,
    version: notification.version,
    data: eventDataOf(Notification, notification),
    parties: [notification.partyId],
  }
}
