import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconBriefcase, IconFiles } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const casesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cases',
  validateSearch: textSearch('view', 'status', 'type', 'assignee', 'subject', 'after'),
  component: lazyRouteComponent(() => import('./cases-page.tsx'), 'CasesPage'),
})

const newCaseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cases/new',
  validateSearch: textSearch('party', 'subject'),
  component: lazyRouteComponent(() => import('./new-case-page.tsx'), 'NewCasePage'),
})

const caseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cases/$caseId',
  validateSearch: textSearch('dialog', 'after', 'documents'),
  component: lazyRouteComponent(() => import('./case-page.tsx'), 'CasePage'),
})

const documentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents',
  validateSearch: textSearch('dialog', 'documents'),
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
})

const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents/$documentId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
})

export const casework = {
  group: 'Service',
  navigation: [
    {
      label: 'Cases',
      about: 'Requests and complaints, and their deadlines',
      key: 's',
      path: '/cases',
      icon: IconBriefcase,
      scope: 'cases:read',
      for: 'everybody',
    },
    {
      label: 'Documents',
      about: 'What customers sent, and what is kept',
      key: 'f',
      path: '/documents',
      icon: IconFiles,
      scope: 'cases:read',
      for: 'customers',
    },
  ],
  routes: [casesRoute, newCaseRoute, caseRoute, documentsRoute, documentRoute],
} as const satisfies ConsoleArea
