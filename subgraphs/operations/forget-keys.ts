import { realNow } from '../_kernel/clock.ts'
import type { Worker } from '../_kernel/worker.ts'
import { forgetKeys } from './store/kernel.ts'

const batchSize = 1000

/** Forgets idempotency keys after their 30 days; those of money and of the bank itself are kept. */
export const forgetOldKeys: Worker = {
  name: 'operations.forget-keys',
  purpose: 'Forgets idempotency keys after 30 days, but not those of money.',
  everyMs: 3_600_000,
  run: (context) => forgetKeys(context, realNow(), batchSize),
}
