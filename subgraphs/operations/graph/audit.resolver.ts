import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterSubject } from '../../../kernel/domain/filter-value.ts'
import { knownEvents } from '../../../kernel/events/events.ts'
import {
  AfterArg,
  connectionOf,
  FirstArg,
  type Page,
  readPage,
} from '../../../kernel/graph/connection.ts'
import { DateTimeScalar, JsonObjectScalar } from '../../../kernel/graph/scalars.ts'
import type { AuditEntry as Domain } from '../domain/audit.ts'
import { listAuditEntries } from '../store/audit.ts'

@ObjectType({ description: 'A field of a record that was changed.' })
class AuditChange {
  @Field(() => String, { description: 'The name of the field.' })
  member: string

  @Field(() => JsonObjectScalar, {
    description:
      'The value before the change, as `{"value": …}`. The value is null if the field did not ' +
      'exist before.',
  })
  before: object

  @Field(() => JsonObjectScalar, {
    description:
      'The value after the change, as `{"value": …}`. The value is null if the field no longer ' +
      'exists.',
  })
  after: object
}

@ObjectType({
  description:
    'An entry of the audit trail of a record: a change with its actor, time and request.',
})
class AuditEntry {
  @Field(() => ID, { description: 'The ID of the event that recorded the change.' })
  eventId: string

  @Field(() => Int, {
    description:
      'The sequence number of the change among the changes of the record, starting at 1.',
  })
  sequence: number

  @Field(() => String, {
    description: 'The type of the event that recorded the change, such as `parties.party.created`.',
  })
  type: string

  @Field(() => String, { description: 'A sentence that explains the type of the event.' })
  meaning: string

  @Field(() => DateTimeScalar, { description: 'When the change was made, in UTC.' })
  at: Date

  @Field(() => String, {
    description: 'The party or the OAuth client that made the change, or the bank itself.',
  })
  actor: string

  @Field(() => String, { description: 'The `X-Request-Id` of the request that made the change.' })
  requestId: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the event that caused the change; null if it was caused by a request.',
  })
  causationId: string | null

  @Field(() => [AuditChange], { description: 'The fields that the change modified.' })
  changes: AuditChange[]

  @Field(() => JsonObjectScalar, {
    description: 'The record after the change, as included in the event.',
  })
  snapshot: object
}

const AuditConnection = connectionOf('AuditEntry', () => AuditEntry)

@Resolver()
export class AuditResolver {
  @Requires('operations:read')
  @Query(() => AuditConnection, {
    description: 'Returns all changes ever made to a record, oldest first.',
  })
  auditTrail(
    @Arg('subject', () => String, {
      description: 'The record, as `<entity>/<id>`, such as `facility/fac_1`.',
    })
    subjectText: string,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<AuditEntry>> {
    requireBank(context)
    const subject = filterSubject(subjectText, '/subject')!
    return readPage(
      context,
      'auditTrail',
      { subject },
      { first, after },
      async (from, take) =>
        (await listAuditEntries(context, subject, Number(from?.[0] ?? 0), take)).map(entryOut),
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
