import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { runEvent } from '../events.ts'
import { findRun, updateRun } from '../store/fee-run.ts'
import type { FeeRun } from '../model/fee-run.ts'

/** The result of one page of a run. */
export interface PageResult {
  run: FeeRun
  writes: readonly Write[]
  events: readonly DomainEvent[]
}

/**
 * Commits a page of a run with its checkpoint. Nothing is written if another worker has already
 * committed the page. Both workers use the same idempotency keys, so no posting is made twice.
 */
export function commitPage(
  context: Context,
  run: FeeRun,
  decide: (current: FeeRun) => Promise<PageResult>,
): Promise<void> {
  return command<void>(context, 'feeRunPage', { feeRunId: run.feeRunId }, async () => {
    const current = await findRun(context, run.feeRunId)
    if (current?.version !== run.version) return { result: undefined }
    const page = await decide(current)
    const isCompleted = page.run.status !== 'running'
    return {
      result: undefined,
      writes: [updateRun(page.run), ...page.writes],
      events: [...page.events, ...(isCompleted ? [runEvent(page.run, 'completed')] : [])],
    }
  })
}
