import { applicationStates, type Check, type LoanApplication } from '../model/application.ts'
import type { DecisionMode } from '../model/enumerations.ts'
import { addDays, addMs, dateOf, minuteMs } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { stateProblem, isPending, withStatus } from './application.ts'
import {
  hasTerm,
  requireEligibleCustomer,
  requireValidQuote,
  requireOnOffer,
  settingOf,
  type CustomerFact,
  type Product,
  type QuoteFact,
} from './published.ts'
import { fieldProblem } from './refusals.ts'
import { requireOffered } from './terms.ts'

/**
 * The number of days in which the bank must notify the applicant of the decision: 12 CFR
 * 1002.9(a)(1)(i).
 */
export const decisionDays = 30
/** The declaration by which the applicant consents to a credit bureau inquiry. */
export const bureauConsent = 'credit-bureau-check'

export interface Submission {
  customer: CustomerFact
  /** Null if the application names no product. */
  product: Product | null
  quote: QuoteFact | null
  submittedAt: Date | null
  submittedBy: string
  submissionHash: string
  /**
   * The slots (see `openSlot`) that other open applications of the customer for the product occupy.
   */
  takenSlots: readonly number[]
  now: Date
}

/**
 * Checks that the application may be submitted: it is a draft, or it was returned for more
 * information. Otherwise throws APPLICATION_ALREADY_SUBMITTED if the same content was already
 * submitted and is not decided, and INVALID_STATE_TRANSITION in any other case.
 */
export function requireSubmittable(application: LoanApplication, submissionHash: string): void {
  const { status, informationRequested, applicationId } = application
  if (status === 'draft' || (status === 'submitted' && informationRequested !== null)) return
  if (isPending(application) && application.submissionHash === submissionHash) {
    const detail = `${applicationId} was already submitted with the same content.`
    throw stateProblem('APPLICATION_ALREADY_SUBMITTED', application, detail)
  }
  const allowed = applicationStates.table[status].filter((next) => next !== 'submitted')
  withStatus(application, 'submitted', { ...applicationStates.table, [status]: allowed })
}

/**
 * Submits an application. The application must be complete, the product on offer, and the customer
 * eligible for new business.
 * Throws, in this order, PRODUCT_NOT_LENDABLE, APPLICATION_INCOMPLETE, SUBMITTED_AT_IN_FUTURE,
 * CUSTOMER_NOT_ACTIVE, KYC_INCOMPLETE, PRODUCT_NOT_ACTIVE, QUOTE_EXPIRED, CURRENCY_NOT_OFFERED,
 * AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE, CONSENT_REQUIRED, OPEN_REQUEST_EXISTS.
 */
export function submit(application: LoanApplication, submission: Submission): LoanApplication {
  const { customer, quote, now } = submission
  const today = dateOf(now)
  const product = requireComplete(application, submission.product)
  const submittedAt = submission.submittedAt ?? now
  if (submittedAt > addMs(now, minuteMs)) {
    throw fieldProblem(
      'SUBMITTED_AT_IN_FUTURE',
      '/submittedAt',
      'The submission time must not be in the future.',
    )
  }
  requireEligibleCustomer(customer, today)
  requireOnOffer(product, today)
  if (quote) requireValidQuote(quote, now)
  const { amountMinor, currency, termMonths } = application
  requireOffered(product, { amountMinor: amountMinor!, currency: currency! }, termMonths)
  const consentCheck = requireConsent(application, product)
  return {
    ...application,
    status: 'submitted',
    decisionMode: modeOf(application, product),
    productVersion: product.version,
    productClass: product.productClass,
    submittedAt,
    submittedBy: submission.submittedBy,
    submissionHash: submission.submissionHash,
    decisionDueBy: addDays(dateOf(submittedAt), decisionDays),
    checks: [
      ...['completeness', 'customer', 'identity', 'product', 'amount', 'term'].map(passedCheck),
      quote ? passedCheck('quote') : { code: 'quote', status: 'not-needed' },
      consentCheck,
    ],
    openSlot: freeSlot(application, product, submission.takenSlots),
    informationRequested: null,
  }
}

const passedCheck = (code: string): Check => ({ code, status: 'passed' })

/**
 * Checks that the application is complete and returns its product. Throws APPLICATION_INCOMPLETE
 * with an error for each missing field, and PRODUCT_NOT_LENDABLE.
 */
function requireComplete(application: LoanApplication, product: Product | null): Product {
  const needsTerm = product === null || hasTerm(product.productClass)
  const missingPointers = [
    ...(product === null ? ['/productId'] : []),
    ...(application.amountMinor === null ? ['/requestedAmount'] : []),
    ...(application.termMonths === null && needsTerm ? ['/termMonths'] : []),
  ]
  if (product && missingPointers.length === 0) return product
  const code = 'APPLICATION_INCOMPLETE'
  const errors: ValidationError[] = missingPointers.map((pointer) => ({
    pointer,
    code,
    detail: 'The value is required before the application can be submitted.',
  }))
  const { applicationId: resourceId } = application
  throw new Problem(code, { resourceId, errors })
}

/**
 * Checks that the applicant consents to a credit bureau inquiry, if the product requires consent. A
 * declaration that refuses consent always blocks the submission. Returns the check to record.
 * Throws CONSENT_REQUIRED.
 */
function requireConsent({ declarations }: LoanApplication, product: Product): Check {
  const consent = declarations.find(({ code }) => code === bureauConsent)
  const isConsentRequired = settingOf(product, 'bureauConsent') === 'true'
  if (consent?.accepted) return passedCheck('consent')
  if (!consent && !isConsentRequired) return { code: 'consent', status: 'not-needed' }
  const detail = `The declaration ${bureauConsent} must be accepted.`
  throw fieldProblem('CONSENT_REQUIRED', '/declarations', detail)
}

/**
 * Returns the decision mode that was requested at creation, or else that of the product, or else
 * `hybrid`.
 */
function modeOf({ requestedMode: requested }: LoanApplication, product: Product): DecisionMode {
  if (requested) return requested
  const mode = settingOf(product, 'decisionMode')
  return mode === 'automated' || mode === 'manual' ? mode : 'hybrid'
}

/**
 * Returns the slot of the application (see `openSlot`); null if the product does not limit the open
 * applications of a customer. Throws OPEN_REQUEST_EXISTS if no slot is free.
 */
function freeSlot(
  { openSlot }: LoanApplication,
  product: Product,
  occupiedSlots: readonly number[],
): number | null {
  const limit = Number(settingOf(product, 'openApplications') ?? 0)
  if (!(limit > 0)) return null
  // An application that was returned for more information may now name another product. Its slot
  // may be occupied for that product.
  if (openSlot !== null && !occupiedSlots.includes(openSlot)) return openSlot
  for (let slot = 1; slot <= limit; slot++) if (!occupiedSlots.includes(slot)) return slot
  const detail = `A customer can have at most ${limit} open applications for this product.`
  throw fieldProblem('OPEN_REQUEST_EXISTS', '/productId', detail)
}
