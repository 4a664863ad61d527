import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app/styles.css'
import { ApolloProvider } from '@apollo/client/react'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { extensions } from './app/extensions.ts'
import { LogInPage } from './app/log-in-page.tsx'
import { NavigationContext } from './app/navigation.tsx'
import { router } from './app/router.ts'
import { theme } from './app/theme.ts'
import { areas } from './areas/index.ts'
import { createGraphClient } from './graph/client.ts'
import { EventFeed, EventFeedContext } from './graph/events.ts'
import { finishLogIn, logIn, resumeSession } from './session/log-in.ts'
import { CurrentSession, SessionContext } from './session/session.ts'
import { settings } from './session/settings.ts'

/** The library that locks scrolling behind dialogs looks for the nonce of its style here. */
Object.assign(globalThis, { __webpack_nonce__: settings.nonce })

const navigation = [...areas, ...extensions.flatMap(({ area }) => area ?? [])].flatMap(
  (area) => area.navigation,
)
const root = createRoot(document.getElementById('root')!)

function render(content: ReactNode) {
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => settings.nonce}>
        {content}
      </MantineProvider>
    </StrictMode>,
  )
}

function renderConsole(session: CurrentSession) {
  render(
    <SessionContext value={session}>
      <ApolloProvider client={createGraphClient(session)}>
        <EventFeedContext value={new EventFeed(session)}>
          <Notifications position="top-right" />
          <NavigationContext value={navigation}>
            <RouterProvider router={router} />
          </NavigationContext>
        </EventFeedContext>
      </ApolloProvider>
    </SessionContext>,
  )
}

/** Shows the page for the address, after a log-in if nobody is logged in. */
async function start(): Promise<void> {
  if (settings.logInAs) return logIn({ username: settings.logInAs, returnTo: '/console/' })
  const isCallback = location.pathname === '/console/callback'
  const returnTo = isCallback ? '/console/' : location.pathname + location.search
  try {
    if (isCallback) {
      const finished = await finishLogIn()
      history.replaceState(null, '', finished.returnTo)
      return renderConsole(new CurrentSession(finished.session))
    }
    const session = await resumeSession()
    if (session) return renderConsole(new CurrentSession(session))
    render(<LogInPage problem={null} returnTo={returnTo} />)
  } catch (error) {
    render(<LogInPage problem={(error as Error).message} returnTo={returnTo} />)
  }
}

await start()
