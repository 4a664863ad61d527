import { realNow } from '../_kernel/clock.ts'
import type { Worker } from '../_kernel/worker.ts'
import { forgetKeys } from './store/kernel.ts'

const batchSize = 1000

/**
 * Deletes idempotency keys after 30 days, except those of operations that move money and of the
 * bank itself.
 */
export const forgetOldKeys: Worker = {
  name: 'operations.forget-keys',
  purpose: 'Deletes idempotency keys after 30 days, except those of operations that move money.',
  everyMs: 3_600_000,
  run: (context) => forgetKeys(context, realNow(), batchSize),
}
