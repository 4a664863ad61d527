import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconActivity } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: textSearch('subject', 'types'),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
})

export const operations = {
  navigation: [
    {
      label: 'Live events',
      path: '/events',
      icon: IconActivity,
      scope: 'events:read',
      for: 'everybody',
    },
  ],
  routes: [eventsRoute],
} as const satisfies ConsoleArea
