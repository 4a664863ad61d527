import {
  boolean,
  connectionOf,
  graphType,
  id,
  input,
  instant,
  integer,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import { ErrorCode } from './problem.types.ts'

export const LoggedRequest = shape(
  'LoggedRequest',
  'A request of a client, as it was answered. Texts that may be personal are masked in the bodies.',
  {
    entryId: id('The ID of the entry.'),
    at: instant('When the request arrived, in real time and UTC.'),
    clientId: id('The ID of the OAuth client that sent the request.'),
    subject: string('The subject of the access token.'),
    method: string('The HTTP method.'),
    path: string('The path; for REST operations, with its query.'),
    operation: string(
      'The name of the GraphQL operation, or the mutation or query that the REST operation stands for.',
    ),
    status: integer('The HTTP status code of the response.'),
    durationMs: integer('How long the response took, in milliseconds.'),
    idempotencyKey: string('The idempotency key; null if none was sent.').orNull(),
    requestId: string('The `X-Request-Id` of the response.'),
    code: graphType<ProblemCode>(
      () => ErrorCode,
      'The code of the first problem in the response; null if there is none.',
    ).orNull(),
    requestBody: string(
      'The masked body of the request, as JSON; null if there was none, or if it was longer than ' +
        '8,192 bytes or not JSON.',
    ).orNull(),
    responseBody: string(
      'The masked body of the response, as JSON; null if it was longer than 8,192 bytes or not ' +
        'JSON.',
    ).orNull(),
  },
)

export const LoggedRequestConnection = connectionOf(LoggedRequest)

export const LoggedRequestFilter = input(
  'LoggedRequestFilter',
  'The filter for logged requests. All fields that are sent must match.',
  {
    clientId: id(
      'Returns only requests of this OAuth client. For another client than the calling one, the scope `operations:read` is required.',
    ).orNull(),
    operation: string('Returns only requests with this operation.').orNull(),
    requestId: string('Returns only the requests with this `X-Request-Id`.').orNull(),
    idempotencyKey: string('Returns only requests with this idempotency key.').orNull(),
    isRejected: boolean(
      'Returns only requests whose response is a problem (`true`), or is none (`false`).',
    ).orNull(),
  },
)
export type LoggedRequestFilter = TypeOf<typeof LoggedRequestFilter>
