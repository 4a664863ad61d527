import type { Context } from '../../../kernel/environment/context.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { post } from '../../../ledger/post.ts'
import { advanceRun, endReversal } from '../domain/fee-run.ts'
import { runEvent } from '../events.ts'
import { insertItems, listItems, markReversed } from '../store/fee-run-item.ts'
import { findRun, updateRun } from '../store/fee-run.ts'
import { pageSize } from './charge-page.ts'
import { commitPage } from './commit-page.ts'
import { reverseReceivableOf } from './reverse-receivable.ts'
import type { FeeRun, FeeRunItem } from '../model/fee-run.ts'

/**
 * Reverses one page of charges of the original run and advances the reversal. After the last page,
 * the original run becomes reversed, unless some charges could not be reversed.
 */
export async function reversePage(context: Context, reversal: FeeRun): Promise<void> {
  const originalRunId = reversal.reversesRunId!
  const charges = await listItems(
    context,
    originalRunId,
    'charged',
    reversal.checkpoint,
    pageSize + 1,
  )
  const page = charges.slice(0, pageSize)
  const items = await Promise.all(
    page.map((item) =>
      item.feeReceivableId === null
        ? reverseCharge(context, reversal, item)
        : reverseReceivableOf(context, reversal, item),
    ),
  )
  const nextCheckpoint = charges.length > pageSize ? page.at(-1)!.arrangementId : null
  const reversals = items.flatMap(({ outcome, arrangementId, postingInstructionId }) =>
    outcome === 'failed'
      ? []
      : [{ arrangementId, reversalId: outcome === 'reversed' ? postingInstructionId : null }],
  )
  await commitPage(context, reversal, async (current) => {
    const now = context.now()
    const run = advanceRun(current, items, nextCheckpoint, now)
    const writes = [...insertItems(items), ...markReversed(originalRunId, reversals)]
    if (run.status === 'running') return { run, writes, events: [] }
    const isComplete = run.status === 'completed'
    const originalRun = endReversal((await findRun(context, originalRunId))!, isComplete, now)
    return {
      run,
      writes: [...writes, updateRun(originalRun)],
      events: isComplete ? [runEvent(originalRun, 'reversed')] : [],
    }
  })
}

/** Posts the reversal of a charge. A charge that was already reversed manually is skipped. */
async function reverseCharge(
  context: Context,
  { feeRunId }: FeeRun,
  { postingInstructionId, reason: _, ...chargedItem }: FeeRunItem,
): Promise<FeeRunItem> {
  const reversesId = postingInstructionId!
  const keyedContext = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: `fee-reversal:${feeRunId}:${reversesId}` },
  }
  const now = context.now()
  const instruction = { ...termsAt(now), type: 'reversal' as const, reversesId }
  const posting = { instruction, narrative: { ...noNarrative, metadata: { feeRunId } } }
  const { records } = await post(keyedContext, 'reverseFee', { feeRunId, reversesId }, [posting])
  const { postingInstructionId: reversalId, status, violations } = records[0]!
  const item = { ...chargedItem, feeRunId, createdAt: now, postingInstructionId: reversalId }
  if (status === 'accepted') return { ...item, outcome: 'reversed', reason: null }
  const { code } = violations[0]!
  if (code === 'ALREADY_REVERSED')
    return { ...item, outcome: 'skipped', reason: 'already-reversed' }
  return { ...item, outcome: 'failed', reason: code }
}
