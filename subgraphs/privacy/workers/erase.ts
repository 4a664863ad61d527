import type { Context } from '../../../kernel/environment/context.ts'
import { inBatches } from '../../../kernel/work/batches.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { factSubjectOf, subjectOf, type DataSubject } from '../domain/data-subject.ts'
import { nextStep, verdictOf, type ErasureStep } from '../domain/erasure-plan.ts'
import type { ErasureLine, ErasureRequest } from '../model/erasure.ts'
import {
  erasureKind,
  listErasureLines,
  performStep,
  readApprovedErasures,
} from '../store/erasure.ts'
import { readSteps } from '../store/erasure-steps.ts'
import { readEnd, scheduleRetry } from '../store/relationship-end.ts'

const batchSize = 20

type StepsByKind = Readonly<Record<DataSubject['kind'], readonly ErasureStep[]>>

/** Erases what approved erasures allow, table by table, and completes their reports. */
export const performErasures: Worker = {
  name: 'privacy.perform-erasures',
  purpose: 'Erases the data of persons whose erasure is approved, and reports what was kept.',
  everyMs: 60_000,
  wakeOn: ['privacy.erasure-request.approved', 'privacy.erasure-request.due'],
  followsClock: true,
  async run(context, stopping) {
    let steps: StepsByKind | null = null
    const idOf = ({ erasureRequestId }: Pick<ErasureRequest, 'erasureRequestId'>) =>
      erasureRequestId
    const erasures = inBatches(context, batchSize, readApprovedErasures, idOf)
    return processEach(context, erasures, async ({ erasureRequestId }) => {
      steps ??= {
        party: await readSteps(context, 'party'),
        employee: await readSteps(context, 'employee'),
      }
      let done = 0
      while (!stopping?.aborted && (await performNext(context, erasureRequestId, steps))) done++
      return done
    })
  },
}

/**
 * Performs the next step of an erasure, or completes it after the last one. Each step commits with
 * its line of the report, so a step is never repeated. While the processing of the party's data is
 * restricted, nothing is erased. Returns whether something was done.
 */
function performNext(
  context: Context,
  erasureRequestId: string,
  steps: StepsByKind,
): Promise<boolean> {
  return command(context, 'privacy.perform-erasures', {}, async () => {
    const found = await erasureKind.find(context, erasureRequestId)
    if (found?.state !== 'approved') return { result: false }
    const subject = subjectOf(found)
    const [fact] = await readHeldFacts(context, [factSubjectOf(subject)])
    if (fact?.['isRestricted'] === true) return { result: false }
    const now = context.now()
    const lines = await listErasureLines(context, erasureRequestId)
    const step = nextStep(steps[subject.kind], lines)
    if (!step) return { result: true, ...(await completion(context, found, lines)) }
    const verdict = verdictOf(step.rule, found, now)
    return { result: true, writes: [performStep(found, lines.length, step, verdict)] }
  })
}

/** Completes a report. If it kept rows whose retention has ended, they are looked at again. */
async function completion(context: Context, before: ErasureRequest, lines: readonly ErasureLine[]) {
  const now = context.now()
  const version = before.version + 1
  const after: ErasureRequest = {
    ...before,
    state: 'completed',
    completedAt: now,
    updatedAt: now,
    version,
  }
  const { events } = publicationOf(erasureKind, after, 'privacy.erasure-request.completed')
  const keepsRows = lines.some(({ action, keptCount }) => action !== 'kept' && keptCount > 0)
  const end = await readEnd(context, subjectOf(before))
  const next = end && keepsRows ? [scheduleRetry(end, now)] : []
  return { writes: [erasureKind.update(before, after), ...next], events }
}
