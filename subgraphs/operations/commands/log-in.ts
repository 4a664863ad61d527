import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  insertRevocation,
  revocation,
  type RevocationKind,
} from '../../../kernel/authorization/revocations.ts'
import type { ConnectedApp, LogInSession } from '../../../kernel/authorization/log-ins.ts'
import { Problem } from '../domain/problems.ts'
import { revocationEvent } from '../events.ts'

/** Returns the apps that act for the person who calls; none for a client that acts for nobody. */
export async function connectedApps({ bank, caller }: Context): Promise<readonly ConnectedApp[]> {
  return caller.subject === caller.clientId ? [] : bank.logIns.appsOf(caller.subject)
}

/** Returns the sessions of the person who calls; none for a client that acts for nobody. */
export async function logInSessions({ bank, caller }: Context): Promise<readonly LogInSession[]> {
  return caller.subject === caller.clientId ? [] : bank.logIns.sessionsOf(caller.subject)
}

/**
 * Disconnects an app from the person who calls: all its tokens are revoked. Throws
 * CONNECTED_APP_NOT_FOUND.
 */
export function disconnectApp(context: Context, grantId: string): Promise<ConnectedApp> {
  return end(context, 'disconnectApp', 'grant', grantId, async () => {
    const app = (await connectedApps(context)).find((each) => each.grantId === grantId)
    if (!app) throw new Problem('CONNECTED_APP_NOT_FOUND', { resourceId: grantId })
    return app
  })
}

/**
 * Ends a session of the person who calls. Apps keep their access. Throws LOG_IN_SESSION_NOT_FOUND.
 */
export function endLogInSession(context: Context, sessionId: string): Promise<LogInSession> {
  return end(context, 'endLogInSession', 'session', sessionId, async () => {
    const session = (await logInSessions(context)).find((each) => each.sessionId === sessionId)
    if (!session) throw new Problem('LOG_IN_SESSION_NOT_FOUND', { resourceId: sessionId })
    return session
  })
}

async function end<Result>(
  context: Context,
  operation: string,
  kind: RevocationKind,
  value: string,
  find: () => Promise<Result>,
): Promise<Result> {
  const ended = await command(context, operation, { [kind]: value }, async () => {
    const result = await find()
    const saved = revocation(kind, value)
    return {
      result,
      resourceId: `${kind}/${value}`,
      writes: [insertRevocation(saved)],
      events: [revocationEvent(saved)],
    }
  })
  await context.bank.revocations.refresh()
  return ended
}
