import type { Bank } from '../../../kernel/environment/bank.ts'
import {
  identityColumns,
  personalDigestOf,
  type StoredIdentityRecord,
} from '../../../kernel/authorization/identity-record.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'

const dueSql = `
  select ${identityColumns} from kernel.identity_record
  where salt is not null and at < $1 order by at limit $2`
const eraseSql = 'select kernel.erase_identity_members($1, $2) as erased'

/**
 * Erases the members that name people in records from before a time, the oldest first, and stores
 * their digests, from which the hash chain is still verified. Returns the number of records.
 */
export async function eraseIdentityMembers(
  bank: Bank,
  before: Date,
  take: number,
): Promise<number> {
  const due = await readRows<StoredIdentityRecord>(bank, dueSql, [before, take])
  if (due.length === 0) return 0
  const ids = due.map(({ recordId }) => recordId)
  const [row] = await readRows<{ erased: number }>(bank, eraseSql, [ids, due.map(personalDigestOf)])
  return row!.erased
}
