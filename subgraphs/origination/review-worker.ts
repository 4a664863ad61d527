import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { doEach, type Worker } from '../_kernel/worker.ts'
import {
  CloseReviewCaseDocument,
  OpenReviewCaseDocument,
  ResolveReviewCaseDocument,
  ResumeReviewCaseDocument,
  ReviewCaseDocument,
  StartReviewCaseDocument,
} from './asks.generated.ts'
import { closed, hasRunOut, type LoanApplication } from './domain/application.ts'
import { committed } from './change.ts'
import { declinedEvents } from './events.ts'
import { isFinal } from './refused.ts'
import {
  applicationTable,
  findRunOut,
  findWithCaseToClose,
  findWithoutCase,
} from './store/application.ts'

const batchSize = 20

/**
 * Opens the case for an application in manual review. The case id is reserved in the application,
 * so a retry after a crash finds the same case.
 */
export const openReviewCases: Worker = {
  name: 'origination.open-cases',
  purpose: 'Opens cases for applications in manual review.',
  everyMs: 5000,
  wakeOn: ['lending.credit-application.in-review', 'lending.credit-application.referred'],
  async run(context) {
    const waiting = all(context, findWithoutCase)
    return doEach(context, waiting, (application) => openCase(context, application))
  },
}

/**
 * Processes batch after batch. A rejected record stays where it is and does not block the others.
 */
async function* all(
  context: Context,
  find: (context: Context, after: string, take: number) => Promise<LoanApplication[]>,
): AsyncGenerator<LoanApplication> {
  for (let last = ''; ;) {
    const batch = await find(context, last, batchSize)
    if (batch.length === 0) return
    yield* batch
    last = batch.at(-1)!.applicationId
  }
}

async function openCase(context: Context, application: LoanApplication): Promise<number> {
  const { applicationId, partyId, caseId } = application
  const subject = `loan-application/${applicationId}`
  try {
    await context.bank.ask(OpenReviewCaseDocument, { caseId: caseId!, partyId, subject })
  } catch (error) {
    if (!isFinal(error)) throw error
    context.bank.log.warn({ applicationId, code: error.code }, 'no case was opened')
    return 0
  }
  return command(context, 'origination.case-opened', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    if (before.isCaseOpen) return { result: 0 }
    const events = ['lending.loan-application.case-opened'] as const
    const change = { application: { ...before, isCaseOpen: true }, events, result: () => 1 }
    return committed(before, change, context.now())
  })
}

/**
 * Closes the case of a decided application from any state, with the decision as its outcome. Each
 * step first reads the state of the case, so it can continue after a crash.
 */
export const closeReviewCases: Worker = {
  name: 'origination.close-cases',
  purpose: 'Closes the cases of decided applications.',
  everyMs: 5000,
  wakeOn: [
    'lending.credit-application.approved',
    'lending.credit-application.declined',
    // The application may have been decided before its case was opened.
    'lending.loan-application.case-opened',
  ],
  async run(context) {
    const decided = all(context, findWithCaseToClose)
    return doEach(context, decided, (application) => closeCase(context, application))
  },
}

async function closeCase(context: Context, application: LoanApplication): Promise<number> {
  const { applicationId } = application
  try {
    await endCase(context, application)
  } catch (error) {
    if (!isFinal(error)) throw error
    // A concurrent change of the case: retried with the next run.
    context.bank.log.warn({ applicationId, code: error.code }, 'a case was not closed')
    return 0
  }
  return command(context, 'origination.case-closed', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    if (before.isCaseClosed) return { result: 0 }
    const events = ['lending.loan-application.case-closed'] as const
    const change = { application: { ...before, isCaseClosed: true }, events, result: () => 1 }
    return committed(before, change, context.now())
  })
}

async function endCase({ bank }: Context, application: LoanApplication): Promise<void> {
  const caseId = application.caseId!
  const isDeclined = application.status === 'declined'
  const outcome = isDeclined ? `Declined: ${application.closureReason}` : 'Approved'
  const found = (await bank.ask(ReviewCaseDocument, { caseId })).case
  let status: string | undefined = found?.status
  if (status === 'OPEN')
    status = (await bank.ask(StartReviewCaseDocument, { caseId })).startCase.status
  if (status === 'WAITING_FOR_CUSTOMER') {
    status = (await bank.ask(ResumeReviewCaseDocument, { caseId })).resumeCase.status
  }
  if (status === 'IN_PROGRESS') {
    status = (await bank.ask(ResolveReviewCaseDocument, { caseId, outcome })).resolveCase.status
  }
  if (status === 'RESOLVED') await bank.ask(CloseReviewCaseDocument, { caseId })
}

/** Closes applications whose approved terms or counter-offer expired. */
export const expireOffers: Worker = {
  name: 'origination.expire-offers',
  followsClock: true,
  purpose: 'Closes applications whose approved terms or counter-offer expired.',
  everyMs: 10_000,
  async run(context) {
    const runOut = await findRunOut(context, context.now(), batchSize)
    return doEach(context, runOut, ({ applicationId }) => expire(context, applicationId))
  },
}

function expire(context: Context, applicationId: string): Promise<number> {
  return command(context, 'origination.expire', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    const now = context.now()
    if (!hasRunOut(before, now)) return { result: 0 }
    const application = closed(before, 'expired')
    const events = declinedEvents(application)
    return committed(before, { application, events, result: () => 1 }, now)
  })
}
