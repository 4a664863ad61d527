import { Arg, Ctx, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireBank, requireScope } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import type { LoggedRequest } from '../domain/logged-request.ts'
import { listLoggedRequests } from '../store/logged-request.ts'
import { LoggedRequestConnection, LoggedRequestFilter } from './logged-request.types.ts'

@Resolver()
export class LoggedRequestResolver {
  /** Requires no scope for the client's own requests. */
  @Query(() => LoggedRequestConnection, {
    description:
      'Returns the requests of the calling client with their responses, latest first. They are ' +
      'logged within a second and kept for 30 days.',
  })
  loggedRequests(
    @Arg('filter', () => LoggedRequestFilter, {
      nullable: true,
      description: 'The filter that the requests must match. If omitted, all are returned.',
    })
    request: LoggedRequestFilter | null,
    @Arg('ofAllClients', () => Boolean, {
      defaultValue: false,
      description: 'Returns the requests of all clients. Requires the scope `operations:read`.',
    })
    ofAllClients: boolean,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<LoggedRequest>> {
    requireBank(context)
    const { caller } = context
    const { operation = null, requestId = null, idempotencyKey = null } = request ?? {}
    const { isRejected = null, clientId } = request ?? {}
    const client = clientId ?? (ofAllClients ? null : caller.clientId)
    if (client !== caller.clientId) requireScope(caller, 'operations:read')
    const filter = { clientId: client, operation, requestId, idempotencyKey, isRejected }
    return readPage(
      context,
      'loggedRequests',
      filter,
      { first, after },
      (from, take) => listLoggedRequests(context, filter, from, take),
      ({ entryId }) => [entryId],
    )
  }
}
