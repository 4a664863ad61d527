import {
  connectionOf,
  id,
  instant,
  integer,
  jsonObject,
  list,
  object,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { Arg, Ctx, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterSubject } from '../../../kernel/domain/filter-value.ts'
import { knownEvents } from '../../../kernel/events/events.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import type { AuditEntry as Domain } from '../domain/audit.ts'
import { listAuditEntries } from '../store/audit.ts'

const AuditChange = shape('AuditChange', 'A field of a record that was changed.', {
  member: string('The name of the field.'),
  before: jsonObject(
    'The value before the change, as `{"value": …}`. The value is null if the field did not ' +
      'exist before.',
  ),
  after: jsonObject(
    'The value after the change, as `{"value": …}`. The value is null if the field no longer ' +
      'exists.',
  ),
})
type AuditChange = TypeOf<typeof AuditChange>

const AuditEntry = shape(
  'AuditEntry',
  'An entry of the audit trail of a record: a change with its actor, time and request.',
  {
    eventId: id('The ID of the event that recorded the change.'),
    sequence: integer(
      'The sequence number of the change among the changes of the record, starting at 1.',
    ),
    type: string(
      'The type of the event that recorded the change, such as `parties.party.created`.',
    ),
    meaning: string('A sentence that explains the type of the event.'),
    at: instant('When the change was made, in UTC.'),
    actor: string(
      'Who made the change: a party, a person of the bank, an OAuth client, or the bank itself.',
    ),
    requestId: string('The `X-Request-Id` of the request that made the change.'),
    causationId: id(
      'The ID of the event that caused the change; null if it was caused by a request.',
    ).orNull(),
    changes: list(object(AuditChange), 'The fields that the change modified.'),
    snapshot: jsonObject('The record after the change, as included in the event.'),
  },
)
type AuditEntry = TypeOf<typeof AuditEntry>

const AuditConnection = connectionOf(AuditEntry)

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
