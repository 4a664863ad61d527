import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconUsers } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const customersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers',
  validateSearch: textSearch('search', 'after'),
  component: lazyRouteComponent(() => import('./customers-page.tsx'), 'CustomersPage'),
})

const newCustomerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers/new',
  component: lazyRouteComponent(() => import('./new-customer-page.tsx'), 'NewCustomerPage'),
})

const customerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers/$partyId',
  validateSearch: textSearch('tab', 'after', 'documents', 'resource', 'right', 'dialog'),
  component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
})

export const customers = {
  group: 'Customers',
  navigation: [
    {
      label: 'Customers',
      about: 'Find people and organizations',
      key: 'c',
      path: '/customers',
      icon: IconUsers,
      scope: 'parties:read',
      for: 'employees',
    },
  ],
  routes: [customersRoute, newCustomerRoute, customerRoute],
} as const satisfies ConsoleArea
