import { columnsOf } from '../../../kernel/writing/table.ts'
import { Agreement } from '../model/agreement.ts'
import type { AgreementStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { insert, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { ownersOf, type Kind } from '../commands/party.ts'
import type { AgreementEvent } from '../events.ts'
import { eventDataOf } from '../../../kernel/events/record-data.ts'
import { dateColumn, updateChanged } from './rows.ts'

const table = 'parties.agreement'

type AgreementRow = Prisma.AgreementGetPayload<object>

function fromRow(row: AgreementRow): Agreement {
  return {
    ...row,
    status: row.status as Agreement['status'],
    effectiveFrom: dateColumn(row.effectiveFrom),
    effectiveTo: dateColumn(row.effectiveTo),
  }
}

export const agreementKind: Kind<Agreement, AgreementEvent> = {
  entity: 'agreement',
  notFound: 'AGREEMENT_NOT_FOUND',
  created: 'agreements.agreement.created',
  idOf: ({ agreementId }) => agreementId,
  async find(context, agreementId) {
    const row = await context.db.agreement.findUnique({ where: { agreementId } })
    return row && fromRow(row)
  },
  insert: (agreement) => insert(table, columnsOf(agreement)),
  update: (before, after) =>
    updateChanged(table, 'agreement_id', columnsOf(before), columnsOf(after), before.version),
  snapshot: (agreement) => eventDataOf(Agreement, agreement),
  isPublished: false,
}

/** Loads agreements by ID. Agreements that the caller neither owns nor is entitled to are null. */
export const loadAgreement = loader<string, Agreement>(async (context, agreementIds) => {
  const rows = await context.db.agreement.findMany({
    where: { agreementId: { in: [...agreementIds] } },
  })
  const grantedIds = new Set(await idsGranted(context, 'agreement'))
  const visibleAgreements = rows
    .map(fromRow)
    .filter(
      (agreement) =>
        maySee(context.caller, ownersOf(agreement)) || grantedIds.has(agreement.agreementId),
    )
  return inOrder(agreementIds, visibleAgreements, agreementKind.idOf)
})

export interface AgreementFilter {
  partyId: string | null
  status: AgreementStatus | null
}

/** Returns the agreements that the caller may see and that match a filter, oldest first. */
export async function listAgreements(
  context: Context,
  filter: AgreementFilter,
  after: string[] | null,
  take: number,
): Promise<Agreement[]> {
  const { partyId } = context.caller
  const grantedIds = await idsGranted(context, 'agreement')
  const visibleWhere = { OR: [{ partyId: partyId ?? '' }, { agreementId: { in: grantedIds } }] }
  const rows = await context.db.agreement.findMany({
    where: {
      // Both conditions may contain an `OR`, so they cannot be merged into one object.
      AND: [
        partyId === null ? {} : visibleWhere,
        afterTimeAndId('createdAt', 'agreementId', after),
      ],
      ...(filter.partyId !== null && { partyId: filter.partyId }),
      ...(filter.status !== null && { status: filter.status }),
    },
    orderBy: [{ createdAt: 'asc' }, { agreementId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

/** Returns active agreements whose last day was before `today`. */
export async function findPastAgreements(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Agreement[]> {
  const rows = await context.db.agreement.findMany({
    where: { status: 'active', effectiveTo: { lt: new Date(today) } },
    orderBy: { effectiveTo: 'asc' },
    take,
  })
  return rows.map(fromRow)
}

/**
 * Returns the write that saves expired agreements. `version` of each agreement is the version on
 * which the decision was based.
 */
export function writeExpiredAgreements(agreements: readonly Agreement[], updatedAt: Date): Write {
  return updateMany(
    table,
    'agreement_id',
    agreements.map(({ agreementId, version, status }) => ({
      agreement_id: agreementId,
      version,
      status,
      updated_at: updatedAt,
    })),
  )
}
