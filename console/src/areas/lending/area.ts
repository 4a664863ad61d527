import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import {
  IconAlertTriangle,
  IconCoins,
  IconFileText,
  IconHome2,
  IconLifebuoy,
} from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const loansRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/loans',
  validateSearch: textSearch('after', 'kind', 'state'),
  component: lazyRouteComponent(() => import('./loans-page.tsx'), 'LoansPage'),
})

const facilitySearch = textSearch('after', 'tab', 'compare', 'payoff', 'dialog')

const loanRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/loans/$loanId',
  validateSearch: facilitySearch,
  component: lazyRouteComponent(() => import('./facility-page.tsx'), 'LoanPage'),
})

const facilityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/facilities/$facilityId',
  validateSearch: facilitySearch,
  component: lazyRouteComponent(() => import('./facility-page.tsx'), 'FacilityPage'),
})

const extraPaymentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/facilities/$facilityId/extra-payment',
  component: lazyRouteComponent(() => import('./extra-payment-page.tsx'), 'ExtraPaymentPage'),
})

const paymentHolidayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/facilities/$facilityId/payment-holiday',
  component: lazyRouteComponent(() => import('./payment-holiday-page.tsx'), 'PaymentHolidayPage'),
})

const drawdownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/facilities/$facilityId/drawdown',
  component: lazyRouteComponent(() => import('./drawdown-page.tsx'), 'DrawdownPage'),
})

const reliefRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/facilities/$facilityId/relief',
  component: lazyRouteComponent(() => import('./relief-page.tsx'), 'ReliefPage'),
})

const applicationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/applications',
  validateSearch: textSearch('after', 'status'),
  component: lazyRouteComponent(() => import('./applications-page.tsx'), 'ApplicationsPage'),
})

const applyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/applications/new',
  component: lazyRouteComponent(() => import('./apply-page.tsx'), 'ApplyPage'),
})

const applicationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/applications/$applicationId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./application-page.tsx'), 'ApplicationPage'),
})

const editApplicationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/applications/$applicationId/edit',
  component: lazyRouteComponent(() => import('./apply-page.tsx'), 'EditApplicationPage'),
})

const arrearsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/arrears',
  validateSearch: textSearch('after', 'tab'),
  component: lazyRouteComponent(() => import('./arrears-page.tsx'), 'ArrearsPage'),
})

const hardshipRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/hardship',
  validateSearch: textSearch('after', 'status'),
  component: lazyRouteComponent(() => import('./hardship-page.tsx'), 'HardshipPage'),
})

const hardshipRequestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/hardship/$hardshipRequestId',
  component: lazyRouteComponent(() => import('./hardship-request-page.tsx'), 'HardshipRequestPage'),
})

const collateralsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collateral',
  validateSearch: textSearch('after', 'status', 'dialog'),
  component: lazyRouteComponent(() => import('./collaterals-page.tsx'), 'CollateralsPage'),
})

const collateralRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collateral/$collateralId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./collateral-page.tsx'), 'CollateralPage'),
})

export const lending = {
  group: 'Lending',
  navigation: [
    {
      label: 'Loans',
      about: 'Schedules, payments and payoff amounts',
      covers: ['/facilities'],
      key: 'l',
      path: '/loans',
      icon: IconCoins,
      scope: 'lending:read',
      for: 'everybody',
    },
    {
      label: 'Applications',
      about: 'Review and decide',
      key: 'p',
      path: '/applications',
      icon: IconFileText,
      scope: 'lending:read',
      for: 'everybody',
    },
    {
      label: 'Arrears',
      about: 'Late payments and losses',
      key: 'r',
      path: '/arrears',
      icon: IconAlertTriangle,
      scope: 'lending:read',
      for: 'employees',
    },
    {
      label: 'Hardship',
      about: 'Requests for relief',
      key: 'd',
      path: '/hardship',
      icon: IconLifebuoy,
      scope: 'lending:read',
      for: 'employees',
    },
    {
      label: 'Collateral',
      about: 'What secures loans, and its value',
      key: 'o',
      path: '/collateral',
      icon: IconHome2,
      scope: 'lending:read',
      for: 'employees',
    },
  ],
  routes: [
    loansRoute,
    loanRoute,
    facilityRoute,
    extraPaymentRoute,
    paymentHolidayRoute,
    drawdownRoute,
    reliefRoute,
    applicationsRoute,
    applyRoute,
    applicationRoute,
    editApplicationRoute,
    arrearsRoute,
    hardshipRoute,
    hardshipRequestRoute,
    collateralsRoute,
    collateralRoute,
  ],
} as const satisfies ConsoleArea
