import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconPackage, IconSpeakerphone, IconTrendingUp } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const productsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/products',
  validateSearch: textSearch('search', 'class', 'status', 'after'),
  component: lazyRouteComponent(() => import('./products-page.tsx'), 'ProductsPage'),
})

const newProductRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/products/new',
  validateSearch: textSearch('from'),
  component: lazyRouteComponent(() => import('./new-version-page.tsx'), 'NewVersionPage'),
})

const productRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/products/$productId',
  validateSearch: textSearch('tab', 'version', 'compared', 'after', 'status', 'quote', 'dialog'),
  component: lazyRouteComponent(() => import('./product-page.tsx'), 'ProductPage'),
})

const campaignsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/campaigns',
  validateSearch: textSearch('status', 'product', 'after'),
  component: lazyRouteComponent(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
})

const newCampaignRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/campaigns/new',
  validateSearch: textSearch('product'),
  component: lazyRouteComponent(() => import('./new-campaign-page.tsx'), 'NewCampaignPage'),
})

const campaignRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/campaigns/$campaignId',
  component: lazyRouteComponent(() => import('./campaign-page.tsx'), 'CampaignPage'),
})

const referenceRatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reference-rates',
  validateSearch: textSearch('after', 'dialog'),
  component: lazyRouteComponent(() => import('./reference-rates-page.tsx'), 'ReferenceRatesPage'),
})

const referenceRateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reference-rates/$referenceRateId',
  validateSearch: textSearch('after', 'dialog'),
  component: lazyRouteComponent(() => import('./reference-rate-page.tsx'), 'ReferenceRatePage'),
})

export const products = {
  group: 'Bank',
  navigation: [
    {
      label: 'Products',
      about: 'Terms, prices and versions',
      key: 't',
      path: '/products',
      icon: IconPackage,
      scope: 'products:read',
      for: 'employees',
    },
    {
      label: 'Campaigns',
      about: 'Promotions for a time',
      key: 'n',
      path: '/campaigns',
      icon: IconSpeakerphone,
      scope: 'products:read',
      for: 'employees',
    },
    {
      label: 'Reference rates',
      about: 'Fixings that loans and savings follow',
      key: 'k',
      path: '/reference-rates',
      icon: IconTrendingUp,
      scope: 'products:read',
      for: 'employees',
    },
  ],
  routes: [
    productsRoute,
    newProductRoute,
    productRoute,
    campaignsRoute,
    newCampaignRoute,
    campaignRoute,
    referenceRatesRoute,
    referenceRateRoute,
  ],
} as const satisfies ConsoleArea
