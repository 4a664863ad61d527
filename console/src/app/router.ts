import { createRouter } from '@tanstack/react-router'
import { routes } from '../areas/index.ts'
import { record } from '../graph/record.ts'
import { extensions } from './extensions.ts'
import { NotFound, PageFailed } from './faults.tsx'
import { Frame } from './frame.tsx'
import { rootRoute } from './root-route.ts'

rootRoute.update({ component: Frame })
const pages = rootRoute.addChildren([...routes])
const added = extensions.flatMap(({ area }) => area?.routes ?? [])
// The types of the routes are those of the bank's own pages; extensions add more at run time.
const routeTree = (
  added.length > 0 ? rootRoute.addChildren([...routes, ...added]) : pages
) as typeof pages

/** The pages of the console by address. */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  // Set when the session is known, before a page is loaded.
  context: undefined!,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // IDs and cursors appear in addresses as they are.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (values) => {
    const entries = Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    const text = String(new URLSearchParams(entries as [string, string][]))
    return text && `?${text}`
  },
})

router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) record.clear()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
