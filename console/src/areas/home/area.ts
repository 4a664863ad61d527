import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconHome } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { CustomerHomeDocument } from './queries.generated.ts'

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: ({ context: { person, preload } }) => {
    if (person.partyId !== null) preload(CustomerHomeDocument, {})
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const home = {
  navigation: [
    {
      label: 'Home',
      about: 'Where your day begins',
      key: 'h',
      path: '/',
      icon: IconHome,
      for: 'everybody',
    },
  ],
  routes: [homeRoute],
} as const satisfies ConsoleArea
