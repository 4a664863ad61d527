import { addDays, addMs, dateOf, minuteMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import {
  applicationMoves,
  inWrongState,
  moved,
  type Check,
  type DecisionMode,
  type LoanApplication,
} from './application.ts'
import {
  hasTerm,
  requireGoodCustomer,
  requireGoodQuote,
  requireOnOffer,
  settingOf,
  type CustomerFact,
  type Product,
  type QuoteFact,
} from './published.ts'
import { refuse } from './refusals.ts'
import { requireOffered } from './terms.ts'

/**
 * The number of days within which the applicant must be notified of the decision: 12 CFR
 * 1002.9(a)(1)(i).
 */
export const decisionDays = 30
/** The declaration by which the applicant consents to a credit bureau check. */
export const bureauConsent = 'credit-bureau-check'

export interface Submission {
  customer: CustomerFact
  /** null when the application names none. */
  product: Product | null
  quote: QuoteFact | null
  submittedAt: Date | null
  submittedBy: string
  submissionHash: string
  /** The slots taken by other open applications of the same customer for the same product. */
  takenSlots: readonly number[]
  now: Date
}

/**
 * Checks that the application may be submitted: it is a draft, or was returned for information.
 * Rejects with APPLICATION_ALREADY_SUBMITTED the same submission again, INVALID_STATE_TRANSITION.
 */
export function requireSubmittable(application: LoanApplication, submissionHash: string): void {
  const { status, informationRequested, applicationId } = application
  if (status === 'draft' || (status === 'submitted' && informationRequested !== null)) return
  const isPending = status === 'submitted' || status === 'in-review'
  if (isPending && application.submissionHash === submissionHash) {
    const detail = `${applicationId} was already submitted with the same content.`
    throw inWrongState('APPLICATION_ALREADY_SUBMITTED', application, detail)
  }
  const allowed = applicationMoves[status].filter((next) => next !== 'submitted')
  moved(application, 'submitted', { ...applicationMoves, [status]: allowed })
}

/**
 * Submits a complete application for a product on offer, by a customer with whom the bank may do
 * business. Rejects, in this order, with APPLICATION_INCOMPLETE, SUBMITTED_AT_IN_FUTURE,
 * CUSTOMER_NOT_ACTIVE, KYC_INCOMPLETE, PRODUCT_NOT_ACTIVE, PRODUCT_NOT_LENDABLE, QUOTE_EXPIRED,
 * CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE, CONSENT_REQUIRED,
 * OPEN_REQUEST_EXISTS.
 */
export function submitted(application: LoanApplication, given: Submission): LoanApplication {
  const { customer, quote, now } = given
  const today = dateOf(now)
  const product = requireComplete(application, given.product)
  const submittedAt = given.submittedAt ?? now
  if (submittedAt > addMs(now, minuteMs)) {
    throw refuse(
      'SUBMITTED_AT_IN_FUTURE',
      '/submittedAt',
      'The submission time must not be in the future.',
    )
  }
  requireGoodCustomer(customer, today)
  requireOnOffer(product, today)
  if (quote) requireGoodQuote(quote, now)
  const { amountMinor, currency, termMonths } = application
  requireOffered(product, { amountMinor: amountMinor!, currency: currency! }, termMonths)
  const consent = requireConsent(application, product)
  return {
    ...application,
    status: 'submitted',
    decisionMode: modeOf(application, product),
    productVersion: product.version,
    productClass: product.productClass,
    submittedAt,
    submittedBy: given.submittedBy,
    submissionHash: given.submissionHash,
    decisionDueBy: addDays(dateOf(submittedAt), decisionDays),
    checks: [
      ...['completeness', 'customer', 'identity', 'product', 'amount', 'term'].map(passed),
      quote ? passed('quote') : { code: 'quote', status: 'not-needed' },
      consent,
    ],
    openSlot: freeSlot(application, product, given.takenSlots),
    informationRequested: null,
  }
}

const passed = (code: string): Check => ({ code, status: 'passed' })

/**
 * Checks that the application is complete. Rejects with APPLICATION_INCOMPLETE; `errors` lists all
 * missing fields.
 */
function requireComplete(application: LoanApplication, product: Product | null): Product {
  const needsTerm = product === null || hasTerm(product.productClass)
  const missing = [
    ...(product === null ? ['/productId'] : []),
    ...(application.amountMinor === null ? ['/requestedAmount'] : []),
    ...(application.termMonths === null && needsTerm ? ['/termMonths'] : []),
  ]
  if (product && missing.length === 0) return product
  const code = 'APPLICATION_INCOMPLETE'
  const errors: Fault[] = missing.map((pointer) => ({
    pointer,
    code,
    detail: 'The value is required for the submission.',
  }))
  const { applicationId: resourceId } = application
  throw new Problem(code, { resourceId, errors })
}

/** The consent may be required by the product. A refused consent always blocks the submission. */
function requireConsent({ declarations }: LoanApplication, product: Product): Check {
  const consent = declarations.find(({ code }) => code === bureauConsent)
  const isNeeded = settingOf(product, 'bureauConsent') === 'true'
  if (consent?.accepted) return passed('consent')
  if (!consent && !isNeeded) return { code: 'consent', status: 'not-needed' }
  const detail = `The declaration ${bureauConsent} must be accepted.`
  throw refuse('CONSENT_REQUIRED', '/declarations', detail)
}

/** The decision mode of the application, otherwise that of the product. */
function modeOf({ modeAsked }: LoanApplication, product: Product): DecisionMode {
  if (modeAsked) return modeAsked
  const mode = settingOf(product, 'decisionMode')
  return mode === 'automated' || mode === 'manual' ? mode : 'hybrid'
}

/**
 * A free slot among the open applications that the product allows per customer. Rejects with
 * OPEN_REQUEST_EXISTS.
 */
function freeSlot(
  { openSlot }: LoanApplication,
  product: Product,
  taken: readonly number[],
): number | null {
  const most = Number(settingOf(product, 'openApplications') ?? 0)
  if (!(most > 0)) return null
  // A returned application may be for another product now, where its former slot may be taken.
  if (openSlot !== null && !taken.includes(openSlot)) return openSlot
  for (let slot = 1; slot <= most; slot++) if (!taken.includes(slot)) return slot
  const detail = `A customer can have at most ${most} open applications for this product.`
  throw refuse('OPEN_REQUEST_EXISTS', '/productId', detail)
}
