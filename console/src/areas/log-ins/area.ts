import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'

const logInsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/log-ins',
  component: lazyRouteComponent(() => import('./log-ins-page.tsx'), 'LogInsPage'),
})

/** A person's own log-ins. The menu of the person leads to the page. */
export const logIns = { navigation: [], routes: [logInsRoute] } as const satisfies ConsoleArea
