import {
  bigInt,
  boolean,
  connectionOf,
  entity,
  id,
  instant,
  integer,
  jsonObject,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const BusinessEvent = entity(
  'BusinessEvent',
  'eventId',
  'A business event: a change of a record, recorded in the event log in the same ' +
    'transaction as the change.',
  {
    eventId: id('The ID of the event.'),
    type: string(
      'The type of the event: `<area>.<entity>.<fact>`, such as `parties.party.created`.',
    ),
    subjectId: string('The record that the event is about, as `<entity>/<id>`.'),
    time: instant('When the event occurred, in UTC.'),
    position: bigInt(
      'The position of the event in the event log. Positions start at 1 and have no gaps.',
    ),
    sequence: integer(
      'The sequence number of the event among the events of its subject, starting at 1 ' +
        'without gaps.',
    ),
    data: jsonObject(
      'A snapshot of the record at the time of the event. Its members depend on `type`.',
    ).as<Record<string, unknown>>(),
    correlationId: string('The `X-Request-Id` of the request that caused the event.'),
    causationId: id(
      'The ID of the event that caused this event; null if a request caused it.',
    ).orNull(),
    actor: string(
      'Who caused the event: a party, a person of the bank, an OAuth client, or the bank itself.',
    ).namesActor(),
    isArchived: boolean(
      'Whether the event was read from the archive of the event log, because it has left the database.',
    ),
  },
)
export type BusinessEvent = TypeOf<typeof BusinessEvent>

export const BusinessEventConnection = connectionOf(BusinessEvent)
