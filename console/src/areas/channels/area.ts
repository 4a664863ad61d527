import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconHeadset, IconRoute } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const contactCenterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/contact-center',
  validateSearch: textSearch('tab', 'status', 'after', 'dialog'),
  component: lazyRouteComponent(() => import('./contact-center-page.tsx'), 'ContactCenterPage'),
})

const queueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/queues/$queueId',
  validateSearch: textSearch('status', 'after'),
  component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage'),
})

const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$agentId',
  validateSearch: textSearch('status', 'after', 'dialog'),
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

const interactionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/interactions/$interactionId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./interaction-page.tsx'), 'InteractionPage'),
})

const newContactRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/interactions/new',
  validateSearch: textSearch('party', 'case'),
  component: lazyRouteComponent(() => import('./new-contact-page.tsx'), 'NewContactPage'),
})

const routingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routing',
  validateSearch: textSearch('channel', 'party', 'profile', 'language', 'segment', 'skills'),
  component: lazyRouteComponent(() => import('./routing-page.tsx'), 'RoutingPage'),
})

const newProfileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routing-profiles/new',
  component: lazyRouteComponent(() => import('./new-profile-page.tsx'), 'NewProfilePage'),
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routing-profiles/$routingProfileId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

export const channels = {
  group: 'Service',
  navigation: [
    {
      label: 'Contact center',
      about: 'Queues, agents and opening hours',
      covers: ['/queues', '/agents', '/interactions', '/routing-profiles'],
      key: 'q',
      path: '/contact-center',
      icon: IconHeadset,
      scope: 'routing:read',
      for: 'employees',
    },
    {
      label: 'Routing preview',
      about: 'Who would get a contact, and why',
      path: '/routing',
      icon: IconRoute,
      scope: 'routing:read',
      for: 'employees',
    },
  ],
  routes: [
    contactCenterRoute,
    queueRoute,
    agentRoute,
    newContactRoute,
    interactionRoute,
    routingRoute,
    newProfileRoute,
    profileRoute,
  ],
} as const satisfies ConsoleArea
