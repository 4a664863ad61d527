import { setTimeout as sleep } from 'node:timers/promises'
import { bankCaller } from './auth.ts'
import { decodeAnswer, encodeAnswer, fingerprint } from './answer.ts'
import { realNow } from './clock.ts'
import { CommandScope } from './command-scope.ts'
import { commit, type Claim } from './commit.ts'
import type { Context } from './context.ts'
import { isLockTimeout, isUnavailable, isWaitingForKey, sqlState } from './sql-errors.ts'
import { statementName } from './statement-name.ts'
import { Problem } from './domain/problem.ts'
import { dataOf, type Told } from './events.ts'
import { holdFacts } from './facts.ts'
import type { Row, Write } from './writes.ts'

/** What other areas may know of a record, published in the commit that changed it. `subject` is `<entity>/<id>`. */
export interface PublishedFact {
  subject: string
  data: Row
}

/** What a command decided. A decision without writes is an answer that was true already. */
export interface Decision<Result> {
  result: Result
  /** The record the command was about, for whoever looks up what became of a key. */
  resourceId?: string
  /** Keys are forgotten after 30 days; that of something which moved money never is. */
  isKeyKept?: boolean
  writes?: readonly Write[]
  events?: readonly Told[]
  facts?: readonly PublishedFact[]
}

const mostAttempts = 6
/** How often a request waits for a lock: up to two seconds each time, and it has ten. */
export const maxLockWaits = 2

/**
 * The one door for writes: decides, then commits once.
 *
 * `decide` reads what it needs (never through a loader: it may run again) and decides in pure code;
 * it has no effects. Everything it decided commits in one statement together with the claim of the
 * idempotency key and the answer. When a row changed in between, or the database asks for it, the
 * command is decided again. A key that was used before answers what it answered then.
 *
 * Refuses with IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS while another request claims the key,
 * RESOURCE_BUSY after waiting twice for a lock, VERSION_CONFLICT after six tries,
 * DEPENDENCY_UNAVAILABLE, and whatever `decide` refuses with.
 */
export async function command<Result>(
  context: Context,
  operation: string,
  input: unknown,
  decide: () => Promise<Decision<Result>>,
): Promise<Result> {
  // A command that runs while another of the same context does has no scope of its own to wait in.
  const { commands } = context
  if (commands.current) commands.current.isOverlapped = true
  const scope = commands.current ? null : new CommandScope()
  commands.current ??= scope
  try {
    return await decideAndCommit(context, attemptOf(context, operation, input), decide, scope)
  } finally {
    if (scope) {
      commands.current = null
      scope.end()
    }
  }
}

async function decideAndCommit<Result>(
  context: Context,
  attempt: Attempt | null,
  decide: () => Promise<Decision<Result>>,
  scope: CommandScope | null,
): Promise<Result> {
  let isOutcomeUnknown = false
  for (let tries = 1; ; tries++) {
    if (scope) scope.attempt = tries
    scope?.heldFacts.clear()
    try {
      const decision = await decide()
      if (await commitDecision(context, decision, attempt, scope)) return decision.result
      return (await remembered(context, attempt!))!.answer as Result
    } catch (error) {
      await scope?.rollback()
      if (error instanceof Problem) {
        const earlier = attempt && (await remembered(context, attempt))
        if (earlier) return earlier.answer as Result
        throw isOutcomeUnknown ? unknownOutcome(error) : error
      }
      isOutcomeUnknown ||= isUnavailable(error)
      await waitToRepeat(error, tries, attempt !== null)
    } finally {
      await scope?.rollback()
    }
  }
}

/** One use of an idempotency key. */
export type Attempt = Pick<Claim, 'owner' | 'operation' | 'key' | 'fingerprint'>

/** The use this request makes of its key; null when it has none. */
export function attemptOf(context: Context, operation: string, input: unknown): Attempt | null {
  const key = context.envelope.idempotencyKey
  if (!key) return null
  return { owner: keyOwner(context), operation, key, fingerprint: fingerprint(operation, input) }
}

/** The row that remembers what an attempt was answered. */
export function claimOf(
  context: Context,
  attempt: Attempt,
  { result, resourceId, isKeyKept = false }: Decision<unknown>,
): Claim {
  return {
    ...attempt,
    answer: encodeAnswer(result),
    resourceId: resourceId ?? null,
    // Real time: how long a key is kept does not depend on a clock that callers can move.
    createdAt: realNow(),
    isKept: isKeyKept || context.caller === bankCaller,
  }
}

async function commitDecision<Result>(
  context: Context,
  decision: Decision<Result>,
  attempt: Attempt | null,
  scope: CommandScope | null,
): Promise<boolean> {
  const { events = [], facts = [] } = decision
  const writes = [...(decision.writes ?? []), ...holds(context, decision)]
  const createdAt = context.now()
  const claims = attempt ? [claimOf(context, attempt, decision)] : []
  if (!attempt && writes.length === 0 && events.length === 0 && facts.length === 0) return true
  const decided = {
    claims,
    writes,
    events: events.map((told, ordinal) => outboxRow(context, told, ordinal, createdAt)),
    facts: facts.map(({ subject, data }) => ({ subject, data })),
  }
  return commit(context.bank, decided, scope?.transaction ? scope : context.bank.commits)
}

/** A decision without writes needs nothing held, and what it publishes itself has a row of its own that is held. */
function holds({ commands }: Context, { writes = [], facts = [] }: Decision<unknown>): Write[] {
  if (!commands.current || writes.length === 0) return []
  const held = new Map(commands.current.heldFacts)
  for (const { subject } of facts) held.delete(subject)
  return holdFacts(held)
}

/** An event as it waits for its position. Throws when nobody declared its type, or its data is not as declared. */
export function outboxRow(context: Context, told: Told, ordinal: number, time: Date): Row {
  return {
    event_id: context.newId('event'),
    type: told.type,
    subject: told.subject,
    subject_version: told.version,
    ordinal,
    time,
    data: dataOf(told),
    parties: told.parties,
    correlation_id: context.envelope.requestId,
    causation_id: told.causationId ?? null,
    actor: context.caller.partyId ?? context.caller.clientId,
  }
}

/**
 * Whose key it is: the client, and the party it acts for, so that two users of one client never
 * meet. Both names come from the token's issuer and may contain anything, so they are not joined.
 */
export function keyOwner({ caller }: Context): string {
  return JSON.stringify([caller.clientId, caller.partyId])
}

const rememberedSql =
  'select fingerprint, answer from kernel.idempotency where owner = $1 and operation = $2 and key = $3'

/**
 * What the key was answered before; null when it is free. Says so in the answer's headers.
 * Refuses with IDEMPOTENCY_KEY_REUSED.
 */
export async function remembered(
  context: Context,
  { owner, operation, key, fingerprint: asked }: Attempt,
): Promise<{ answer: unknown } | null> {
  const { rows } = await context.bank.pool.query<{ fingerprint: string; answer: string }>({
    name: statementName(rememberedSql),
    text: rememberedSql,
    values: [owner, operation, key],
  })
  const record = rows[0]
  if (!record) return null
  if (record.fingerprint !== asked) {
    throw new Problem('IDEMPOTENCY_KEY_REUSED', {
      errors: [
        {
          header: 'Idempotency-Key',
          code: 'IDEMPOTENCY_KEY_REUSED',
          detail: 'Take a new key for a new request, or send the first request unchanged.',
        },
      ],
    })
  }
  context.outcome.isReplayed = true
  return { answer: decodeAnswer(record.answer) }
}

/** Longer than any statement of ours may run. */
const settledAfterSeconds = 15

/**
 * What a refusal becomes after an attempt whose connection was lost: that attempt may still commit, so
 * the refusal is not final. By the time the client repeats the request, it has committed or never will.
 */
export function unknownOutcome(cause: unknown): Problem {
  const members = { retryAfterSeconds: settledAfterSeconds }
  return new Problem('DEPENDENCY_UNAVAILABLE', members, { cause })
}

/** Waits before the command is decided again, or throws what ends it. */
export async function waitToRepeat(error: unknown, tries: number, isKeyed: boolean): Promise<void> {
  const state = sqlState(error)
  const isConflict = state === 'BG001' || state === '23505'
  const isLost = isUnavailable(error)
  if (isKeyed && isWaitingForKey(error)) {
    throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 }, { cause: error })
  }
  if (isLockTimeout(error) && tries >= maxLockWaits) {
    throw new Problem('RESOURCE_BUSY', { retryAfterSeconds: 1 }, { cause: error })
  }
  if (isConflict && tries >= mostAttempts)
    throw new Problem('VERSION_CONFLICT', {}, { cause: error })
  const mayRepeat =
    isConflict || state === '55P03' || state === '40001' || state === '40P01' || (isLost && isKeyed)
  if (!mayRepeat || tries >= mostAttempts) {
    if (isLost || mayRepeat) throw new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause: error })
    throw error
  }
  await sleep(Math.random() * (isLost ? 200 : 10) * tries)
}
