import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconCalendarCheck } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const monthsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/month-ends',
  validateSearch: textSearch('year'),
  component: lazyRouteComponent(() => import('./months-page.tsx'), 'MonthsPage'),
})

const monthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/month-ends/$accountingPeriodId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./month-page.tsx'), 'MonthPage'),
})

export const generalLedger = {
  group: 'Bank',
  navigation: [
    {
      label: 'Month ends',
      about: 'Accounting periods, revaluations and reports',
      path: '/month-ends',
      icon: IconCalendarCheck,
      scope: 'accounting:read',
      for: 'employees',
    },
  ],
  routes: [monthsRoute, monthRoute],
} as const satisfies ConsoleArea
