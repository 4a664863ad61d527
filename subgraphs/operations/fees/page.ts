import { command } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import type { Told } from '../../_kernel/events.ts'
import type { Write } from '../../_kernel/writes.ts'
import type { FeeRun } from '../domain/fee-run.ts'
import { tellRun } from '../fee-events.ts'
import { findRun, updateRun } from '../store/fee-run.ts'

/** The result of one page of a run. */
export interface PageDone {
  run: FeeRun
  writes: readonly Write[]
  events: readonly Told[]
}

/**
 * Commits a page of a run with its checkpoint. When another worker has committed the page, nothing
 * is written: both posted under the same idempotency keys.
 */
export function commitPage(
  context: Context,
  run: FeeRun,
  decide: (current: FeeRun) => Promise<PageDone>,
): Promise<void> {
  return command<void>(context, 'feeRunPage', { feeRunId: run.feeRunId }, async () => {
    const current = await findRun(context, run.feeRunId)
    if (current?.version !== run.version) return { result: undefined }
    const done = await decide(current)
    const isOver = done.run.status !== 'running'
    return {
      result: undefined,
      writes: [updateRun(done.run), ...done.writes],
      events: [...done.events, ...(isOver ? [tellRun(done.run, 'completed')] : [])],
    }
  })
}
