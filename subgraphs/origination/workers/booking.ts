import type { LoanApplication } from '../model/application.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import {
  DraftLoanAgreementDocument,
  LoanAgreementDocument,
  OpenLoanDocument,
  SendLoanAgreementDocument,
  SignLoanAgreementDocument,
} from '../queries.generated.ts'
import { bookedApplication, withBookingError } from '../domain/application.ts'
import { facilityKindOf, settingOf } from '../domain/published.ts'
import { changeDecision } from '../commands/change.ts'
import { namedProduct } from '../store/published.ts'
import { applicationTable, areBookingsDueSql, findUnbooked } from '../store/application.ts'

const batchSize = 10
const retryDelayMs = minuteMs

/**
 * Sets up the loans whose terms were accepted: signs the agreement and opens the facility. Both
 * have the IDs that the approval reserved, so that an interrupted run can continue and does nothing
 * twice.
 */
export const bookLoans: Worker = {
  name: 'origination.book-loans',
  purpose: 'Sets up the loans whose terms were accepted.',
  everyMs: dueFallbackMs,
  isDueSql: areBookingsDueSql,
  wakeOn: ['lending.loan-application.accepted'],
  async run(context) {
    const applications = await findUnbooked(context, context.now(), batchSize)
    return processEach(context, applications, (application) => book(context, application))
  },
}

async function book(context: Context, application: LoanApplication): Promise<number> {
  try {
    await signAgreement(context, application)
    await openLoan(context, application)
  } catch (error) {
    if (!isFinal(error)) throw error
    return postpone(context, application, error.code)
  }
  return changeAccepted(
    context,
    application,
    (before, now) => bookedApplication(before, now),
    'booked',
  )
}

/**
 * Creates, sends and signs the agreement, starting from its current status. If a concurrent worker
 * did a step first, the step fails with INVALID_STATE_TRANSITION, and the loop continues from the
 * new status.
 */
async function signAgreement(context: Context, application: LoanApplication): Promise<void> {
  const { bank } = context
  const { partyId, acceptances, productClass } = application
  const agreementId = application.agreementId!
  const { productId: productCode } = application.approvedTerms!
  const signedAt = acceptances[0]!.acceptedAt.toISOString()
  const agreement = { agreementId, partyId, productCode, agreementType: productClass! }
  const steps: Record<string, () => Promise<unknown>> = {
    NONE: () => bank.queryGraph(DraftLoanAgreementDocument, agreement),
    DRAFT: () => bank.queryGraph(SendLoanAgreementDocument, { agreementId }),
    PENDING_SIGNATURE: () => bank.queryGraph(SignLoanAgreementDocument, { agreementId, signedAt }),
  }
  let lastError: unknown
  for (let attempt = 0; attempt <= Object.keys(steps).length; attempt++) {
    const status = await agreementStatus(context, agreementId)
    if (status === 'ACTIVE') return
    const step = steps[status]
    if (!step) throw new Problem('STATE_CONFLICT', { detail: `${agreementId} is ${status}.` })
    await step().catch((error: unknown) => {
      if (!isFinal(error) || error.code !== 'INVALID_STATE_TRANSITION') throw error
      lastError = error
    })
  }
  if ((await agreementStatus(context, agreementId)) !== 'ACTIVE') throw lastError
}

async function agreementStatus({ bank }: Context, agreementId: string): Promise<string> {
  const { agreement } = await bank.queryGraph(LoanAgreementDocument, { agreementId })
  return agreement?.status ?? 'NONE'
}

async function openLoan(context: Context, application: LoanApplication): Promise<void> {
  const { applicationId, customerId, settlementArrangementId, facilityId } = application
  const { amountMinor, currency, termMonths, ratePct, ...terms } = application.approvedTerms!
  const { productId, productVersion } = terms
  const product = await namedProduct(context, productId, productVersion)
  const isPaidOut = settingOf(product, 'autoDisburse') !== 'false'
  await context.bank.queryGraph(OpenLoanDocument, {
    facilityId: facilityId!,
    customerId,
    kind: facilityKindOf(product.productClass),
    productId,
    productVersion,
    applicationId,
    agreementId: application.agreementId!,
    limit: { amount: formatAmount(amountMinor, currency), currency },
    ratePct,
    installments: termMonths,
    settlementArrangementId,
    disburse: isPaidOut && settlementArrangementId !== null,
  })
}

/** Records why the loan could not be set up, and schedules a retry. */
function postpone(context: Context, application: LoanApplication, code: string): Promise<number> {
  const isNewError = application.bookingError !== code
  return changeAccepted(
    context,
    application,
    (before, now) => withBookingError(before, code, addMs(now, retryDelayMs)),
    isNewError ? 'booking-refused' : null,
  )
}

/** Changes an accepted application. Does nothing if a concurrent worker has already booked it. */
function changeAccepted(
  context: Context,
  { applicationId }: LoanApplication,
  decide: (before: LoanApplication, now: Date) => LoanApplication,
  eventName: 'booked' | 'booking-refused' | null,
): Promise<number> {
  return command(context, 'origination.book', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    if (before.status !== 'accepted') return { result: 0 }
    const now = context.now()
    const events = eventName === null ? [] : ([`lending.loan-application.${eventName}`] as const)
    return changeDecision(
      before,
      { application: decide(before, now), events, result: () => 1 },
      now,
    )
  })
}
