import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconIdBadge2 } from '@tabler/icons-react'
import type { ConsoleArea } from '../../app/area.ts'
import { rootRoute } from '../../app/root-route.ts'
import { textSearch } from '../../app/search-values.ts'

const employeesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/employees',
  validateSearch: textSearch('after', 'dialog'),
  component: lazyRouteComponent(() => import('./employees-page.tsx'), 'EmployeesPage'),
})

const employeeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/employees/$employeeId',
  validateSearch: textSearch('dialog'),
  component: lazyRouteComponent(() => import('./employee-page.tsx'), 'EmployeePage'),
})

export const staff = {
  group: 'Bank',
  navigation: [
    {
      label: 'Employees',
      about: 'Who works here, in which roles',
      key: 'j',
      path: '/employees',
      icon: IconIdBadge2,
      scope: 'staff:read',
      for: 'employees',
    },
  ],
  routes: [employeesRoute, employeeRoute],
} as const satisfies ConsoleArea
