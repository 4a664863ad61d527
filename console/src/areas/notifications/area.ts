import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconMail } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const notificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notifications',
  validateSearch: textSearch('party', 'status', 'channel', 'after'),
  component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'NotificationsPage'),
})

const newNotificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notifications/new',
  validateSearch: textSearch('party', 'template', 'channel'),
  component: lazyRouteComponent(() => import('./new-notification-page.tsx'), 'NewNotificationPage'),
})

const notificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notifications/$notificationId',
  component: lazyRouteComponent(() => import('./notification-page.tsx'), 'NotificationPage'),
})

const mailboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mailbox/$partyId',
  validateSearch: textSearch('after'),
  component: lazyRouteComponent(() => import('./mailbox.tsx'), 'MailboxPage'),
})

const templatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notification-templates',
  validateSearch: textSearch('code', 'status', 'after'),
  component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
})

const newTemplateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notification-templates/new',
  component: lazyRouteComponent(() => import('./template-form-pages.tsx'), 'NewTemplatePage'),
})

const templateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notification-templates/$templateId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./template-page.tsx'), 'TemplatePage'),
})

export const notifications = {
  group: 'Service',
  navigation: [
    {
      label: 'Messages',
      about: 'What the bank wrote, and its templates',
      covers: ['/notification-templates', '/mailbox'],
      key: 'm',
      path: '/notifications',
      icon: IconMail,
      scope: 'notifications:read',
      for: 'everybody',
    },
  ],
  routes: [
    notificationsRoute,
    newNotificationRoute,
    notificationRoute,
    mailboxRoute,
    templatesRoute,
    newTemplateRoute,
    templateRoute,
  ],
} as const satisfies ConsoleArea
