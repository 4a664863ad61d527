import type { LoanApplication } from '../model/application.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { inBatches } from '../../../kernel/work/batches.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import {
  CloseReviewCaseDocument,
  OpenReviewCaseDocument,
  ResolveReviewCaseDocument,
  ResumeReviewCaseDocument,
  ReviewCaseDocument,
  StartReviewCaseDocument,
} from '../queries.generated.ts'
import { closedApplication, hasExpired } from '../domain/application.ts'
import { changeDecision } from '../commands/change.ts'
import { declinedEvents } from '../events.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import {
  applicationTable,
  findExpiredApplications,
  findWithCaseToClose,
  findWithoutCase,
} from '../store/application.ts'

const batchSize = 20

/**
 * Opens the cases of applications in manual review. The case ID is reserved in the application, so
 * that a retry after a crash finds the same case.
 */
export const openReviewCases: Worker = {
  name: 'origination.open-cases',
  purpose: 'Opens cases for applications in manual review.',
  everyMs: dueFallbackMs,
  wakeOn: ['lending.credit-application.in-review', 'lending.credit-application.referred'],
  async run(context) {
    const applications = inBatches(context, batchSize, findWithoutCase, idOf)
    return processEach(context, applications, (application) => openCase(context, application))
  },
}

const idOf = ({ applicationId }: LoanApplication) => applicationId

async function openCase(context: Context, application: LoanApplication): Promise<number> {
  const { applicationId, partyId, caseId } = application
  const subject = `loan-application/${applicationId}`
  try {
    await context.bank.queryGraph(OpenReviewCaseDocument, { caseId: caseId!, partyId, subject })
  } catch (error) {
    if (!isFinal(error)) throw error
    context.bank.log.warn({ applicationId, code: error.code }, 'the review case was not opened')
    return 0
  }
  return command(context, 'origination.case-opened', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    if (before.isCaseOpen) return { result: 0 }
    const events = ['lending.loan-application.case-opened'] as const
    const change = { application: { ...before, isCaseOpen: true }, events, result: () => 1 }
    return changeDecision(before, change, context.now())
  })
}

/**
 * Closes the cases of decided applications, whatever the status of the case. The decision becomes
 * the outcome of the case. A run after a crash continues from the current status of the case.
 */
export const closeReviewCases: Worker = {
  name: 'origination.close-cases',
  purpose: 'Closes the cases of decided applications.',
  everyMs: dueFallbackMs,
  wakeOn: [
    'lending.credit-application.approved',
    'lending.credit-application.declined',
    // The application may have been decided before its case was opened.
    'lending.loan-application.case-opened',
  ],
  async run(context) {
    const applications = inBatches(context, batchSize, findWithCaseToClose, idOf)
    return processEach(context, applications, (application) => closeCase(context, application))
  },
}

async function closeCase(context: Context, application: LoanApplication): Promise<number> {
  const { applicationId } = application
  try {
    await moveCaseToClosed(context, application)
  } catch (error) {
    if (!isFinal(error)) throw error
    // The case may have been changed concurrently. The next run retries.
    context.bank.log.warn({ applicationId, code: error.code }, 'the review case was not closed')
    return 0
  }
  return command(context, 'origination.case-closed', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    if (before.isCaseClosed) return { result: 0 }
    const events = ['lending.loan-application.case-closed'] as const
    const change = { application: { ...before, isCaseClosed: true }, events, result: () => 1 }
    return changeDecision(before, change, context.now())
  })
}

async function moveCaseToClosed({ bank }: Context, application: LoanApplication): Promise<void> {
  const caseId = application.caseId!
  const isDeclined = application.status === 'declined'
  const outcome = isDeclined ? `Declined: ${application.closureReason}` : 'Approved'
  const reviewCase = (await bank.queryGraph(ReviewCaseDocument, { caseId })).case
  let status: string | undefined = reviewCase?.status
  if (status === 'OPEN')
    status = (await bank.queryGraph(StartReviewCaseDocument, { caseId })).startCase.status
  if (status === 'WAITING_FOR_CUSTOMER') {
    status = (await bank.queryGraph(ResumeReviewCaseDocument, { caseId })).resumeCase.status
  }
  if (status === 'IN_PROGRESS') {
    status = (await bank.queryGraph(ResolveReviewCaseDocument, { caseId, outcome })).resolveCase
      .status
  }
  if (status === 'RESOLVED') await bank.queryGraph(CloseReviewCaseDocument, { caseId })
}

/** Closes applications whose approved terms or counter-offer have expired. */
export const expireOffers: Worker = {
  name: 'origination.expire-offers',
  nightlyPhase: 'validity',
  followsClock: true,
  purpose: 'Closes applications whose approved terms or counter-offer have expired.',
  everyMs: 60_000,
  async run(context) {
    const applications = await findExpiredApplications(context, context.now(), batchSize)
    return processEach(context, applications, ({ applicationId }) => expire(context, applicationId))
  },
}

function expire(context: Context, applicationId: string): Promise<number> {
  return command(context, 'origination.expire', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    const now = context.now()
    if (!hasExpired(before, now)) return { result: 0 }
    const application = closedApplication(before, 'expired')
    const events = declinedEvents(application)
    return changeDecision(before, { application, events, result: () => 1 }, now)
  })
}
