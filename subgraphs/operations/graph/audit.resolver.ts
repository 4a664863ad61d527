import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { filterSubject } from '../../_kernel/domain/filter-value.ts'
import { knownEvents } from '../../_kernel/events.ts'
import { connectionOf, readPage, type Page } from '../../_kernel/graph/connection.ts'
import { DateTimeScalar, JsonObjectScalar } from '../../_kernel/scalars.ts'
import type { AuditEntry as Domain } from '../domain/audit.ts'
import { listSteps } from '../store/audit.ts'

@ObjectType({ description: 'A member of a record that a step changed.' })
class AuditChange {
  @Field(() => String)
  member: string

  @Field(() => JsonObjectScalar, { description: '`{"value": …}`; null where it was not there.' })
  before: object

  @Field(() => JsonObjectScalar, { description: '`{"value": …}`; null where it is gone.' })
  after: object
}

@ObjectType({ description: 'Who did what to a record, when, in which request, and what changed.' })
class AuditEntry {
  @Field(() => ID)
  eventId: string

  @Field(() => Int, { description: 'Counted from 1 within the record.' })
  sequence: number

  @Field(() => String)
  type: string

  @Field(() => String, { description: 'What that is, in a sentence.' })
  meaning: string

  @Field(() => DateTimeScalar)
  at: Date

  @Field(() => String, { description: 'The party, the client or the bank itself.' })
  actor: string

  @Field(() => String, { description: 'The request it was part of.' })
  requestId: string

  @Field(() => ID, { nullable: true, description: 'The event that made the bank do it.' })
  causationId: string | null

  @Field(() => [AuditChange])
  changes: AuditChange[]

  @Field(() => JsonObjectScalar, { description: 'The record as it was told after the step.' })
  snapshot: object
}

const AuditConnection = connectionOf('AuditEntry', () => AuditEntry)

@Resolver()
export class AuditResolver {
  @Requires('operations:read')
  @Query(() => AuditConnection, {
    description: 'Everything that was ever done to a record, from its first step.',
  })
  auditTrail(
    @Arg('subject', () => String, { description: '`<entity>/<id>`: `facility/fac_1`.' })
    asked: string,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<AuditEntry>> {
    requireBank(context)
    const subject = filterSubject(asked, '/subject')!
    return readPage(
      context,
      'auditTrail',
      { subject },
      { first, after },
      async (from, take) =>
        (await listSteps(context, subject, Number(from?.[0] ?? 0), take)).map(entryOut),
      ({ sequence }) => [String(sequence)],
    )
  }
}

function entryOut({ changes, ...entry }: Domain): AuditEntry {
  return {
    ...entry,
    meaning: knownEvents.get(entry.type)?.meaning ?? '',
    changes: changes.map(({ member, before, after }) => ({
      member,
      before: { value: before },
      after: { value: after },
    })),
  }
}
