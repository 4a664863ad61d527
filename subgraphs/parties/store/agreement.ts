import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { inOrder, loader, type Context } from '../../_kernel/context.ts'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { idsGranted } from '../../_kernel/entitlements.ts'
import { afterTimeAndId } from '../../_kernel/graph/connection.ts'
import { insert, updateMany, type Row, type Write } from '../../_kernel/writes.ts'
import { ownersOf, type Kind } from '../change.ts'
import type { Agreement, AgreementStatus } from '../domain/agreement.ts'
import type { AgreementEvent } from '../events.ts'
import { agreementSnapshot } from '../facts.ts'
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

function toRow(agreement: Agreement): Row {
  return {
    agreement_id: agreement.agreementId,
    party_id: agreement.partyId,
    product_code: agreement.productCode,
    agreement_type: agreement.agreementType,
    status: agreement.status,
    status_reason: agreement.statusReason,
    effective_from: agreement.effectiveFrom,
    effective_to: agreement.effectiveTo,
    signed_at: agreement.signedAt,
    content_hash: agreement.contentHash,
    version: agreement.version,
    created_at: agreement.createdAt,
    updated_at: agreement.updatedAt,
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
  insert: (agreement) => insert(table, toRow(agreement)),
  update: (before, after) =>
    updateChanged(table, 'agreement_id', toRow(before), toRow(after), before.version),
  snapshot: agreementSnapshot,
  isPublished: false,
}

/** Agreements by id, null for those the caller may not see and is not entitled to. */
export const loadAgreement = loader<string, Agreement>(async (context, agreementIds) => {
  const rows = await context.db.agreement.findMany({
    where: { agreementId: { in: [...agreementIds] } },
  })
  const granted = new Set(await idsGranted(context, 'agreement'))
  const mine = rows
    .map(fromRow)
    .filter(
      (agreement) =>
        maySee(context.caller, ownersOf(agreement)) || granted.has(agreement.agreementId),
    )
  return inOrder(agreementIds, mine, agreementKind.idOf)
})

export interface AgreementFilter {
  partyId: string | null
  status: AgreementStatus | null
}

/**
 * Agreements in the order of their creation. A filter that no agreement can match gives an empty
 * list.
 */
export async function listAgreements(
  context: Context,
  filter: AgreementFilter,
  after: string[] | null,
  take: number,
): Promise<Agreement[]> {
  const { partyId } = context.caller
  const granted = await idsGranted(context, 'agreement')
  const mine = { OR: [{ partyId: partyId ?? '' }, { agreementId: { in: granted } }] }
  const rows = await context.db.agreement.findMany({
    where: {
      // The cursor is a separate condition, because its `OR` would replace that of another
      // condition.
      AND: [partyId === null ? {} : mine, afterTimeAndId('createdAt', 'agreementId', after)],
      ...(filter.partyId !== null && { partyId: filter.partyId }),
      ...(filter.status !== null && { status: filter.status }),
    },
    orderBy: [{ createdAt: 'asc' }, { agreementId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

/** Active agreements whose last day was before today. */
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

/** Writes the expired records; each agreement is guarded by the version on which it was decided. */
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
