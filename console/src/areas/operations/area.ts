import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconActivity, IconBuildingBank, IconSettings, IconShieldLock } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: textSearch('subject', 'types'),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
})

const operationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operations',
  validateSearch: textSearch('after', 'jobs'),
  component: lazyRouteComponent(() => import('./operations-page.tsx'), 'OperationsPage'),
})

const ledgerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ledger',
  component: lazyRouteComponent(() => import('./ledger-page.tsx'), 'LedgerPage'),
})

const accessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/access',
  validateSearch: textSearch('tab', 'person', 'program', 'request', 'code', 'after'),
  component: lazyRouteComponent(() => import('./access-page.tsx'), 'AccessPage'),
})

const changesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/changes',
  validateSearch: textSearch('subject', 'after'),
  component: lazyRouteComponent(() => import('./changes-page.tsx'), 'ChangesPage'),
})

export const operations = {
  group: 'Bank',
  navigation: [
    {
      label: 'Ledger',
      about: 'Trial balances, and their proof',
      key: 'b',
      path: '/ledger',
      icon: IconBuildingBank,
      scope: 'postings:read',
      for: 'employees',
    },
    {
      label: 'Operations',
      about: 'The clock, jobs and fee runs',
      key: 'u',
      path: '/operations',
      icon: IconSettings,
      scope: 'operations:read',
      for: 'employees',
    },
    {
      label: 'Access',
      about: 'Programs, their requests, and log-ins',
      key: 'z',
      path: '/access',
      icon: IconShieldLock,
      scope: 'operations:read',
      for: 'employees',
    },
    {
      label: 'Live events',
      about: 'What happens, as it happens',
      key: 'e',
      path: '/events',
      icon: IconActivity,
      scope: 'events:read',
      for: 'everybody',
    },
  ],
  routes: [eventsRoute, operationsRoute, ledgerRoute, accessRoute, changesRoute],
} as const satisfies ConsoleArea
