import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { createRecord, versioned, type Made } from '../_kernel/records.ts'
import {
  inReview,
  returned,
  withdrawn,
  type DecisionMode,
  type LoanApplication,
} from './domain/application.ts'
import { conditionMet } from './domain/acceptance.ts'
import { invalid } from './domain/refusals.ts'
import { blankApplication, filledIn, type ApplicationAsked } from './domain/draft.ts'
import { requireSubmittable, submitted } from './domain/submission.ts'
import { declinedEvents } from './events.ts'
import { changeApplication, committed, created, requireApplication } from './change.ts'
import { namedCustomer, namedProduct, namedQuote, requireAccountOf } from './published.ts'
import { applicationKind, applicationTable, takenSlots } from './store/application.ts'

export interface NewApplication extends ApplicationAsked {
  applicationId?: string | null
  customerId: string
  decisionMode?: DecisionMode | null
}

/**
 * Creates a draft application. Repeating the same id and content returns the existing application.
 * A delegated user can apply only for their own party and cannot set the decision mode.
 * Rejects with RESOURCE_EXISTS, CUSTOMER_NOT_FOUND, PRODUCT_NOT_FOUND, QUOTE_NOT_FOUND and
 * ARRANGEMENT_NOT_FOUND for unknown references, and as `filledIn`.
 */
export function createApplication(
  context: Context,
  asked: NewApplication,
): Promise<LoanApplication> {
  if (asked.decisionMode) requireBank(context)
  const { applicationId } = asked
  const operation = 'createLoanApplication'
  return createRecord(context, applicationKind, operation, asked, applicationId, async (made) => ({
    record: await drafted(context, asked, made),
  }))
}

async function drafted(
  context: Context,
  asked: NewApplication,
  made: Made,
): Promise<LoanApplication> {
  const customer = await namedCustomer(context, asked.customerId)
  const createdBy = context.caller.subject
  const head = { ...versioned(made), applicationId: made.id, createdBy }
  const blank = blankApplication(head, customer, asked.decisionMode ?? null)
  return (await filled(context, blank, asked)).application
}

/**
 * The application with the given fields applied, its quote and its product. Rejects unknown
 * references.
 */
async function filled(context: Context, before: LoanApplication, asked: ApplicationAsked) {
  const quoteId = asked.quoteId ?? before.quoteId
  const quote = quoteId === null ? null : await namedQuote(context, quoteId)
  const application = filledIn(before, asked, quote)
  const { productId, productVersion, settlementArrangementId, partyId } = application
  const product = productId === null ? null : await namedProduct(context, productId, productVersion)
  if (settlementArrangementId !== null) {
    await requireAccountOf(context, settlementArrangementId, partyId)
  }
  return { application, quote, product }
}

export interface SubmissionAsked extends ApplicationAsked {
  applicationId: string
  customerId?: string | null
  submittedAt?: Date | null
}

/**
 * Submits an application, with additions from the request. An unknown application is created first
 * when the request names the customer and a product or a quote.
 * Rejects with APPLICATION_NOT_FOUND, as `requireSubmittable`, as `createApplication`, as
 * `submitted`.
 */
export function submitApplication(
  context: Context,
  asked: SubmissionAsked,
): Promise<LoanApplication> {
  const operation = 'submitCreditApplication'
  return command(context, operation, asked, async () => {
    const { applicationId, customerId } = asked
    const submissionHash = fingerprint(operation, asked)
    const now = context.now()
    const isWhole = customerId && (asked.productId || asked.quoteId)
    const found = await applicationTable.find(context, applicationId)
    if (!found && isWhole) {
      const made = { id: applicationId, contentHash: submissionHash, now }
      const draft = await drafted(context, { ...asked, customerId }, made)
      const application = await submission(context, draft, {}, submissionHash, asked.submittedAt)
      const events = ['lending.loan-application.created', submittedEvent] as const
      return created({ application, events, result: (after) => after })
    }
    const before = await requireApplication(context, applicationId)
    requireSubmittable(before, submissionHash)
    if (customerId && customerId !== before.customerId) {
      throw invalid('/customerId', 'The application belongs to another customer.')
    }
    const given = asked.submittedAt
    const application = await submission(context, before, asked, submissionHash, given)
    return committed(before, { application, events: [submittedEvent], result: (it) => it }, now)
  })
}

const submittedEvent = 'lending.credit-application.submitted'

async function submission(
  context: Context,
  before: LoanApplication,
  asked: ApplicationAsked,
  submissionHash: string,
  submittedAt: Date | null = null,
): Promise<LoanApplication> {
  const { application, quote, product } = await filled(context, before, asked)
  const customer = await namedCustomer(context, application.customerId)
  const taken = product ? await takenSlots(context, application, product.productId) : []
  return submitted(application, {
    customer,
    product,
    quote,
    submittedAt,
    submittedBy: context.caller.subject,
    submissionHash,
    takenSlots: taken,
    now: context.now(),
  })
}

/**
 * Withdraws an application on behalf of its applicant. Rejects with APPLICATION_NOT_FOUND and as
 * `withdrawn`.
 */
export function withdrawApplication(
  context: Context,
  input: { applicationId: string; reason: string | null },
): Promise<LoanApplication> {
  return changeApplication(context, 'withdrawLoanApplication', input, declinedEvents, (before) =>
    withdrawn(before, input.reason),
  )
}

/**
 * Moves a submitted application into manual review. Rejects with NOT_FOR_DELEGATED_USERS,
 * APPLICATION_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function startReview(
  context: Context,
  input: { applicationId: string },
): Promise<LoanApplication> {
  requireBank(context)
  const events = ['lending.credit-application.in-review'] as const
  return changeApplication(context, 'startCreditReview', input, events, (before) =>
    inReview(before, context.newId('case')),
  )
}

/**
 * Returns an application to its applicant for more information. Rejects with
 * NOT_FOR_DELEGATED_USERS, APPLICATION_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function returnApplication(
  context: Context,
  input: { applicationId: string; wanted: string },
): Promise<LoanApplication> {
  requireBank(context)
  const events = ['lending.credit-application.returned'] as const
  return changeApplication(context, 'returnLoanApplication', input, events, (before) =>
    returned(before, input.wanted),
  )
}

export interface ConditionInput {
  applicationId: string
  code: string
  note: string | null
}

/**
 * Records that a condition of an approval was fulfilled or waived.
 * Rejects with NOT_FOR_DELEGATED_USERS, APPLICATION_NOT_FOUND, and as `conditionMet`.
 */
export function meetCondition(
  context: Context,
  operation: string,
  status: 'fulfilled' | 'waived',
  input: ConditionInput,
): Promise<LoanApplication> {
  requireBank(context)
  const events = ['lending.loan-application.condition-met'] as const
  return changeApplication(context, operation, input, events, (before, at) =>
    conditionMet(before, input.code, status, {
      by: context.caller.subject,
      at,
      note: input.note,
    }),
  )
}
