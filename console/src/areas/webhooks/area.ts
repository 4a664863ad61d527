import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconWebhook } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: textSearch('after'),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

const endpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$endpointId',
  validateSearch: textSearch('status', 'after', 'delivery'),
  component: lazyRouteComponent(() => import('./endpoint-page.tsx'), 'EndpointPage'),
})

export const webhooks = {
  group: 'Bank',
  navigation: [
    {
      label: 'Webhooks',
      about: 'Where events are delivered',
      key: 'w',
      path: '/webhooks',
      icon: IconWebhook,
      scope: 'operations:read',
      for: 'employees',
    },
  ],
  routes: [webhooksRoute, endpointRoute],
} as const satisfies ConsoleArea
