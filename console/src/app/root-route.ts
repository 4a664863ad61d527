import { createRootRouteWithContext } from '@tanstack/react-router'
import type { Preload } from '../graph/preload.ts'
import type { Session } from '../session/session.ts'

/** What routes know before their pages are rendered. */
interface PageContext {
  person: Session
  preload: Preload
}

/** The parent of all pages. The router gives it the frame, which links to the pages. */
export const rootRoute = createRootRouteWithContext<PageContext>()()
