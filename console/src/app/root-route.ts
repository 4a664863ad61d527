import { createRootRoute } from '@tanstack/react-router'

/** The parent of all pages. The router gives it the frame, which links to the pages. */
export const rootRoute = createRootRoute()
