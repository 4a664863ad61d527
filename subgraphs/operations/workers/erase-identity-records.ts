import { realNow } from '../../../kernel/work/clock.ts'
import { identityAuditEnd } from '../../../kernel/domain/retention.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { eraseIdentityMembers } from '../store/identity-retention.ts'

const batchSize = 1000

/** Erases the members of old records of identity that name people. The hash chain stays intact. */
export const eraseIdentityRecords: Worker = {
  name: 'operations.erase-identity-records',
  purpose: 'Erases who acted in records of the audit of identity after five years.',
  everyMs: 3_600_000,
  run: ({ bank }) => eraseIdentityMembers(bank, identityAuditEnd(realNow()), batchSize),
}
