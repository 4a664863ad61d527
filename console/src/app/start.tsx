import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import type { ApolloClient } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { areas } from '../areas/index.ts'
import { createGraphClient } from '../graph/client.ts'
import { EventFeed, EventFeedContext } from '../graph/events.ts'
import { preloadWith } from '../graph/preload.ts'
import type { Beginning } from '../session/begin.ts'
import { CurrentSession, SessionContext, type Session } from '../session/session.ts'
import { settings } from '../session/settings.ts'
import type { ConsoleArea } from './area.ts'
import { extensions } from './extensions.ts'
import { LogInPage } from './log-in-page.tsx'
import { NavigationContext } from './navigation.tsx'
import { router } from './router.ts'
import { theme } from './theme.ts'

/** The library that locks scrolling behind dialogs looks for the nonce of its style here. */
Object.assign(globalThis, { __webpack_nonce__: settings.nonce })

const ownAreas = extensions.flatMap(({ area }) => area ?? [])
const navigation = [...areas, ...ownAreas].flatMap((area: ConsoleArea) =>
  area.navigation.map((entry) => ({ ...entry, group: area.group })),
)

/** Shows the console to the person who is logged in, or the page on which people log in. */
export async function show(beginning: Promise<Beginning>): Promise<void> {
  const begun = await beginning
  const root = createRoot(document.getElementById('root')!)
  if (!begun.session) {
    const { problem, returnTo } = begun
    return root.render(
      <Look>
        <LogInPage problem={problem} returnTo={returnTo} />
      </Look>,
    )
  }
  const session = currentSession(begun.session)
  const client = createGraphClient(session)
  router.update({
    ...router.options,
    context: { person: begun.session, preload: preloadWith(client) },
  })
  // The code of the page and its first answer arrive while the frame is rendered.
  const path = location.pathname.replace(/^\/console/, '') || '/'
  void router.preloadRoute({ to: path as '/' }).catch(() => undefined)
  root.render(
    <Look>
      <Console session={session} client={client} />
    </Look>,
  )
}

/** Follows a session, which may end while the person looks at another tab. */
function currentSession(begun: Session): CurrentSession {
  const session = new CurrentSession(begun)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void session.renew().catch(() => undefined)
  })
  return session
}

const Look = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => settings.nonce}>
      {children}
    </MantineProvider>
  </StrictMode>
)

const Console = ({ session, client }: { session: CurrentSession; client: ApolloClient }) => (
  <SessionContext value={session}>
    <ApolloProvider client={client}>
      <EventFeedContext value={new EventFeed(session)}>
        <Notifications position="bottom-right" />
        <NavigationContext value={navigation}>
          <RouterProvider router={router} />
        </NavigationContext>
      </EventFeedContext>
    </ApolloProvider>
  </SessionContext>
)
