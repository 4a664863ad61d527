import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconChecklist, IconMessageChatbot, IconRobot } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const assistantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/assistant',
  validateSearch: textSearch('party', 'after'),
  component: lazyRouteComponent(() => import('./assistant-page.tsx'), 'AssistantPage'),
})

const conversationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/assistant/$sessionId',
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
})

const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: textSearch('after'),
  component: lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
})

const governanceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/assistants',
  component: lazyRouteComponent(() => import('./governance-page.tsx'), 'GovernancePage'),
})

export const assistant = {
  group: 'Service',
  navigation: [
    {
      label: 'Assistant',
      about: 'Questions about customers, with sources',
      key: 'i',
      path: '/assistant',
      icon: IconMessageChatbot,
      scope: 'assist:use',
      for: 'everybody',
    },
    {
      label: 'Approvals',
      about: 'What assistants want to do',
      key: 'v',
      path: '/approvals',
      icon: IconChecklist,
      scope: 'assist:approve',
      for: 'employees',
    },
    {
      label: 'Assistants',
      about: 'What they did, and a switch for each',
      key: 'y',
      path: '/assistants',
      icon: IconRobot,
      scope: 'operations:read',
      for: 'employees',
    },
  ],
  routes: [assistantRoute, conversationRoute, approvalsRoute, governanceRoute],
} as const satisfies ConsoleArea
