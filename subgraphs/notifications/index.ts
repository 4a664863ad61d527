import type { Subgraph } from '../_kernel/subgraph.ts'
import { NotificationResolver, PartyNotificationsResolver } from './graph/notification.resolver.ts'
import { TemplateResolver } from './graph/template.resolver.ts'
import { loadNotification } from './store/notification.ts'
import { loadTemplate } from './store/template.ts'

export const notifications: Subgraph = {
  name: 'notifications',
  resolvers: [TemplateResolver, NotificationResolver, PartyNotificationsResolver],
  types: [],
  references: {
    Notification: ({ notificationId }: { notificationId: string }, context) =>
      loadNotification(context, notificationId),
    NotificationTemplate: ({ templateId }: { templateId: string }, context) =>
      loadTemplate(context, templateId),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
  },
  workers: [],
}
