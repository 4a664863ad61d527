import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
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

type Load = (context: Context, id: string) => Promise<object | null>

/**
 * Returns a resolver of entity references that requires the same scope as the queries for the
 * entity.
 */
const reference =
  (key: string, load: Load) => (representation: Record<string, string>, context: Context) => {
    requireScope(context.caller, 'notifications:read')
    return load(context, representation[key]!)
  }

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
    Notification: reference('notificationId', loadNotification),
    NotificationTemplate: reference('templateId', loadTemplate),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
  },
  workers: [deliverNotifications, sendLogInAlerts],
}
