import type { FastifyInstance } from 'fastify'
import { callerOf } from '../gateway/envelope.ts'
import { Problem } from '../kernel/domain/problem.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { openIdScope } from '../oauth/grants.ts'
import { paths } from '../oauth/metadata.ts'
import type { AuthorizationServer } from '../oauth/server.ts'

/**
 * Serves the claims about the person whose access token is sent (OpenID Connect Core, section 5.3).
 * Throws what `callerOf` throws, and INSUFFICIENT_SCOPE for a token that names no person.
 */
export function serveUserInfo(
  app: FastifyInstance,
  bank: Bank,
  { userInfo }: AuthorizationServer,
): void {
  app.route({
    method: ['GET', 'POST'],
    url: paths.userInfo,
    async handler(request, reply) {
      const caller = await callerOf(bank, request)
      const claims = caller.subject === caller.clientId ? null : await userInfo(caller.subject)
      if (!claims) {
        const detail = 'The token names no person who can log in.'
        throw new Problem('INSUFFICIENT_SCOPE', { detail, scope: openIdScope })
      }
      return reply.header('cache-control', 'no-store').send(claims)
    },
  })
}
