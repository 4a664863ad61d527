import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { identityRecordEvent } from '../../../kernel/domain/event-filter.ts'
import { kindOfEvent } from '../domain/identity-events.ts'
import { isBehindSql } from '../../../kernel/writing/consumer.ts'
import { consumer, writeIdentityCheckpoint } from '../store/identity-chain.ts'

/**
 * Follows the event log: derives records from the events of employees, clients and revocations, and
 * adds them and the records of the authorization server to the hash chain.
 */
export const chainIdentityRecords: Worker = {
  name: 'operations.chain-identity-records',
  purpose: 'Adds records of identity to the hash chain.',
  everyMs: dueFallbackMs,
  isDueSql: isBehindSql(consumer),
  wakeOn: [identityRecordEvent, ...kindOfEvent.keys()],
  run: ({ bank }) => writeIdentityCheckpoint(bank),
}
