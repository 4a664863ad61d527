import { randomUUID } from 'node:crypto'
import type { Bank } from '../kernel/environment/bank.ts'
import { catalog, isRetryable, Problem, problemSlug } from '../kernel/domain/problem.ts'

/** Returns the body of a problem response (RFC 9457). */
export function problemBody(
  { issuer }: Pick<Bank, 'issuer'>,
  problem: Problem,
  requestId: string,
  instance?: string,
): Record<string, unknown> {
  const { detail, retryAfterSeconds: _, status: _status, ...members } = problem.members
  const { code, status } = problem
  const { title } = catalog[code]
  return {
    type: `${issuer}/problems/${problemSlug(code)}`,
    title,
    status,
    detail: detail ?? title,
    ...(instance && { instance: instance.split('?')[0] }),
    code,
    requestId,
    retryable: isRetryable(code),
    ...members,
  }
}

/**
 * Returns the raw HTTP response to a request that Node could not parse or that took too long to
 * arrive.
 */
export function rawRefusal(bank: Bank, code: string | undefined): string {
  const problemCode =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'BAD_REQUEST'
  return rawProblem(bank, new Problem(problemCode))
}

/** Returns a problem as a raw HTTP response, for sockets without a response object. */
export function rawProblem(bank: Bank, problem: Problem): string {
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(bank, problem, requestId))
  const { retryAfterSeconds } = problem.members
  return [
    `HTTP/1.1 ${problem.status} ${problem.code}`,
    'connection: close',
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(retryAfterSeconds ? [`retry-after: ${retryAfterSeconds}`] : []),
    `x-request-id: ${requestId}`,
    '',
    body,
  ].join('\r\n')
}
