import type { Context } from '../../_kernel/context.ts'
import { noNarrative, termsAt } from '../../_ledger/journal.ts'
import { post } from '../../_ledger/post.ts'
import type { FeeRunItem } from '../domain/fee-run-item.ts'
import { advanceRun, endReversal, type FeeRun } from '../domain/fee-run.ts'
import { tellRun } from '../fee-events.ts'
import { insertItems, listItems, markReversed } from '../store/fee-run-item.ts'
import { findRun, updateRun } from '../store/fee-run.ts'
import { pageSize } from './charge.ts'
import { commitPage } from './page.ts'
import { reverseReceivableOf } from './reverse-receivable.ts'

/**
 * Reverses one page of the charges of another run and advances the reversal. After the last page,
 * the other run becomes reversed, unless some charges could not be reversed.
 */
export async function takeBackPage(context: Context, reversal: FeeRun): Promise<void> {
  const reversedId = reversal.reversesRunId!
  const charged = await listItems(context, reversedId, 'charged', reversal.checkpoint, pageSize + 1)
  const page = charged.slice(0, pageSize)
  const items = await Promise.all(
    page.map((item) =>
      item.feeReceivableId === null
        ? takeBack(context, reversal, item)
        : reverseReceivableOf(context, reversal, item),
    ),
  )
  const next = charged.length > pageSize ? page.at(-1)!.arrangementId : null
  const reversed = items.flatMap(({ outcome, arrangementId, postingInstructionId: by }) =>
    outcome === 'failed' ? [] : [{ arrangementId, by }],
  )
  await commitPage(context, reversal, async (current) => {
    const now = context.now()
    const run = advanceRun(current, items, next, now)
    const writes = [...insertItems(items), ...markReversed(reversedId, reversed)]
    if (run.status === 'running') return { run, writes, events: [] }
    const isWhole = run.status === 'completed'
    const other = endReversal((await findRun(context, reversedId))!, isWhole, now)
    return {
      run,
      writes: [...writes, updateRun(other)],
      events: isWhole ? [tellRun(other, 'reversed')] : [],
    }
  })
}

/** Posts the reversal of one charge. A charge that was already reversed manually counts as done. */
async function takeBack(
  context: Context,
  { feeRunId }: FeeRun,
  { postingInstructionId, reason: _, ...charged }: FeeRunItem,
): Promise<FeeRunItem> {
  const reversesId = postingInstructionId!
  const keyed = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: `fee-reversal:${feeRunId}:${reversesId}` },
  }
  const now = context.now()
  const instruction = { ...termsAt(now), type: 'reversal' as const, reversesId }
  const posting = { instruction, narrative: { ...noNarrative, metadata: { feeRunId } } }
  const { records } = await post(keyed, 'reverseFee', { feeRunId, reversesId }, [posting])
  const { postingInstructionId: reversalId, status, violations } = records[0]!
  const item = { ...charged, feeRunId, createdAt: now, postingInstructionId: reversalId }
  if (status === 'accepted') return { ...item, outcome: 'reversed', reason: null }
  const { code } = violations[0]!
  if (code === 'ALREADY_REVERSED')
    return { ...item, outcome: 'skipped', reason: 'already-reversed' }
  return { ...item, outcome: 'failed', reason: code }
}
