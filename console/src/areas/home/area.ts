import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconHome } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const home = {
  navigation: [{ label: 'Home', key: 'h', path: '/', icon: IconHome, for: 'everybody' }],
  routes: [homeRoute],
} as const satisfies ConsoleArea
