import pino, { type DestinationStream, type Logger } from 'pino'

/** The log of this program: JSON lines. What people say about themselves is in none of them. */
export function createLog(level: string, destination: DestinationStream): Logger {
  const told = (error: unknown) => sayable(error)
  const serializers = { error: told, err: told, cause: told }
  return pino({ level, serializers }, destination)
}

/** What a database says about where it failed, and not with which values. */
const places = ['code', 'schema', 'table', 'column', 'constraint', 'routine'] as const
const mostCauses = 5

/**
 * An error without the data it happened to: PostgreSQL quotes the failing row in `detail`, and a
 * value in the message of a data exception (class 22); Prisma quotes the whole query.
 */
function sayable(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : {}
  const { cause, stack = '' } = error
  const known = places.flatMap((name) => {
    const value = (error as unknown as Record<string, unknown>)[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    type: error.constructor.name,
    message: messageOf(error),
    ...Object.fromEntries(known),
    stack: stack.split('\n').filter((line) => /^ {4}at /.test(line)),
    ...(cause !== undefined && causes < mostCauses && { cause: sayable(cause, causes + 1) }),
  }
}

function messageOf(error: Error & { code?: unknown }): string {
  const { code, message } = error
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return 'A value was refused.'
  if (error.name.startsWith('PrismaClient')) return message.trim().split('\n').at(-1)!
  return message
}
