import { tableOf } from '../../../kernel/writing/table.ts'
import type { Agreement } from '../model/agreement.ts'
import type { AgreementStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { agreementEvents, type AgreementEvent } from '../events.ts'
import { dateColumn, ownersOf } from './rows.ts'

type AgreementRow = Prisma.AgreementGetPayload<object>

function fromRow(row: AgreementRow): Agreement {
  return {
    ...row,
    status: row.status as Agreement['status'],
    effectiveFrom: dateColumn(row.effectiveFrom),
    effectiveTo: dateColumn(row.effectiveTo),
  }
}

const agreementTable = tableOf<Agreement, AgreementRow>(
  'parties.agreement',
  'agreementId',
  ({ db }) => db.agreement,
  fromRow,
)
export const agreementSortKey = agreementTable.sortKey

export const agreementKind: RecordKind<Agreement, AgreementEvent> = {
  ...agreementTable,
  ...agreementEvents,
  id: 'agreement',
  notFound: 'AGREEMENT_NOT_FOUND',
  created: 'agreements.agreement.created',
  ownersOf,
  isPublished: false,
}

/** Loads agreements by ID. Agreements that the caller neither owns nor is entitled to are null. */
export const loadAgreement = loader<string, Agreement>(async (context, agreementIds) => {
  const agreements = await agreementTable.loadMany(context, agreementIds)
  const grantedIds = new Set(await idsGranted(context, 'agreement'))
  const isVisible = (agreement: Agreement) =>
    maySee(context.caller, ownersOf(agreement)) || grantedIds.has(agreement.agreementId)
  return agreements.map((each) => (each && isVisible(each) ? each : null))
})

/** The conditions of a list of agreements. Null means that a condition does not apply. */
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
  const where = { ...filter, ...(partyId !== null && visibleWhere) }
  return agreementTable.list(context, where, after, take)
}

/** Returns active agreements whose last day was before `today`. */
export function findPastAgreements(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Agreement[]> {
  return agreementTable.findMany(context, {
    where: { status: 'active', effectiveTo: { lt: new Date(today) } },
    orderBy: { effectiveTo: 'asc' },
    take,
  })
}

/**
 * Returns the write that saves expired agreements. `version` of each agreement is the version on
 * which the decision was based.
 */
export function writeExpiredAgreements(agreements: readonly Agreement[], updatedAt: Date): Write {
  return updateMany(
    'parties.agreement',
    'agreement_id',
    agreements.map(({ agreementId, version, status }) => ({
      agreement_id: agreementId,
      version,
      status,
      updated_at: updatedAt,
    })),
  )
}
