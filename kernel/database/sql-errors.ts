/**
 * Matches a SQLSTATE: five characters with at least one digit. Socket codes such as `EPIPE` have no
 * digit. Prisma's own codes, such as `P1001`, are excluded.
 */
const sqlStatePattern = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/

/**
 * Returns the SQLSTATE of an error from the driver or Prisma, even if other errors wrap it;
 * undefined if there is none.
 */
export function sqlState(error: unknown): string | undefined {
  for (const { code, originalCode } of causesOf(error)) {
    if (typeof code === 'string' && sqlStatePattern.test(code)) return code
    if (typeof originalCode === 'string') return originalCode
    if (code === 'P2034') return '40001'
  }
  return undefined
}

/**
 * Returns an error and its causes, outermost first, at most eight in total. Prisma and GraphQL
 * store the cause under different property names.
 */
function causesOf(error: unknown): Record<string, any>[] {
  const causes: Record<string, any>[] = []
  for (let next = error as Record<string, any> | undefined; next && causes.length < 8;) {
    causes.push(next)
    next = next['meta']?.driverAdapterError ?? next['cause'] ?? next['originalError']
    if (typeof next !== 'object') break
  }
  return causes
}

/** Whether a statement timed out while waiting for a lock (lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/**
 * Whether a statement timed out while waiting for another request with the same idempotency key.
 * PostgreSQL names the table of the locked row in the context of the error.
 */
export function isWaitingForKey(error: unknown): boolean {
  if (!isLockTimeout(error)) return false
  return causesOf(error).some(({ where }) => /relation "idempotency"/.test(String(where)))
}

/**
 * Error codes of sockets, streams, name resolution and Prisma that mean that the connection is
 * lost.
 */
const lostConnectionCodes = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EPIPE ENOENT ENOTCONN EHOSTUNREACH EHOSTDOWN ' +
    'ENETUNREACH ENETDOWN ENETRESET EADDRNOTAVAIL EPROTO ENOTFOUND EAI_AGAIN ' +
    'ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END P1001 P1002 P1008 P1011 P1017 P2024 P2037'
  ).split(' '),
)

/** Messages of driver errors that have no code and mean that the connection is lost. */
const lostConnectionMessage =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable|Connection ended unexpectedly|Can't reach database/

/**
 * Whether the database is unreachable, short of resources, shutting down or read-only, or a
 * statement or an idle transaction timed out. The outcome of the statement may be unknown, so retry
 * it only with an idempotency key.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return /^(08|53|57P)/.test(state) || ['25006', '25P03', '57014'].includes(state)
  return isSocketLost(error)
}

/**
 * Whether there is no connection to the database. Unlike `isUnavailable`, this excludes errors of a
 * single statement, such as a statement that PostgreSQL canceled.
 */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  return state ? /^(08|57P)|^53300$/.test(state) : isSocketLost(error)
}

const isSocketLost = (error: unknown) =>
  causesOf(error).some(
    ({ code, message }) =>
      lostConnectionCodes.has(code) || lostConnectionMessage.test(message ?? ''),
  )

/**
 * Returns the error of a failed commit. An error without a SQLSTATE did not come from the database:
 * the response was lost, and the commit may have succeeded. Such an error is wrapped in an error
 * with SQLSTATE 08007 (transaction_resolution_unknown).
 */
export function commitFailure(error: unknown): unknown {
  if (sqlState(error)) return error
  const message = `The outcome of the commit is unknown: ${(error as Error).message}`
  return Object.assign(new Error(message, { cause: error }), { code: '08007' })
}
