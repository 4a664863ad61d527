import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { overdraftWriteOffSnapshot, type OverdraftWriteOffEvent } from '../events.ts'
import type { OverdraftWriteOff } from '../model/overdraft-write-off.ts'

export const overdraftWriteOffTable = tableOf<
  OverdraftWriteOff,
  Prisma.OverdraftWriteOffGetPayload<object>
>(
  'accounts.overdraft_write_off',
  'overdraftWriteOffId',
  ({ db }) => db.overdraftWriteOff,
  (row) => ({ ...row, state: row.state as OverdraftWriteOff['state'] }),
)

export const overdraftWriteOffKind: RecordKind<OverdraftWriteOff, OverdraftWriteOffEvent> = {
  ...overdraftWriteOffTable,
  entity: 'overdraft-write-off',
  id: 'overdraftWriteOff',
  notFound: 'OVERDRAFT_WRITE_OFF_NOT_FOUND',
  created: 'accounts.overdraft-write-off.proposed',
  snapshot: overdraftWriteOffSnapshot,
  // Write-offs are internal to the bank.
  ownersOf: () => [],
  isPublished: false,
}

/** Reads the write-offs of an account that were not rejected. */
export function findWriteOffs(
  context: Context,
  arrangementId: string,
): Promise<OverdraftWriteOff[]> {
  const where = { arrangementId, state: { not: 'rejected' } }
  return overdraftWriteOffTable.findMany(context, { where })
}
