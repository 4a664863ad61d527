import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors'
import { expect, test } from 'vitest'
import { HttpError, Obstacle, problemOf } from '../../console/src/graph/problem.ts'
import { NoAnswer, SessionOver } from '../../console/src/session/errors.ts'

const page = '<html>A page of a proxy</html>'
const inGraph = (code: string, retryable = false) =>
  new CombinedGraphQLErrors({
    data: null,
    errors: [{ message: 'It says why.', extensions: { code, retryable } }],
  })
const answer = (status: number, bodyText: string) =>
  new ServerError('Failed', { response: new Response(bodyText, { status }), bodyText })
const rejection = (code: string) => JSON.stringify({ code, detail: 'It says why.' })

test.each([
  ['no connection', new NoAnswer(), 'No answer from the bank', false],
  ['a proxy without a bank', answer(502, page), 'No answer from the bank', false],
  [
    'the log-in page of a network',
    new ServerParseError(new Error('Unexpected token'), {
      response: new Response(page),
      bodyText: page,
    }),
    'No answer from the bank',
    false,
  ],
  [
    'an upload that a proxy finds too large',
    new HttpError(413, page, null),
    'This is too large',
    true,
  ],
  [
    'a body that the bank finds too large',
    answer(413, rejection('PAYLOAD_TOO_LARGE')),
    'This is too large',
    true,
  ],
  ['a proxy that forbids it', answer(403, page), 'Something went wrong', true],
  ['a proxy that failed', answer(500, page), 'Something went wrong', false],
  ['a mistake in the bank', inGraph('INTERNAL'), 'Something went wrong', true],
  ['a session that ended', new SessionOver(), 'You are not logged in', true],
  ['a missing scope', inGraph('INSUFFICIENT_SCOPE'), 'You may not see or do this', true],
  [
    'an operation for employees',
    inGraph('NOT_FOR_DELEGATED_USERS'),
    'You may not see or do this',
    true,
  ],
  ['a busy bank', inGraph('TIMEOUT', true), 'Not possible right now', true],
  ['a rule of the bank', inGraph('INSUFFICIENT_FUNDS'), 'The bank rejected this', true],
  [
    'an expired upload',
    new HttpError(404, rejection('CONTENT_NOT_FOUND'), null),
    'The bank rejected this',
    true,
  ],
  [
    'a file that the console does not send',
    new Obstacle('The file is too large', ''),
    'The file is too large',
    true,
  ],
  ['a mistake in the console', new TypeError('x is undefined'), 'A mistake in the console', false],
])('people see what happened: %s', (_, error, title, isAnswered) => {
  expect(problemOf(error)).toMatchObject({ title, isAnswered })
})

test('what came to nothing at the bank is not repeated, and what may pass is', () => {
  const repeated = (error: unknown) => {
    const { isAnswered, isRetryable } = problemOf(error)
    return !isAnswered && isRetryable
  }
  expect([new NoAnswer(), answer(503, page)].map(repeated)).toEqual([true, true])
  expect([answer(403, page), answer(500, page), new SessionOver()].map(repeated)).toEqual([
    false,
    false,
    false,
  ])
})
