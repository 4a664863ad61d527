import type { LoanApplication } from '../model/application.ts'
import type { ApplicationStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { decidedStatuses, ownersOf } from '../domain/application.ts'
import type { ApplicationEvent } from '../events.ts'
import { acceptancesFromJson, conditionsFromJson, termsFromJson } from './json.ts'

export const applicationTable = tableOf<LoanApplication, Prisma.LoanApplicationGetPayload<object>>(
  'origination.loan_application',
  'applicationId',
  ({ db }) => db.loanApplication,
  (row) => ({
    ...(row as unknown as LoanApplication),
    decisionDueBy: row.decisionDueBy && dateOf(row.decisionDueBy),
    approvedTerms: termsFromJson(row.approvedTerms),
    counterOffer: termsFromJson(row.counterOffer),
    conditions: conditionsFromJson(row.conditions),
    acceptances: acceptancesFromJson(row.acceptances),
    coolingOffEndsOn: row.coolingOffEndsOn && dateOf(row.coolingOffEndsOn),
  }),
)

export const applicationKind: RecordKind<LoanApplication, ApplicationEvent> = {
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

/** Loads applications by ID. Those that do not exist or are not visible to the caller are null. */
export const loadApplication = loader<string, LoanApplication>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => applicationTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

export interface ApplicationFilter {
  customerId: string | null
  status: ApplicationStatus | null
}

/**
 * Lists the applications that are visible to the caller, in the order in which they were created.
 */
export function listApplications(
  context: Context,
  filter: ApplicationFilter,
  after: string[] | null,
  take: number,
): Promise<LoanApplication[]> {
  return applicationTable.list(context, { ...filter, partyId: context.caller.partyId }, after, take)
}

/**
 * Returns the slots (see `openSlot`) that the customer's other open applications for the product
 * occupy.
 */
export async function takenSlots(
  context: Context,
  { applicationId, customerId }: LoanApplication,
  productId: string,
): Promise<number[]> {
  const otherApplications = { applicationId: { not: applicationId }, openSlot: { not: null } }
  const rows = await context.db.loanApplication.findMany({
    where: { customerId, productId, ...otherApplications },
    select: { openSlot: true },
  })
  return rows.map(({ openSlot }) => openSlot!)
}

/** Finds submitted applications that the credit policy still has to evaluate. */
export function findUndecidedApplications(
  context: Context,
  take: number,
): Promise<LoanApplication[]> {
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

/**
 * Finds applications in review whose case has not been opened, in ascending order of IDs, starting
 * after the ID `after`.
 */
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
 * Finds decided applications whose case is still open, in ascending order of IDs, starting after
 * the ID `after`.
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
      status: { in: decidedStatuses },
    },
    orderBy: { applicationId: 'asc' },
    take,
  })
}

/** Finds applications whose approved terms or counter-offer have expired. */
export function findExpiredApplications(
  context: Context,
  now: Date,
  take: number,
): Promise<LoanApplication[]> {
  return applicationTable.findMany(context, {
    where: { offerExpiresAt: { lte: now } },
    orderBy: { offerExpiresAt: 'asc' },
    take,
  })
}

/** Whether there are loans to set up. */
export const areBookingsDueSql =
  'exists (select from origination.loan_application ' +
  "where status = 'accepted' and (book_after is null or book_after <= $1))"

/** Finds accepted applications whose loan is due to be set up. */
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
