import { callerKey } from '../authorization/caller.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../environment/context.ts'
import { isLockTimeout, isUnavailable, isWaitingForKey, sqlState } from '../database/sql-errors.ts'
import { statementName } from '../database/statement-name.ts'
import { Problem } from '../domain/problem.ts'
import { decodeResponse, erasedAnswer, fingerprint } from './answer.ts'
import type { Claim } from './commit.ts'

const maxAttempts = 6
/**
 * The maximum number of lock timeouts per request. Each takes two seconds, and a request has ten
 * seconds.
 */
export const maxLockWaits = 2

/** One use of an idempotency key: owner, operation, key, and the fingerprint of the request. */
export type Attempt = Pick<Claim, 'owner' | 'operation' | 'key' | 'fingerprint'>

/** Returns this request's use of its idempotency key; null if the request has no key. */
export function attemptOf(context: Context, operation: string, input: unknown): Attempt | null {
  const key = context.envelope.idempotencyKey
  if (!key) return null
  return { owner: keyOwner(context), operation, key, fingerprint: fingerprint(operation, input) }
}

/** The result of an attempt; null if nothing was done because the key was used before. */
export type Done<Result> = { readonly result: Result } | null

/** The options of a write that is not a command. */
interface AttemptOptions<Result> {
  /** Returns the result from the stored response. Default: the response is the result. */
  replay?: (stored: unknown) => Promise<Result>
  /** The attempt from which a lock timeout ends the request. Default: 2. */
  lockWaits?: number
}

/**
 * Runs a write until it commits or fails. After a conflict, the write is attempted again; after a
 * lost connection, only if the request has an idempotency key. If the key was used before, the
 * stored response is returned.
 *
 * Throws IDEMPOTENCY_KEY_REUSED, RESPONSE_ERASED, IDEMPOTENCY_IN_PROGRESS while another request
 * holds the key, RESOURCE_BUSY for a lock timeout in attempt `lockWaits` or later, VERSION_CONFLICT after six
 * attempts, DEPENDENCY_UNAVAILABLE, and whatever `tryOnce` throws.
 */
export async function runUntilDone<Result>(
  context: Context,
  attempt: Attempt | null,
  tryOnce: (tries: number) => Promise<Done<Result>>,
  { replay, lockWaits = maxLockWaits }: AttemptOptions<Result> = {},
): Promise<Result> {
  const replayResponse = ({ answer }: { answer: unknown }) =>
    replay ? replay(answer) : (answer as Result)
  let isOutcomeUnknown = false
  for (let tries = 1; ; tries++) {
    try {
      const done = await tryOnce(tries)
      if (done) return done.result
      return await replayResponse((await readStoredResponse(context, attempt!))!)
    } catch (error) {
      if (error instanceof Problem) {
        const storedResponse = attempt && (await readStoredResponse(context, attempt))
        if (storedResponse) return replayResponse(storedResponse)
        throw isOutcomeUnknown ? unknownOutcome(error) : error
      }
      isOutcomeUnknown ||= isUnavailable(error)
      await waitToRepeat(error, tries, attempt !== null, lockWaits)
    }
  }
}

/**
 * Returns the owner of the caller's idempotency keys, so that keys of two users of one client never
 * collide.
 */
export function keyOwner({ caller }: Context): string {
  return callerKey(caller)
}

const storedResponseSql =
  'select fingerprint, answer from kernel.idempotency where owner = $1 and operation = $2 and key = $3'

/**
 * Returns the stored response of an idempotency key; null if the key was not used yet. If there is
 * one, marks the response of this request as replayed. Throws IDEMPOTENCY_KEY_REUSED if the key
 * belongs to a different request, and RESPONSE_ERASED if the response was erased.
 */
export async function readStoredResponse(
  context: Context,
  { owner, operation, key, fingerprint: requestFingerprint }: Attempt,
): Promise<{ answer: unknown } | null> {
  const { rows } = await context.bank.pool.query<{ fingerprint: string; answer: string }>({
    name: statementName(storedResponseSql),
    text: storedResponseSql,
    values: [owner, operation, key],
  })
  const record = rows[0]
  if (!record) return null
  if (record.fingerprint !== requestFingerprint) {
    throw new Problem('IDEMPOTENCY_KEY_REUSED', {
      errors: [
        {
          header: 'Idempotency-Key',
          code: 'IDEMPOTENCY_KEY_REUSED',
          detail: 'Use a new key for a new request, or repeat the first request unchanged.',
        },
      ],
    })
  }
  if (record.answer === erasedAnswer) throw new Problem('RESPONSE_ERASED')
  context.outcome.isReplayed = true
  return { answer: decodeResponse(record.answer) }
}

const usedKeysSql =
  'select key from kernel.idempotency where owner = $1 and operation = $2 and key = any($3)'

/** Returns which of these idempotency keys the caller has already used for an operation. */
export async function readUsedKeys(
  context: Context,
  operation: string,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await context.bank.pool.query<{ key: string }>({
    name: statementName(usedKeysSql),
    text: usedKeysSql,
    values: [keyOwner(context), operation, keys],
  })
  return new Set(rows.map(({ key }) => key))
}

/**
 * After this time an attempt whose connection was lost has either committed or failed: 15 seconds
 * is longer than any statement timeout.
 */
const settledAfterSeconds = 15

/**
 * Returns the problem that replaces a rejection after an earlier attempt lost its connection. That
 * attempt may still commit, so the rejection would not be final. The client is asked to retry when
 * the outcome of that attempt is certain.
 */
function unknownOutcome(cause: unknown): Problem {
  const members = { retryAfterSeconds: settledAfterSeconds }
  return new Problem('DEPENDENCY_UNAVAILABLE', members, { cause })
}

/**
 * Waits a random time before the command is decided again. Throws if the error does not allow
 * another attempt.
 */
async function waitToRepeat(
  error: unknown,
  tries: number,
  isKeyed: boolean,
  lockWaits: number,
): Promise<void> {
  const state = sqlState(error)
  const isConflict = state === 'BG001' || state === '23505'
  const isLost = isUnavailable(error)
  if (isKeyed && isWaitingForKey(error)) {
    throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 }, { cause: error })
  }
  if (isLockTimeout(error) && tries >= lockWaits) {
    throw new Problem('RESOURCE_BUSY', { retryAfterSeconds: 1 }, { cause: error })
  }
  if (isConflict && tries >= maxAttempts)
    throw new Problem('VERSION_CONFLICT', {}, { cause: error })
  const mayRepeat =
    isConflict || state === '55P03' || state === '40001' || state === '40P01' || (isLost && isKeyed)
  if (!mayRepeat || tries >= maxAttempts) {
    if (isLost || mayRepeat) throw new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause: error })
    throw error
  }
  await sleep(Math.random() * (isLost ? 200 : 10) * tries)
}
