import type { LoanApplication } from '../model/application.ts'
import type { DecisionMode } from '../model/enumerations.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { createRecord, versioned, type CreationStamp } from '../../../kernel/writing/records.ts'
import { withMetCondition } from '../domain/acceptance.ts'
import { validationProblem } from '../domain/refusals.ts'
import { blankApplication, withInput, type ApplicationRequest } from '../domain/draft.ts'
import { requireSubmittable, submit } from '../domain/submission.ts'
import {
  changeApplication,
  changeDecision,
  creationDecision,
  requireApplication,
} from './change.ts'
import { namedCustomer, namedProduct, namedQuote, requireAccountOf } from '../store/published.ts'
import { applicationKind, applicationTable, takenSlots } from '../store/application.ts'

export interface NewApplication extends ApplicationRequest {
  applicationId?: string | null
  customerId: string
  decisionMode?: DecisionMode | null
}

/**
 * Creates a draft application. Repeating the request with the same ID and content returns the
 * existing application. A delegated user can apply only for their own party and cannot set the
 * decision mode.
 * Throws NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS, CUSTOMER_NOT_FOUND, PARTY_DECEASED,
 * PRODUCT_NOT_FOUND, QUOTE_NOT_FOUND, ARRANGEMENT_NOT_FOUND, and whatever `withInput` throws.
 */
export function createApplication(
  context: Context,
  request: NewApplication,
): Promise<LoanApplication> {
  if (request.decisionMode) requireBank(context)
  const { applicationId } = request
  const operation = 'createLoanApplication'
  return createRecord(
    context,
    applicationKind,
    operation,
    request,
    applicationId,
    async (stamp) => ({
      record: await draftOf(context, request, stamp),
    }),
  )
}

async function draftOf(
  context: Context,
  request: NewApplication,
  stamp: CreationStamp,
): Promise<LoanApplication> {
  const customer = await namedCustomer(context, request.customerId)
  const createdBy = context.caller.subject
  const head = { ...versioned(stamp), applicationId: stamp.id, createdBy }
  const blank = blankApplication(head, customer, request.decisionMode ?? null)
  return (await withReferences(context, blank, request)).application
}

/**
 * Applies the fields of a request to an application. Returns the application with its quote and its
 * product, each null if the application names none. Throws the NOT_FOUND code of an unknown
 * reference, SIGNATURES_REQUIRED if the customer may not commit the settlement account alone, and
 * whatever `withInput` throws.
 */
async function withReferences(
  context: Context,
  before: LoanApplication,
  request: ApplicationRequest,
) {
  const quoteId = request.quoteId ?? before.quoteId
  const quote = quoteId === null ? null : await namedQuote(context, quoteId)
  const application = withInput(before, request, quote)
  const { productId, productVersion, settlementArrangementId, partyId } = application
  const product = productId === null ? null : await namedProduct(context, productId, productVersion)
  if (settlementArrangementId !== null) {
    await requireAccountOf(context, settlementArrangementId, partyId)
  }
  // Installments of an unknown amount will be collected from the account.
  if (request.settlementArrangementId) {
    const pointer = '/settlementArrangementId'
    await requireSoleSignature(context, request.settlementArrangementId, null, pointer)
  }
  return { application, quote, product }
}

export interface SubmissionRequest extends ApplicationRequest {
  applicationId: string
  customerId?: string | null
  submittedAt?: Date | null
}

/**
 * Submits an application after applying the fields of the request. An unknown application is
 * created first if the request names the customer and a product or a quote.
 * Throws APPLICATION_NOT_FOUND, VALIDATION_FAILED if the application belongs to another customer,
 * and whatever `requireSubmittable`, `createApplication` and `submit` throw.
 */
export function submitApplication(
  context: Context,
  request: SubmissionRequest,
): Promise<LoanApplication> {
  const operation = 'submitCreditApplication'
  return command(context, operation, request, async () => {
    const { applicationId, customerId } = request
    const submissionHash = fingerprint(operation, request)
    const now = context.now()
    const canCreate = customerId && (request.productId || request.quoteId)
    const existing = await applicationTable.find(context, applicationId)
    if (!existing && canCreate) {
      const stamp = { id: applicationId, contentHash: submissionHash, now }
      const draft = await draftOf(context, { ...request, customerId }, stamp)
      const application = await submittedApplication(
        context,
        draft,
        {},
        submissionHash,
        request.submittedAt,
      )
      const events = ['lending.loan-application.created', submittedEvent] as const
      return creationDecision({ application, events, result: (after) => after })
    }
    const before = await requireApplication(context, applicationId)
    requireSubmittable(before, submissionHash)
    if (customerId && customerId !== before.customerId) {
      throw validationProblem('/customerId', 'The application belongs to another customer.')
    }
    const submittedAt = request.submittedAt
    const application = await submittedApplication(
      context,
      before,
      request,
      submissionHash,
      submittedAt,
    )
    return changeDecision(
      before,
      { application, events: [submittedEvent], result: (after) => after },
      now,
    )
  })
}

const submittedEvent = 'lending.credit-application.submitted'

async function submittedApplication(
  context: Context,
  before: LoanApplication,
  request: ApplicationRequest,
  submissionHash: string,
  submittedAt: Date | null = null,
): Promise<LoanApplication> {
  const { application, quote, product } = await withReferences(context, before, request)
  const customer = await namedCustomer(context, application.customerId)
  const occupiedSlots = product ? await takenSlots(context, application, product.productId) : []
  return submit(application, {
    customer,
    product,
    quote,
    submittedAt,
    submittedBy: context.caller.subject,
    submissionHash,
    takenSlots: occupiedSlots,
    now: context.now(),
  })
}

export interface ConditionInput {
  applicationId: string
  code: string
  note: string | null
}

/**
 * Records that a condition of an approval was fulfilled or waived.
 * Throws NOT_FOR_DELEGATED_USERS, APPLICATION_NOT_FOUND, and whatever `withMetCondition` throws.
 */
export function meetCondition(
  context: Context,
  operation: string,
  status: 'fulfilled' | 'waived',
  input: ConditionInput,
): Promise<LoanApplication> {
  requireBank(context)
  const { applicationId, code, note } = input
  const event = 'lending.loan-application.condition-met'
  return changeApplication(context, operation, { ...input }, applicationId, event, (before, at) =>
    withMetCondition(before, code, status, { by: context.caller.subject, at, note }),
  )
}
