import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconReceipt } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const feesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fees',
  validateSearch: textSearch('status', 'after'),
  component: lazyRouteComponent(() => import('./fees-page.tsx'), 'FeesPage'),
})

export const fees = {
  group: 'Customers',
  navigation: [
    {
      label: 'Single fees',
      about: 'Charged fees, and refunds that wait for approval',
      path: '/fees',
      icon: IconReceipt,
      scope: 'accounts:read',
      for: 'employees',
    },
  ],
  routes: [feesRoute],
} as const satisfies ConsoleArea
