import {
  bigInt,
  boolean,
  connectionOf,
  graphType,
  id,
  input,
  instant,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import { ErrorCode } from './problem.types.ts'

export const AuditRefusal = shape(
  'AuditRefusal',
  'A group of equal requests that were rejected within one hour, stored as one record.',
  {
    refusalId: id('The ID of the record.'),
    clientId: string(
      'The ID of the calling OAuth client; null if the token was invalid, and if `operation` ' +
        'is `*`.',
    ).orNull(),
    partyId: id(
      'The ID of the party for whom the client acted; null if it acted for none.',
    ).orNull(),
    subject: string('The subject of the token; null if it is not a valid subject.').orNull(),
    operation: string(
      'The root field of the GraphQL operation, or the HTTP method and path of requests that ' +
        'were rejected before execution. The value is `*` if too many different requests were ' +
        'rejected to record each of them.',
    ),
    code: graphType<ProblemCode>(
      () => ErrorCode,
      'The code of the problem with which the requests were rejected.',
    ),
    resourceId: id('The ID of the requested record; null if the problem names none.').orNull(),
    isThere: boolean(
      'Whether the requested record exists but is not visible to the caller; null unless the ' +
        'request failed because a record was not found.',
    ).orNull(),
    count: bigInt('The number of requests in the group.'),
    firstAt: instant('When the first of the requests was rejected, in real time and UTC.'),
    lastAt: instant('When the latest of the requests was rejected, in real time and UTC.'),
    requestId: string('The `X-Request-Id` of the latest request; null if there is none.').orNull(),
  },
)

export const AuditRefusalConnection = connectionOf(AuditRefusal)

export const AuditRefusalFilter = input(
  'AuditRefusalFilter',
  'The filter for rejected requests. All fields that are sent must match.',
  {
    clientId: string('Returns only requests of this OAuth client.').orNull(),
    partyId: id('Returns only requests that were made for this party.').orNull(),
    code: graphType<ProblemCode>(
      () => ErrorCode,
      'Returns only requests that were rejected with this problem code.',
    ).orNull(),
    isThere: boolean(
      'Returns only requests for records that exist but are not visible to the caller (`true`), ' +
        'or that do not exist (`false`).',
    ).orNull(),
    since: instant(
      'Returns only records whose latest request was rejected at or after this time.',
    ).orNull(),
  },
)
export type AuditRefusalFilter = TypeOf<typeof AuditRefusalFilter>
