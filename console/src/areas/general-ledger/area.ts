import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconCalendarCheck } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const monthsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/month-ends',
  validateSearch: textSearch('year', 'tab', 'state', 'after'),
  component: lazyRouteComponent(() => import('./months-page.tsx'), 'MonthsPage'),
})

const monthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/month-ends/$accountingPeriodId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./month-page.tsx'), 'MonthPage'),
})

const newJournalEntryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/journal-entries/new',
  validateSearch: textSearch('day'),
  component: lazyRouteComponent(
    () => import('./new-journal-entry-page.tsx'),
    'NewJournalEntryPage',
  ),
})

const journalEntryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/journal-entries/$journalEntryId',
  component: lazyRouteComponent(() => import('./journal-entry-page.tsx'), 'JournalEntryPage'),
})

export const generalLedger = {
  group: 'Bank',
  navigation: [
    {
      label: 'Month ends',
      about: 'Periods, adjustments, revaluations and reports',
      covers: ['/journal-entries'],
      path: '/month-ends',
      icon: IconCalendarCheck,
      scope: 'accounting:read',
      for: 'employees',
    },
  ],
  routes: [monthsRoute, monthRoute, newJournalEntryRoute, journalEntryRoute],
} as const satisfies ConsoleArea
