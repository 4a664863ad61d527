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

/** Within how many days the applicant hears of the decision: 12 CFR 1002.9(a)(1)(i). */
export const decisionDays = 30
/** The declaration by which an applicant lets the bank ask a credit bureau. */
export const bureauConsent = 'credit-bureau-check'

export interface Submission {
  customer: CustomerFact
  /** null when the application names none. */
  product: Product | null
  quote: QuoteFact | null
  submittedAt: Date | null
  submittedBy: string
  submissionHash: string
  /** Of the same customer and product, the slots that other applications have. */
  takenSlots: readonly number[]
  now: Date
}

/**
 * Promises that the application may be submitted: it is a draft, or was returned for information.
 * Refuses with APPLICATION_ALREADY_SUBMITTED the same submission again, INVALID_STATE_TRANSITION.
 */
export function requireSubmittable(application: LoanApplication, submissionHash: string): void {
  const { status, informationRequested, applicationId } = application
  if (status === 'draft' || (status === 'submitted' && informationRequested !== null)) return
  const isPending = status === 'submitted' || status === 'in-review'
  if (isPending && application.submissionHash === submissionHash) {
    const detail = `${applicationId} was submitted like this before.`
    throw inWrongState('APPLICATION_ALREADY_SUBMITTED', application, detail)
  }
  const allowed = applicationMoves[status].filter((next) => next !== 'submitted')
  moved(application, 'submitted', { ...applicationMoves, [status]: allowed })
}

/**
 * Submits an application that is complete, for a product on offer, to a customer the bank may do
 * business with. Refuses, in this order, with APPLICATION_INCOMPLETE, SUBMITTED_AT_IN_FUTURE,
 * CUSTOMER_NOT_ACTIVE, KYC_INCOMPLETE, PRODUCT_NOT_ACTIVE, PRODUCT_NOT_LENDABLE, QUOTE_EXPIRED,
 * CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE, CONSENT_REQUIRED, OPEN_REQUEST_EXISTS.
 */
export function submitted(application: LoanApplication, given: Submission): LoanApplication {
  const { customer, quote, now } = given
  const today = dateOf(now)
  const product = requireComplete(application, given.product)
  const submittedAt = given.submittedAt ?? now
  if (submittedAt > addMs(now, minuteMs)) {
    throw refuse('SUBMITTED_AT_IN_FUTURE', '/submittedAt', 'Not after now.')
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

/** Refuses with APPLICATION_INCOMPLETE, every missing member at once. */
function requireComplete(application: LoanApplication, product: Product | null): Product {
  const needsTerm = product === null || hasTerm(product.productClass)
  const missing = [
    ...(product === null ? ['/productId'] : []),
    ...(application.amountMinor === null ? ['/requestedAmount'] : []),
    ...(application.termMonths === null && needsTerm ? ['/termMonths'] : []),
  ]
  if (product && missing.length === 0) return product
  const code = 'APPLICATION_INCOMPLETE'
  const errors: Fault[] = missing.map((pointer) => ({ pointer, code, detail: 'Is needed.' }))
  const { applicationId: resourceId } = application
  throw new Problem(code, { resourceId, errors })
}

/** A product may make the consent a condition; nobody is asked about who said no. */
function requireConsent({ declarations }: LoanApplication, product: Product): Check {
  const consent = declarations.find(({ code }) => code === bureauConsent)
  const isNeeded = settingOf(product, 'bureauConsent') === 'true'
  if (consent?.accepted) return passed('consent')
  if (!consent && !isNeeded) return { code: 'consent', status: 'not-needed' }
  const detail = `The declaration ${bureauConsent} has to be accepted.`
  throw refuse('CONSENT_REQUIRED', '/declarations', detail)
}

/** What the application was set to, else what the product says. */
function modeOf({ modeAsked }: LoanApplication, product: Product): DecisionMode {
  if (modeAsked) return modeAsked
  const mode = settingOf(product, 'decisionMode')
  return mode === 'automated' || mode === 'manual' ? mode : 'hybrid'
}

/** A place among the open applications a product allows a customer. Refuses with OPEN_REQUEST_EXISTS. */
function freeSlot(
  { openSlot }: LoanApplication,
  product: Product,
  taken: readonly number[],
): number | null {
  const most = Number(settingOf(product, 'openApplications') ?? 0)
  if (!(most > 0)) return null
  // One that was sent back may be for another product now, where its place is another's.
  if (openSlot !== null && !taken.includes(openSlot)) return openSlot
  for (let slot = 1; slot <= most; slot++) if (!taken.includes(slot)) return slot
  const detail = `A customer has at most ${most} open for this product.`
  throw refuse('OPEN_REQUEST_EXISTS', '/productId', detail)
}
