import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { deliverNotifications } from './delivery/worker.ts'
import {
  NotificationOperations,
  NotificationResolver,
  PartyNotificationsResolver,
} from './graph/notification.resolver.ts'
import { TemplateOperations, TemplateResolver } from './graph/template.resolver.ts'
import { sendLogInAlerts } from './workers/log-in-alerts.ts'
import { loadNotification } from './store/notification.ts'
import { loadTemplate } from './store/template.ts'

/** The subgraph of notifications and their templates. */
export const notifications: Subgraph = {
  name: 'notifications',
  resolvers: [
    TemplateOperations,
    TemplateResolver,
    NotificationOperations,
    NotificationResolver,
    PartyNotificationsResolver,
  ],
  types: [],
  references: {
    Notification: referenceTo('notifications:read', 'notificationId', loadNotification),
    NotificationTemplate: referenceTo('notifications:read', 'templateId', loadTemplate),
    Party: referenceByKey('partyId'),
  },
  workers: [deliverNotifications, sendLogInAlerts],
}
