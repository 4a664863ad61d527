/** The SQLSTATE of a driver's or Prisma's error, wherever it hides it. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error as Record<string, any> | undefined, depth = 0; at && depth < 5; depth++) {
    if (typeof at['code'] === 'string' && /^[0-9A-Z]{5}$/.test(at['code'])) return at['code']
    const original =
      at['meta']?.driverAdapterError?.cause?.originalCode ?? at['cause']?.originalCode
    if (typeof original === 'string') return original
    if (at['code'] === 'P2034') return '40001'
    at = at['cause']
  }
  return undefined
}

const lostConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'])

/**
 * Whether the database is away or going away, rather than refusing this statement. The outcome of
 * a statement that ends so is unknown: repeat it only under an idempotency key.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state && (/^(08|53|57P)/.test(state) || state === '25006' || state === '57014')) return true
  const code = (error as { code?: string }).code
  if (code && lostConnection.has(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Can't reach database/.test(
    (error as Error).message ?? '',
  )
}
