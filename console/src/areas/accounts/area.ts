import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconWallet } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const accountsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts',
  validateSearch: textSearch('after', 'state'),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$arrangementId',
  validateSearch: textSearch('after', 'days', 'posting', 'tab', 'dialog'),
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

const transferRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$arrangementId/transfer',
  component: lazyRouteComponent(() => import('./transfer-page.tsx'), 'TransferPage'),
})

const standingOrderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$arrangementId/standing-order',
  component: lazyRouteComponent(() => import('./standing-order-page.tsx'), 'StandingOrderPage'),
})

export const accounts = {
  group: 'Customers',
  navigation: [
    {
      label: 'Accounts',
      about: 'Balances, entries and payments',
      key: 'a',
      path: '/accounts',
      icon: IconWallet,
      scope: 'accounts:read',
      for: 'everybody',
    },
  ],
  routes: [accountsRoute, accountRoute, transferRoute, standingOrderRoute],
} as const satisfies ConsoleArea
