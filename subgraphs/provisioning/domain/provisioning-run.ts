import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import type { ProvisioningRunStatus } from '../model/enumerations.ts'
import type { ProvisioningRun } from '../model/provisioning-run.ts'

const transitions: Transitions<ProvisioningRunStatus> = {
  scheduled: ['running', 'failed'],
  running: ['completed', 'failed'],
  completed: [],
  failed: ['scheduled'],
}

interface NewRun {
  provisioningRunId: string
  monthEnd: LocalDate
  isDryRun: boolean
  triggeredBy: string
  now: Date
}

/** Creates a scheduled run. */
export function scheduleRun({ now, ...request }: NewRun): ProvisioningRun {
  return {
    ...request,
    status: 'scheduled',
    processed: 0,
    failureCode: null,
    provisioningTableId: null,
    checkpoint: null,
    startedAt: null,
    completedAt: null,
    contentHash: '',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Starts a scheduled run with a table. A run that is resumed keeps its table. Throws
 * INVALID_STATE_TRANSITION.
 */
export function startRun(run: ProvisioningRun, tableId: string, now: Date): ProvisioningRun {
  const { provisioningTableId, startedAt } = run
  return {
    ...changed(run, 'running', now),
    provisioningTableId: provisioningTableId ?? tableId,
    startedAt: startedAt ?? now,
  }
}

/**
 * Schedules a failed run again, from its checkpoint. Unless it has provided for a facility, the run
 * applies the table that is then in effect. Throws INVALID_STATE_TRANSITION.
 */
export function resumeRun(run: ProvisioningRun, now: Date): ProvisioningRun {
  const provisioningTableId = run.processed === 0 ? null : run.provisioningTableId
  return { ...changed(run, 'scheduled', now), provisioningTableId, failureCode: null }
}

/** Marks a run that cannot continue as failed. Throws INVALID_STATE_TRANSITION. */
export function failRun(
  run: ProvisioningRun,
  failureCode: ProblemCode,
  now: Date,
): ProvisioningRun {
  return { ...changed(run, 'failed', now), failureCode }
}

/**
 * Adds a page of facilities to a run. `checkpoint` is the cursor of the next page; null if there is
 * none, in which case the run is completed.
 */
export function advanceRun(
  run: ProvisioningRun,
  count: number,
  checkpoint: string | null,
  now: Date,
): ProvisioningRun {
  const processed = run.processed + count
  if (checkpoint === null) return { ...changed(run, 'completed', now), processed, completedAt: now }
  return { ...run, processed, checkpoint, updatedAt: now }
}

function changed(run: ProvisioningRun, status: ProvisioningRunStatus, now: Date): ProvisioningRun {
  assertTransition(transitions, run.status, status, run.provisioningRunId)
  return { ...run, status, updatedAt: now }
}
