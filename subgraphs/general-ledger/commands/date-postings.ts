import { faultPoint } from '../../../kernel/environment/fault-point.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { countUndatedEntries, datePostings, readBook, sequenceCommitted } from '../store/book.ts'

/** How many events of the log are processed in one commit. */
export const batchSize = 2000

/**
 * Gives every posting that is committed at the time of the call its accounting date, in commits of
 * limited size. A call that ends early, or a second one at the same time, does no harm.
 */
export async function dateCommittedPostings(context: Context): Promise<void> {
  const head = await sequenceCommitted(context)
  for (;;) {
    const { position } = await readBook(context)
    if (position >= head) return
    await datePostings(context, batchSize)
    faultPoint('general-ledger.dated')
  }
}

/** Throws RESOURCE_BUSY while a booked journal entry is not in the totals. */
export async function requireEntriesDated(context: Context): Promise<void> {
  if ((await countUndatedEntries(context)) === 0) return
  const detail = 'A journal entry was booked at the same time. Try again.'
  throw new Problem('RESOURCE_BUSY', { detail })
}
