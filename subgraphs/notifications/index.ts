import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { deliverNotifications } from './delivery/worker.ts'
import { NotificationResolver, PartyNotificationsResolver } from './graph/notification.resolver.ts'
import { TemplateResolver } from './graph/template.resolver.ts'
import { sendLogInAlerts } from './log-in-alerts.ts'
import { loadNotification } from './store/notification.ts'
import { loadTemplate } from './store/template.ts'

type Load = (context: Context, id: string) => Promise<object | null>

/** Resolves a federated entity under the same scope as the query that returns it. */
const reference =
  (key: string, load: Load) => (found: Record<string, string>, context: Context) => {
    requireScope(context.caller, 'notifications:read')
    return load(context, found[key]!)
  }

/** Notifications. */
export const notifications: Subgraph = {
  name: 'notifications',
  resolvers: [TemplateResolver, NotificationResolver, PartyNotificationsResolver],
  types: [],
  references: {
    Notification: reference('notificationId', loadNotification),
    NotificationTemplate: reference('templateId', loadTemplate),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
  },
  workers: [deliverNotifications, sendLogInAlerts],
}
