import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addMs, minuteMs } from '../_kernel/domain/dates.ts'
import { formatAmount } from '../_kernel/domain/money.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { doEach, type Worker } from '../_kernel/worker.ts'
import {
  DraftLoanAgreementDocument,
  LoanAgreementDocument,
  OpenLoanDocument,
  SendLoanAgreementDocument,
  SignLoanAgreementDocument,
} from './asks.generated.ts'
import { booked, bookingRefused, type LoanApplication } from './domain/application.ts'
import { facilityKindOf, settingOf } from './domain/published.ts'
import { committed } from './change.ts'
import { namedProduct } from './published.ts'
import { isFinal } from './refused.ts'
import { applicationTable, findUnbooked } from './store/application.ts'

const batchSize = 10
const restMs = minuteMs

/**
 * Sets up the loans whose terms were accepted: the agreement is signed and the facility opened,
 * both under the ids that the approval reserved. Each step first checks what already exists, so an
 * interrupted run continues and does nothing twice.
 */
export const bookLoans: Worker = {
  name: 'origination.book-loans',
  purpose: 'Sets up the loans whose terms were accepted.',
  everyMs: 5000,
  wakeOn: ['lending.loan-application.accepted'],
  async run(context) {
    const accepted = await findUnbooked(context, context.now(), batchSize)
    return doEach(context, accepted, (application) => book(context, application))
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
  return change(context, application, (before, now) => booked(before, now), 'booked')
}

/**
 * Creates, sends and signs the agreement. Of two concurrent workers, the later one finds it signed.
 */
async function signAgreement(context: Context, application: LoanApplication): Promise<void> {
  const { bank } = context
  const { partyId, acceptances, productClass } = application
  const agreementId = application.agreementId!
  const { productId: productCode } = application.approvedTerms!
  const signedAt = acceptances[0]!.acceptedAt.toISOString()
  const agreement = { agreementId, partyId, productCode, agreementType: productClass! }
  const steps: Record<string, () => Promise<unknown>> = {
    NONE: () => bank.ask(DraftLoanAgreementDocument, agreement),
    DRAFT: () => bank.ask(SendLoanAgreementDocument, { agreementId }),
    PENDING_SIGNATURE: () => bank.ask(SignLoanAgreementDocument, { agreementId, signedAt }),
  }
  let refusal: unknown
  for (let turn = 0; turn <= Object.keys(steps).length; turn++) {
    const status = await agreementStatus(context, agreementId)
    if (status === 'ACTIVE') return
    const step = steps[status]
    if (!step) throw new Problem('STATE_CONFLICT', { detail: `${agreementId} is ${status}.` })
    await step().catch((error: unknown) => {
      if (!isFinal(error) || error.code !== 'INVALID_STATE_TRANSITION') throw error
      refusal = error
    })
  }
  if ((await agreementStatus(context, agreementId)) !== 'ACTIVE') throw refusal
}

async function agreementStatus({ bank }: Context, agreementId: string): Promise<string> {
  const { agreement } = await bank.ask(LoanAgreementDocument, { agreementId })
  return agreement?.status ?? 'NONE'
}

async function openLoan(context: Context, application: LoanApplication): Promise<void> {
  const { applicationId, customerId, settlementArrangementId, facilityId } = application
  const { amountMinor, currency, termMonths, ratePct, ...terms } = application.approvedTerms!
  const { productId, productVersion } = terms
  const product = await namedProduct(context, productId, productVersion)
  const isPaidOut = settingOf(product, 'autoDisburse') !== 'false'
  await context.bank.ask(OpenLoanDocument, {
    facilityId: facilityId!,
    customerId,
    kind: facilityKindOf(product.productClass),
    productId,
    productVersion,
    applicationId,
    agreementId: application.agreementId!,
    limit: { amount: formatAmount(amountMinor, currency), currency },
    ratePct,
    instalments: termMonths,
    settlementArrangementId,
    disburse: isPaidOut && settlementArrangementId !== null,
  })
}

/** Stores why the loan could not be set up, and schedules a retry. */
function postpone(context: Context, application: LoanApplication, code: string): Promise<number> {
  const isNews = application.bookingRefusal !== code
  return change(
    context,
    application,
    (before, now) => bookingRefused(before, code, addMs(now, restMs)),
    isNews ? 'booking-refused' : null,
  )
}

/** No change when a concurrent worker has finished it. */
function change(
  context: Context,
  { applicationId }: LoanApplication,
  decide: (before: LoanApplication, now: Date) => LoanApplication,
  fact: 'booked' | 'booking-refused' | null,
): Promise<number> {
  return command(context, 'origination.book', { applicationId }, async () => {
    const before = (await applicationTable.find(context, applicationId))!
    if (before.status !== 'accepted') return { result: 0 }
    const now = context.now()
    const events = fact === null ? [] : ([`lending.loan-application.${fact}`] as const)
    return committed(before, { application: decide(before, now), events, result: () => 1 }, now)
  })
}
