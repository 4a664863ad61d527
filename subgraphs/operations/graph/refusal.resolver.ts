import { Arg, Ctx, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import type { Refusal } from '../domain/refusal.ts'
import { listRefusals } from '../store/refusal.ts'
import { AuditRefusalConnection, AuditRefusalFilter } from './refusal.types.ts'

@Resolver()
export class RefusalResolver {
  @Requires('operations:read')
  @Query(() => AuditRefusalConnection, {
    description:
      'Returns rejected requests, latest first: invalid tokens, missing permissions, records ' +
      'that are not visible to the caller, and exceeded limits. They are recorded within a ' +
      'second and kept for 90 days.',
  })
  auditRefusals(
    @Arg('filter', () => AuditRefusalFilter, {
      nullable: true,
      description: 'The filter that the records must match. If omitted, all records are returned.',
    })
    request: AuditRefusalFilter | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Refusal>> {
    requireBank(context)
    const { clientId = null, partyId = null, code = null } = request ?? {}
    const { isThere = null, since = null } = request ?? {}
    const filter = { clientId, partyId, code, isThere, since }
    return readPage(
      context,
      'auditRefusals',
      { ...filter, since: since?.toISOString() ?? null },
      { first, after },
      (from, take) => listRefusals(context, filter, from, take),
      ({ firstAt, refusalId }) => [firstAt.toISOString(), refusalId],
    )
  }
}
