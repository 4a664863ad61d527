import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import {
  ownersOf,
  type ApplicationStatus,
  type Check,
  type Declaration,
  type LoanApplication,
} from '../domain/application.ts'
import type { Recommendation } from '../domain/policy.ts'
import type { ApplicationEvent } from '../events.ts'
import { acceptancesFromJson, conditionsFromJson, termsFromJson } from './json.ts'

export const applicationTable = tableOf<LoanApplication, Prisma.LoanApplicationGetPayload<object>>(
  'origination.loan_application',
  'applicationId',
  ({ db }) => db.loanApplication,
  (row) => ({
    ...row,
    status: row.status as LoanApplication['status'],
    decisionMode: row.decisionMode as LoanApplication['decisionMode'],
    modeAsked: row.modeAsked as LoanApplication['modeAsked'],
    declarations: row.declarations as unknown as Declaration[],
    decisionDueBy: row.decisionDueBy && dateOf(row.decisionDueBy),
    checks: row.checks as unknown as Check[],
    recommendation: row.recommendation as unknown as Recommendation | null,
    approvedTerms: termsFromJson(row.approvedTerms),
    counterOffer: termsFromJson(row.counterOffer),
    conditions: conditionsFromJson(row.conditions),
    acceptances: acceptancesFromJson(row.acceptances),
    coolingOffEndsOn: row.coolingOffEndsOn && dateOf(row.coolingOffEndsOn),
    closureReason: row.closureReason as LoanApplication['closureReason'],
  }),
)

export const applicationKind: Kind<LoanApplication, ApplicationEvent> = {
  ...applicationTable,
  entity: 'loan-application',
  id: 'application',
  notFound: 'APPLICATION_NOT_FOUND',
  created: 'lending.loan-application.created',
  ownersOf,
  snapshot: ({ approvedTerms, acceptances, ...application }) => ({
    applicationId: application.applicationId,
    customerId: application.customerId,
    status: application.status,
    decisionMode: application.decisionMode,
    productId: application.productId,
    quoteId: application.quoteId,
    requestedMinor: application.amountMinor,
    currency: application.currency,
    termMonths: application.termMonths,
    submittedAt: application.submittedAt,
    decisionId: application.decisionId,
    approvedMinor: approvedTerms?.amountMinor ?? null,
    approvedTermMonths: approvedTerms?.termMonths ?? null,
    approvedRatePct: approvedTerms?.ratePct ?? null,
    approvedAt: application.approvedAt,
    offerExpiresAt: application.offerExpiresAt,
    acceptedAt: acceptances[0]?.acceptedAt ?? null,
    coolingOffEndsOn: application.coolingOffEndsOn,
    facilityId: application.facilityId,
    agreementId: application.agreementId,
    caseId: application.caseId,
    closureReason: application.closureReason,
  }),
  isPublished: true,
}

/** Applications by id, null for those the caller may not see. */
export const loadApplication = loader<string, LoanApplication>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => applicationTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

export interface ApplicationFilter {
  customerId: string | null
  status: ApplicationStatus | null
}

/** Applications in the order of their creation, limited to those the caller may see. */
export function listApplications(
  context: Context,
  { customerId, status }: ApplicationFilter,
  after: string[] | null,
  take: number,
): Promise<LoanApplication[]> {
  const { partyId } = context.caller
  const where = {
    ...(customerId !== null && { customerId }),
    ...(status !== null && { status }),
    ...(partyId !== null && { partyId }),
  }
  return applicationTable.list(context, where, after, take)
}

/** The slots taken by other open applications of the customer for the product. */
export async function takenSlots(
  context: Context,
  { applicationId, customerId }: LoanApplication,
  productId: string,
): Promise<number[]> {
  const others = { applicationId: { not: applicationId }, openSlot: { not: null } }
  const rows = await context.db.loanApplication.findMany({
    where: { customerId, productId, ...others },
    select: { openSlot: true },
  })
  return rows.map(({ openSlot }) => openSlot!)
}

/** Submitted applications that the credit policy still has to evaluate. */
export function findUnjudged(context: Context, take: number): Promise<LoanApplication[]> {
  return applicationTable.findMany(context, {
    where: {
      status: 'submitted',
      decisionMode: { in: ['automated', 'hybrid'] },
      informationRequested: null,
    },
    orderBy: [{ submittedAt: 'asc' }, { applicationId: 'asc' }],
    take,
  })
}

/** Applications whose case is still to be opened, in the order of their ids after the given one. */
export function findWithoutCase(
  context: Context,
  after: string,
  take: number,
): Promise<LoanApplication[]> {
  return applicationTable.findMany(context, {
    where: {
      applicationId: { gt: after },
      status: 'in-review',
      caseId: { not: null },
      isCaseOpen: false,
    },
    orderBy: { applicationId: 'asc' },
    take,
  })
}

/**
 * Decided applications whose case is still to be closed, in the order of their ids after the given
 * one.
 */
export function findWithCaseToClose(
  context: Context,
  after: string,
  take: number,
): Promise<LoanApplication[]> {
  return applicationTable.findMany(context, {
    where: {
      applicationId: { gt: after },
      isCaseOpen: true,
      isCaseClosed: false,
      status: { in: ['approved', 'declined', 'accepted', 'booked'] },
    },
    orderBy: { applicationId: 'asc' },
    take,
  })
}

/** Applications whose approved terms or counter-offer expired. */
export function findRunOut(context: Context, now: Date, take: number): Promise<LoanApplication[]> {
  return applicationTable.findMany(context, {
    where: { offerExpiresAt: { lte: now } },
    orderBy: { offerExpiresAt: 'asc' },
    take,
  })
}

/** Accepted applications whose loan is due to be set up. */
export function findUnbooked(
  context: Context,
  now: Date,
  take: number,
): Promise<LoanApplication[]> {
  return applicationTable.findMany(context, {
    where: { status: 'accepted', OR: [{ bookAfter: null }, { bookAfter: { lte: now } }] },
    orderBy: { applicationId: 'asc' },
    take,
  })
}
