import type { Declaration, LoanApplication } from '../model/application.ts'
import type { DecisionMode } from '../model/enumerations.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { requireQuoteFor, type CustomerFact, type QuoteFact } from './published.ts'
import { validationProblem, fieldProblem } from './refusals.ts'
import { maxTermMonths } from './terms.ts'

/** The fields of an application that its applicant fills in. */
export interface ApplicationRequest {
  quoteId?: string | null
  productId?: string | null
  requestedAmount?: Money | null
  termMonths?: number | null
  purpose?: string | null
  monthlyIncome?: Money | null
  monthlyObligations?: Money | null
  employedMonths?: number | null
  settlementArrangementId?: string | null
  channel?: string | null
  declarations?: readonly Declaration[] | null
  documents?: readonly string[] | null
}

const maxListLength = 50
const maxEmployedMonths = 1200
const maxMinor = 10n ** 18n

/** Returns a new draft application without content. */
export function blankApplication(
  head: Versioned & { applicationId: string; createdBy: string },
  { customerId, partyId }: CustomerFact,
  decisionMode: DecisionMode | null,
): LoanApplication {
  return {
    ...head,
    customerId,
    partyId,
    status: 'draft',
    decisionMode: decisionMode ?? 'hybrid',
    requestedMode: decisionMode,
    quoteId: null,
    productId: null,
    productVersion: null,
    productClass: null,
    amountMinor: null,
    currency: null,
    termMonths: null,
    purpose: null,
    incomeMinor: null,
    obligationsMinor: null,
    employedMonths: null,
    settlementArrangementId: null,
    channel: null,
    declarations: [],
    documents: [],
    submittedBy: null,
    submittedAt: null,
    submissionHash: null,
    decisionDueBy: null,
    checks: [],
    openSlot: null,
    informationRequested: null,
    recommendation: null,
    decisions: 0,
    decisionId: null,
    approvedTerms: null,
    counterOffer: null,
    approvedAt: null,
    termsHash: null,
    offerExpiresAt: null,
    conditions: [],
    acceptances: [],
    coolingOffEndsOn: null,
    facilityId: null,
    agreementId: null,
    caseId: null,
    isCaseOpen: false,
    isCaseClosed: false,
    closureReason: null,
    closureNote: null,
    bookingError: null,
    bookAfter: null,
    bookedAt: null,
  }
}

/**
 * Applies the fields of a request to an application. The quote supplies the product, amount and
 * term if they are still missing.
 * Throws QUOTE_MISMATCH, CURRENCY_MISMATCH, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE, and
 * VALIDATION_FAILED for an implausible figure or too many declarations or documents.
 */
export function withInput(
  application: LoanApplication,
  request: ApplicationRequest,
  quote: QuoteFact | null,
): LoanApplication {
  const productId = request.productId ?? application.productId ?? quote?.productId ?? null
  if (quote) requireQuoteFor(quote, { ...application, productId })
  const quotedMinor = quote?.amountMinor ? BigInt(quote.amountMinor) : null
  const { requestedAmount = null } = request
  const updatedApplication: LoanApplication = {
    ...application,
    quoteId: quote?.pricingQuoteId ?? null,
    productId,
    productVersion: quote?.productVersion ?? null,
    amountMinor: requestedAmount?.amountMinor ?? application.amountMinor ?? quotedMinor,
    currency: requestedAmount?.currency ?? application.currency ?? quote?.currency ?? null,
    termMonths: request.termMonths ?? application.termMonths ?? quote?.termMonths ?? null,
    purpose: request.purpose ?? application.purpose,
    employedMonths: request.employedMonths ?? application.employedMonths,
    settlementArrangementId: request.settlementArrangementId ?? application.settlementArrangementId,
    channel: request.channel ?? application.channel,
    declarations: mergeDeclarations(application.declarations, request.declarations ?? []),
    documents: [...new Set([...application.documents, ...(request.documents ?? [])])],
  }
  requireFigures(updatedApplication, request)
  const { currency } = updatedApplication
  // If the request changes the currency of the loan, the earlier figures are in the wrong currency
  // and are discarded.
  const isSameCurrency = application.currency === null || currency === application.currency
  const { incomeMinor, obligationsMinor } = isSameCurrency ? application : noFigures
  return {
    ...updatedApplication,
    incomeMinor: monthlyMinor('monthlyIncome', request.monthlyIncome, currency) ?? incomeMinor,
    obligationsMinor:
      monthlyMinor('monthlyObligations', request.monthlyObligations, currency) ?? obligationsMinor,
  }
}

const noFigures = { incomeMinor: null, obligationsMinor: null }

/** Merges declarations by code. A later declaration replaces an earlier one. */
function mergeDeclarations(
  earlier: readonly Declaration[],
  later: readonly Declaration[],
): Declaration[] {
  const byCode = new Map(
    [...earlier, ...later].map((declaration) => [declaration.code, declaration]),
  )
  return [...byCode.values()]
}

function requireFigures(
  updatedApplication: LoanApplication,
  { requestedAmount, termMonths }: ApplicationRequest,
) {
  const isAmountValid = !requestedAmount || isPositiveAndStorable(requestedAmount.amountMinor)
  if (!isAmountValid)
    throw fieldProblem(
      'AMOUNT_OUT_OF_RANGE',
      '/requestedAmount',
      'The requested amount must be greater than zero.',
    )
  const isTermValid = termMonths == null || (termMonths > 0 && termMonths <= maxTermMonths)
  if (!isTermValid)
    throw fieldProblem(
      'TERM_OUT_OF_RANGE',
      '/termMonths',
      `The term must be from 1 to ${maxTermMonths} months.`,
    )
  const { employedMonths, declarations, documents } = updatedApplication
  if (employedMonths !== null && (employedMonths < 0 || employedMonths > maxEmployedMonths)) {
    throw validationProblem(
      '/employedMonths',
      `The months of employment must be from 0 to ${maxEmployedMonths}.`,
    )
  }
  if (declarations.length > maxListLength)
    throw validationProblem(
      '/declarations',
      `An application can have at most ${maxListLength} declarations.`,
    )
  if (documents.length > maxListLength)
    throw validationProblem(
      '/documents',
      `An application can have at most ${maxListLength} documents.`,
    )
}

const isPositiveAndStorable = (minor: bigint) => minor > 0n && minor < maxMinor

/**
 * Returns a monthly figure in minor units of the loan's currency; null if the figure was not sent.
 */
function monthlyMinor(member: string, money: Money | null | undefined, currency: string | null) {
  if (!money) return null
  if (currency !== null && money.currency !== currency) {
    throw fieldProblem(
      'CURRENCY_MISMATCH',
      `/${member}/currency`,
      `The amount must be in ${currency}, the currency of the loan.`,
    )
  }
  if (money.amountMinor === 0n || isPositiveAndStorable(money.amountMinor)) return money.amountMinor
  throw validationProblem(`/${member}`, 'The amount must not be negative.')
}
