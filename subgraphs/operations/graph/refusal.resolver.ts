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
      'Attempts that were refused, the latest first: tokens that are not good, rights that are ' +
      'missing, records of others, limits. A second after they happened, for 90 days. For the bank.',
  })
  auditRefusals(
    @Arg('filter', () => AuditRefusalFilter, { nullable: true }) asked: AuditRefusalFilter | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
