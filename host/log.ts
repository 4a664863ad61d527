import { traceOfLog } from '../kernel/telemetry/tracing.ts'
import pino, { type DestinationStream, type Logger } from 'pino'
import { withSourceLocation } from './source-location.ts'

/**
 * Creates the logger. It writes JSON lines without personal data, which name the trace they belong
 * to.
 */
export function createLog(level: string, destination: DestinationStream): Logger {
  const serializeError = (error: unknown) => loggableError(error)
  const serializers = { error: serializeError, err: serializeError, cause: serializeError }
  return pino({ level, serializers, mixin: traceOfLog }, destination)
}

/** Properties of a database error that say where it occurred, without any values. */
const safeProperties = ['code', 'schema', 'table', 'column', 'constraint', 'routine'] as const
const maxCauses = 5

/**
 * Serializes an error without the data that caused it: PostgreSQL quotes the failing row in
 * `detail`, and a value in the message of a data exception (class 22); Prisma quotes the whole
 * query.
 */
function loggableError(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : {}
  const { cause, stack = '' } = error
  const properties = safeProperties.flatMap((name) => {
    const value = (error as unknown as Record<string, unknown>)[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    type: error.constructor.name,
    message: messageOf(error),
    ...Object.fromEntries(properties),
    stack: stack
      .split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .map(withSourceLocation),
    ...(cause !== undefined && causes < maxCauses && { cause: loggableError(cause, causes + 1) }),
  }
}

function messageOf(error: Error & { code?: unknown }): string {
  const { code, message } = error
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code))
    return 'The database rejected a value.'
  if (error.name.startsWith('PrismaClient')) return message.trim().split('\n').at(-1)!
  return message
}
