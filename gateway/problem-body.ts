import { randomUUID } from 'node:crypto'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { catalogue, Problem, problemSlug } from '../subgraphs/_kernel/domain/problem.ts'
import { isRetryable } from '../subgraphs/_kernel/graph/errors.ts'

/** The members of a problem as REST answers them (RFC 9457). */
export function problemBody(
  bank: Bank,
  problem: Problem,
  requestId: string,
  instance?: string,
): Record<string, unknown> {
  const { detail, retryAfterSeconds: _, status: _status, ...members } = problem.members
  const { code, status } = problem
  const { title } = catalogue[code]
  return {
    type: `${bank.issuer}/problems/${problemSlug(code)}`,
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

/** A whole HTTP answer for what never became a request: bad syntax, headers too large or too slow. */
export function rawRefusal(bank: Bank, code: string | undefined): string {
  const problem =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'BAD_REQUEST'
  return rawProblem(bank, new Problem(problem))
}

/** A problem as a whole HTTP answer, where there is nothing to answer with. */
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
