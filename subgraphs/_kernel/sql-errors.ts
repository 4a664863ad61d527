/** SQLSTATEs hold a digit, which the codes of sockets (`EPIPE`) do not; Prisma's own are `P1001` and up. */
const sqlStatePattern = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/

/** The SQLSTATE of a driver's or Prisma's error, wherever it hides it. */
export function sqlState(error: unknown): string | undefined {
  for (const { code, originalCode } of causesOf(error)) {
    if (typeof code === 'string' && sqlStatePattern.test(code)) return code
    if (typeof originalCode === 'string') return originalCode
    if (code === 'P2034') return '40001'
  }
  return undefined
}

/** An error and what caused it, outermost first; Prisma keeps the driver's beside its own, GraphQL too. */
function causesOf(error: unknown): Record<string, any>[] {
  const causes: Record<string, any>[] = []
  for (let at = error as Record<string, any> | undefined; at && causes.length < 8;) {
    causes.push(at)
    at = at['meta']?.driverAdapterError ?? at['cause'] ?? at['originalError']
    if (typeof at !== 'object') break
  }
  return causes
}

/** Whether a lock was not granted in time (lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/**
 * Whether a lock was not granted in time because another request claims the same idempotency key.
 * PostgreSQL names the row's table in the context of the error; any other row is another matter.
 */
export function isWaitingForKey(error: unknown): boolean {
  if (!isLockTimeout(error)) return false
  return causesOf(error).some(({ where }) => /relation "idempotency"/.test(String(where)))
}

/** Codes of sockets, of name resolution, and of Prisma, that mean there is no connection any more. */
const lostConnection = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EPIPE ENOENT ENOTCONN EHOSTUNREACH EHOSTDOWN ' +
    'ENETUNREACH ENETDOWN ENETRESET EADDRNOTAVAIL EPROTO ENOTFOUND EAI_AGAIN ' +
    'ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END P1001 P1002 P1008 P1011 P1017 P2024 P2037'
  ).split(' '),
)

/** What the driver says without a code. */
const lostMessage =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable|Connection ended unexpectedly|Can't reach database/

/**
 * Whether the database is away or going away, rather than refusing this statement. The outcome of
 * a statement that ends so is unknown: repeat it only under an idempotency key.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return /^(08|53|57P)/.test(state) || ['25006', '25P03', '57014'].includes(state)
  return causesOf(error).some(
    ({ code, message }) => lostConnection.has(code) || lostMessage.test(message ?? ''),
  )
}

/**
 * A failure of a commit. Without a SQLSTATE it is not the database that refused: the answer was
 * lost, and whether the commit stands is unknown, whatever the reason. That has a SQLSTATE too.
 */
export function commitFailure(error: unknown): unknown {
  if (sqlState(error)) return error
  const message = `The outcome of the commit is unknown: ${(error as Error).message}`
  return Object.assign(new Error(message, { cause: error }), { code: '08007' })
}
