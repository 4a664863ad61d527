import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconTerminal2 } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'

const explorerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/explorer',
  component: lazyRouteComponent(() => import('./explorer-page.tsx'), 'ExplorerPage'),
})

export const explorer = {
  group: 'Bank',
  navigation: [
    {
      label: 'Explorer',
      about: 'The graph, with your rights',
      key: 'x',
      path: '/explorer',
      icon: IconTerminal2,
      for: 'everybody',
    },
  ],
  routes: [explorerRoute],
} as const satisfies ConsoleArea
