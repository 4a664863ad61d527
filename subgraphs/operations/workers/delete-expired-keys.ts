import { realNow } from '../../../kernel/work/clock.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { deleteKeys } from '../store/kernel.ts'

const batchSize = 1000

/**
 * Deletes idempotency keys after 30 days. Keys of operations that move money, and of the bank
 * itself, are kept.
 */
export const deleteExpiredKeys: Worker = {
  name: 'operations.delete-expired-keys',
  purpose: 'Deletes idempotency keys after 30 days. Keys of operations that move money are kept.',
  everyMs: 3_600_000,
  run: (context) => deleteKeys(context, realNow(), batchSize),
}
