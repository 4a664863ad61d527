import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconUsers } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

export const customersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers',
  validateSearch: textSearch('search', 'after'),
  component: lazyRouteComponent(() => import('./customers-page.tsx'), 'CustomersPage'),
})

export const customers = {
  navigation: [
    {
      label: 'Customers',
      path: '/customers',
      icon: IconUsers,
      scope: 'parties:read',
      for: 'employees',
    },
  ],
  routes: [customersRoute],
} as const satisfies ConsoleArea
