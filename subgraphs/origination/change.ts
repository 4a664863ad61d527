import { requireVisible } from '../_kernel/auth.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { publish } from '../_kernel/records.ts'
import type { Write } from '../_kernel/writes.ts'
import { ownersOf, type LoanApplication } from './domain/application.ts'
import type { ApplicationEvent } from './events.ts'
import { applicationKind } from './store/application.ts'

/**
 * A decided change of an application: its new state, its events in order, and further writes of the
 * commit.
 */
export interface Change<Result> {
  application: LoanApplication
  events: readonly ApplicationEvent[]
  result: (after: LoanApplication) => Result
  writes?: readonly Write[]
}

/** The current application, if the caller may see it. Rejects with APPLICATION_NOT_FOUND. */
export async function requireApplication(
  context: Context,
  applicationId: string,
): Promise<LoanApplication> {
  const found = await applicationKind.find(context, applicationId)
  return requireVisible(context, found, ownersOf, applicationKind.notFound, applicationId)
}

/** Changes an application in one commit. Each event contains the application after the change. */
export function committed<Result>(
  before: LoanApplication,
  change: Change<Result>,
  now: Date,
): Decision<Result> {
  const after = { ...change.application, version: before.version + 1, updatedAt: now }
  return decisionOf(after, change, [applicationKind.update(before, after)])
}

/** Creates an application in one commit. */
export function created<Result>(change: Change<Result>): Decision<Result> {
  return decisionOf(change.application, change, [applicationKind.insert(change.application)])
}

function decisionOf<Result>(
  after: LoanApplication,
  { events, result, writes = [] }: Change<Result>,
  own: readonly Write[],
): Decision<Result> {
  const published = events.map((type) => publish(applicationKind, after, type))
  return {
    result: result(after),
    resourceId: after.applicationId,
    writes: [...own, ...writes],
    events: published.flatMap((each) => each.events),
    facts: published[0]?.facts ?? publish(applicationKind, after, applicationKind.created).facts,
  }
}

/**
 * Changes one application that the caller may see, and returns it.
 * Rejects with APPLICATION_NOT_FOUND, and as `decide` does.
 */
export function changeApplication(
  context: Context,
  operation: string,
  input: { applicationId: string },
  events: readonly ApplicationEvent[] | ((after: LoanApplication) => readonly ApplicationEvent[]),
  decide: (before: LoanApplication, now: Date) => LoanApplication | Promise<LoanApplication>,
): Promise<LoanApplication> {
  return command(context, operation, input, async () => {
    const before = await requireApplication(context, input.applicationId)
    const now = context.now()
    const application = await decide(before, now)
    const told = typeof events === 'function' ? events(application) : events
    return committed(before, { application, events: told, result: (after) => after }, now)
  })
}
