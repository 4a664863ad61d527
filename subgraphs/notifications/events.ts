import { eventsOf } from '../../kernel/domain/state-machine.ts'
import type { DomainEvent } from '../../kernel/events/events.ts'
import { declareRecordEvents, type EventTypeOf } from '../../kernel/events/record-data.ts'
import { Notification } from './model/notification.ts'
import { Template, templateStates } from './model/template.ts'

export const templateEvents = declareRecordEvents('template', Template, {
  'notifications.template.created': 'A template was created.',
  'notifications.template.updated': 'The content of a draft was replaced.',
  ...eventsOf(templateStates),
})
export type TemplateEvent = EventTypeOf<typeof templateEvents>

const notificationEvents = declareRecordEvents('notification', Notification, {
  'notifications.notification.queued': 'A notification was queued, to be sent now or later.',
  'notifications.notification.accepted':
    'A notification was rendered and a delivery provider was chosen for it.',
  'notifications.notification.sent': 'A notification was handed to its delivery provider.',
  'notifications.notification.delivered': 'A notification was delivered to its party.',
  'notifications.notification.failed': 'A notification could not be delivered.',
  'notifications.notification.suppressed':
    'A notification was suppressed by a rule, or was canceled. It is not sent.',
})

/** Returns the event for the status that a notification has reached. */
export const notificationEvent = (notification: Notification): DomainEvent =>
  notificationEvents.event(`notifications.notification.${notification.status}`, notification, [
    notification.partyId,
  ])
