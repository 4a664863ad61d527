import type { LoanApplication } from '../model/application.ts'
import { requireVisible } from '../../../kernel/authorization/auth.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { ownersOf } from '../domain/application.ts'
import { declinedEvents, type ApplicationEvent } from '../events.ts'
import { applicationKind } from '../store/application.ts'

/**
 * A change to an application that is ready to commit: the new state, its events in order, and other
 * writes of the same commit.
 */
export interface Change<Result> {
  application: LoanApplication
  events: readonly ApplicationEvent[]
  result: (after: LoanApplication) => Result
  writes?: readonly Write[]
}

/**
 * Reads the current state of an application. Throws APPLICATION_NOT_FOUND, also if the application
 * is not visible to the caller.
 */
export async function requireApplication(
  context: Context,
  applicationId: string,
): Promise<LoanApplication> {
  const found = await applicationKind.find(context, applicationId)
  return requireVisible(context, found, ownersOf, applicationKind.notFound, applicationId)
}

/**
 * Returns the `Decision` of a command that changes an application. Each event contains the
 * application after the change.
 */
export function changeDecision<Result>(
  before: LoanApplication,
  change: Change<Result>,
  now: Date,
): Decision<Result> {
  const after = { ...change.application, version: before.version + 1, updatedAt: now }
  return decisionOf(after, change, [applicationKind.update(before, after)])
}

/** Returns the `Decision` of a command that creates an application. */
export function creationDecision<Result>(change: Change<Result>): Decision<Result> {
  return decisionOf(change.application, change, [applicationKind.insert(change.application)])
}

function decisionOf<Result>(
  after: LoanApplication,
  { events, result, writes = [] }: Change<Result>,
  applicationWrites: readonly Write[],
): Decision<Result> {
  const publications = events.map((type) => publicationOf(applicationKind, after, type))
  return {
    result: result(after),
    resourceId: after.applicationId,
    writes: [...applicationWrites, ...writes],
    events: publications.flatMap((each) => each.events),
    facts:
      publications[0]?.facts ??
      publicationOf(applicationKind, after, applicationKind.created).facts,
  }
}

/**
 * Changes an application that is visible to the caller, emits the event, and returns the
 * application. If an application for a loan is closed by the change, a second event follows.
 * Throws APPLICATION_NOT_FOUND, and whatever `decide` throws.
 */
export function changeApplication(
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  applicationId: string,
  event: ApplicationEvent,
  decide: (before: LoanApplication, now: Date) => LoanApplication | Promise<LoanApplication>,
): Promise<LoanApplication> {
  return command(context, operation, input, async () => {
    const before = await requireApplication(context, applicationId)
    const now = context.now()
    const application = await decide(before, now)
    const events = application.status === 'declined' ? declinedEvents(application) : [event]
    return changeDecision(before, { application, events, result: (after) => after }, now)
  })
}
