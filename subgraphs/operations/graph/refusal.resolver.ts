import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import type { Refusal } from '../domain/refusal.ts'
import { listRefusals } from '../store/refusal.ts'
import { AuditRefusalConnection, AuditRefusalFilter } from './refusal.types.ts'

@Resolver()
export class RefusalResolver {
  @Requires('operations:read')
  @Query(() => AuditRefusalConnection, {
    description:
      'Returns rejected requests, the latest first: invalid tokens, missing permissions, ' +
      'hidden records and exceeded limits. They are recorded within a second and kept for ' +
      '90 days.',
  })
  auditRefusals(
    @Arg('filter', () => AuditRefusalFilter, {
      nullable: true,
      description: 'The filter that the records must match; all records when omitted.',
    })
    asked: AuditRefusalFilter | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 200; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Refusal>> {
    requireBank(context)
    const { clientId = null, partyId = null, code = null } = asked ?? {}
    const { isThere = null, since = null } = asked ?? {}
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
