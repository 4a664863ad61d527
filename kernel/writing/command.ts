import { actorOf } from '../authorization/caller.ts'
import { bankCaller } from '../authorization/auth.ts'
import { encodeResponse, personsOf } from './answer.ts'
import { attemptOf, runUntilDone, type Attempt, type Done } from './attempts.ts'
import { realNow } from '../work/clock.ts'
import { CommandScope } from './command-scope.ts'
import { commit, type Claim } from './commit.ts'
import type { Context } from '../environment/context.ts'
import { dataOf, type DomainEvent, type EventRow } from '../events/events.ts'
import { inSpan, rememberCause, SpanKind } from '../telemetry/tracing.ts'
import { guardFacts, type PublishedFact } from './facts.ts'
import type { Write } from './writes.ts'

/**
 * The decision of a command. A decision without writes, events and facts changes nothing: the
 * requested state was already reached.
 */
export interface Decision<Result> {
  result: Result
  /** The ID of the record concerned. It is stored with the idempotency key. */
  resourceId?: string
  /**
   * Whether the idempotency key is stored permanently instead of for 30 days. Set for every
   * operation that moves money.
   */
  retainsKey?: boolean
  writes?: readonly Write[]
  events?: readonly DomainEvent[]
  facts?: readonly PublishedFact[]
}

/**
 * Runs a command: makes a decision, then commits it once.
 *
 * `decide` reads data and decides in pure code without side effects. It may run several times, so
 * it must not read through a loader, which would return cached records. The decision is committed
 * in one statement, together with the idempotency key and the stored response. If a row was changed
 * concurrently, or the database reports a serialization failure or a deadlock, the command is
 * decided again. If the idempotency key was already used, the stored response is returned.
 *
 * Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS while another request holds the key,
 * RESOURCE_BUSY for a lock timeout in the second attempt or later, VERSION_CONFLICT after six
 * attempts, DEPENDENCY_UNAVAILABLE, and whatever `decide` throws.
 */
export async function command<Result>(
  context: Context,
  operation: string,
  input: unknown,
  decide: () => Promise<Decision<Result>>,
): Promise<Result> {
  // A command that starts while another command runs in the same context gets no scope of its own.
  const { commands } = context
  if (commands.current) commands.current.isOverlapped = true
  const scope = commands.current ? null : new CommandScope()
  commands.current ??= scope
  try {
    const attempt = attemptOf(context, operation, input)
    return await runUntilDone(context, attempt, (tries) =>
      decideAndCommit(context, decide, { operation, tries, attempt, scope }),
    )
  } finally {
    if (scope) {
      commands.current = null
      scope.end()
    }
  }
}

/** What an attempt of a command needs to know. */
interface AttemptState {
  operation: string
  /** The number of this attempt, from 1. */
  tries: number
  attempt: Attempt | null
  scope: CommandScope | null
}

/** Runs one attempt of a command. Returns null if the idempotency key was already used. */
async function decideAndCommit<Result>(
  context: Context,
  decide: () => Promise<Decision<Result>>,
  { operation, tries, attempt, scope }: AttemptState,
): Promise<Done<Result>> {
  if (scope) scope.attempt = tries
  scope?.heldFacts.clear()
  scope?.referredFacts.clear()
  try {
    const decision = await inSpan(
      `decide ${operation}`,
      SpanKind.INTERNAL,
      { attempt: tries },
      decide,
    )
    if (decision.events?.length) rememberCause(context.envelope.requestId)
    const isCommitted = await commitDecision(context, decision, attempt, scope)
    return isCommitted ? decision : null
  } finally {
    await scope?.rollback()
  }
}

/** Returns the row that stores an idempotency key together with the response. */
export function claimOf(
  context: Context,
  attempt: Attempt,
  { result, resourceId, retainsKey = false, events = [] }: Decision<unknown>,
): Claim {
  const answer = encodeResponse(result)
  const { partyId } = context.caller
  const parties = [
    ...(partyId === null ? [] : [partyId]),
    ...events.flatMap((event) => event.parties),
  ]
  return {
    ...attempt,
    answer,
    persons: personsOf(answer, parties),
    resourceId: resourceId ?? null,
    // Real time, because the retention of a key must not depend on a clock that callers can move.
    createdAt: realNow(),
    isRetained: retainsKey || context.caller === bankCaller,
  }
}

async function commitDecision<Result>(
  context: Context,
  decision: Decision<Result>,
  attempt: Attempt | null,
  scope: CommandScope | null,
): Promise<boolean> {
  const { events = [] } = decision
  const guarded = guardsOf(context, decision)
  const { facts } = guarded
  const writes = [...(decision.writes ?? []), ...guarded.writes]
  const createdAt = context.now()
  const claims = attempt ? [claimOf(context, attempt, decision)] : []
  if (!attempt && writes.length === 0 && events.length === 0 && facts.length === 0) return true
  const decided = {
    claims,
    writes,
    events: events.map((event, ordinal) => eventRow(context, event, ordinal, createdAt)),
    facts: facts.map(({ subject, data }) => ({ subject, data })),
  }
  return commit(context.bank, decided, scope)
}

/**
 * Returns the writes that guard facts, and the facts to publish. A decision without writes needs no
 * guards.
 */
function guardsOf({ commands }: Context, { writes = [], facts = [] }: Decision<unknown>) {
  if (!commands.current || writes.length === 0) return { writes: [], facts }
  return guardFacts(commands.current, facts)
}

/**
 * Returns the row of an event. Throws an Error if its type is not declared or its data does
 * not match the declaration.
 */
export function eventRow(
  context: Context,
  event: DomainEvent,
  ordinal: number,
  time: Date,
): EventRow {
  return {
    event_id: context.newId('event'),
    type: event.type,
    subject: event.subject,
    subject_version: event.version,
    ordinal,
    time,
    data: dataOf(event),
    parties: event.parties,
    correlation_id: context.envelope.requestId,
    causation_id: event.causationId ?? null,
    actor: actorOf(context.caller),
  }
}
