import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconMailExclamation } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const collectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections',
  validateSearch: textSearch('tab', 'status', 'pause', 'after'),
  component: lazyRouteComponent(() => import('./collections-page.tsx'), 'CollectionsPage'),
})

const episodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections/$collectionsEpisodeId',
  component: lazyRouteComponent(() => import('./episode-page.tsx'), 'EpisodePage'),
})

const newStrategyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections-strategies/new',
  validateSearch: textSearch('from'),
  component: lazyRouteComponent(() => import('./new-strategy-page.tsx'), 'NewStrategyPage'),
})

const strategyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections-strategies/$collectionsStrategyId',
  component: lazyRouteComponent(() => import('./strategy-page.tsx'), 'StrategyPage'),
})

export const collections = {
  group: 'Lending',
  navigation: [
    {
      label: 'Collections',
      about: 'Letters and cases for arrears',
      covers: ['/collections-strategies'],
      path: '/collections',
      icon: IconMailExclamation,
      scope: 'collections:read',
      for: 'employees',
    },
  ],
  routes: [collectionsRoute, episodeRoute, newStrategyRoute, strategyRoute],
} as const satisfies ConsoleArea
