import { id } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import * as commands from '../commands/log-in.ts'
import { ConnectedApp, LogInSession } from '../model/log-in.ts'

/** What people see and end themselves: the apps that act for them, and where they are logged in. */
export const LogInOperations = resolverOf({
  queries: {
    connectedApps: operation({
      description:
        'Returns the apps that act for the person of the token, the latest connection first, at ' +
        "most 200. The bank's own apps are not included. Empty if the token names no person.",
      scope: 'sessions:read',
      returns: [ConnectedApp],
      args: {},
      resolve: (context) => commands.connectedApps(context),
    }),
    logInSessions: operation({
      description:
        'Returns the browser sessions of the person of the token, the latest login first, at most ' +
        '200. Empty if the token names no person.',
      scope: 'sessions:read',
      returns: [LogInSession],
      args: {},
      resolve: (context) => commands.logInSessions(context),
    }),
  },
  mutations: {
    disconnectApp: operation({
      description:
        'Disconnects an app from the person of the token. All its tokens are revoked within a ' +
        'second, and it has to ask for consent again.',
      scope: 'sessions:manage',
      returns: ConnectedApp,
      args: { grantId: id('The ID of the grant of the app.') },
      resolve: (context, { grantId }) => commands.disconnectApp(context, grantId),
    }),
    endLogInSession: operation({
      description:
        'Ends a browser session of the person of the token, for example on a lost device. ' +
        'Connected apps keep their access.',
      scope: 'sessions:manage',
      returns: LogInSession,
      args: { sessionId: id('The ID of the session.') },
      resolve: (context, { sessionId }) => commands.endLogInSession(context, sessionId),
    }),
  },
})
