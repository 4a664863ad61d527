import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { loader } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { depositOpeningSnapshot, type DepositOpeningEvent } from '../events.ts'
import type { DepositOpening } from '../model/deposit-opening.ts'

export const depositOpeningTable = tableOf<DepositOpening, Prisma.DepositOpeningGetPayload<object>>(
  'accounts.deposit_opening',
  'depositOpeningId',
  ({ db }) => db.depositOpening,
  (row) => ({
    ...row,
    maturityInstruction: row.maturityInstruction as DepositOpening['maturityInstruction'],
    earlyWithdrawal: row.earlyWithdrawal as unknown as DepositOpening['earlyWithdrawal'],
  }),
)

export const depositOpeningKind: RecordKind<DepositOpening, DepositOpeningEvent> = {
  ...depositOpeningTable,
  entity: 'deposit-opening',
  id: 'depositOpening',
  // An opening never changes, so nothing looks for one to change.
  notFound: 'ARRANGEMENT_NOT_FOUND',
  created: 'accounts.deposit.opened',
  snapshot: depositOpeningSnapshot,
  ownersOf: ({ partyId }) => [partyId],
  // The fact has the account as its subject.
  isPublished: false,
}

/**
 * Loads how accounts were opened as deposits, by the ID of the account; null for other accounts.
 * Delegated users get it for accounts that they own or are entitled to see.
 */
export const loadDepositOpeningOf = loader<string, DepositOpening>(async (context, ids) => {
  const where = { arrangementId: { in: [...ids] } }
  const found = await depositOpeningTable.findMany(context, { where })
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  return ids.map((arrangementId) => {
    const opening = found.find((each) => each.arrangementId === arrangementId)
    if (!opening) return null
    const isVisible = maySee(context.caller, [opening.partyId]) || grantedIds.has(arrangementId)
    return isVisible ? opening : null
  })
})
