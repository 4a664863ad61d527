import type { Money } from '../../_kernel/domain/money.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { Declaration, DecisionMode, LoanApplication } from './application.ts'
import { requireForThem, type CustomerFact, type QuoteFact } from './published.ts'
import { invalid, refuse } from './refusals.ts'
import { mostTermMonths } from './terms.ts'

/** What an applicant says of the loan they want, and of themselves. */
export interface ApplicationAsked {
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

const mostListed = 50
const mostMonths = 1200
const mostMinor = 10n ** 18n

/** An application that nobody has filled in yet. */
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
    modeAsked: decisionMode,
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
    bookingRefusal: null,
    bookAfter: null,
    bookedAt: null,
  }
}

/**
 * An application with what was said put over what was known; a price fills in what nobody said.
 * Refuses with QUOTE_MISMATCH, CURRENCY_MISMATCH, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE, and
 * VALIDATION_FAILED figures that cannot be.
 */
export function filledIn(
  application: LoanApplication,
  asked: ApplicationAsked,
  quote: QuoteFact | null,
): LoanApplication {
  const productId = asked.productId ?? application.productId ?? quote?.productId ?? null
  if (quote) requireForThem(quote, { ...application, productId })
  const quoted = quote?.amountMinor ? BigInt(quote.amountMinor) : null
  const { requestedAmount = null } = asked
  const filled: LoanApplication = {
    ...application,
    quoteId: quote?.pricingQuoteId ?? null,
    productId,
    productVersion: quote?.productVersion ?? null,
    amountMinor: requestedAmount?.amountMinor ?? application.amountMinor ?? quoted,
    currency: requestedAmount?.currency ?? application.currency ?? quote?.currency ?? null,
    termMonths: asked.termMonths ?? application.termMonths ?? quote?.termMonths ?? null,
    purpose: asked.purpose ?? application.purpose,
    employedMonths: asked.employedMonths ?? application.employedMonths,
    settlementArrangementId: asked.settlementArrangementId ?? application.settlementArrangementId,
    channel: asked.channel ?? application.channel,
    declarations: merged(application.declarations, asked.declarations ?? []),
    documents: [...new Set([...application.documents, ...(asked.documents ?? [])])],
  }
  requireFigures(filled, asked)
  const { currency } = filled
  // Figures of another currency say nothing about this loan.
  const isSame = application.currency === null || currency === application.currency
  const { incomeMinor, obligationsMinor } = isSame ? application : nothingStated
  return {
    ...filled,
    incomeMinor: figure('monthlyIncome', asked.monthlyIncome, currency) ?? incomeMinor,
    obligationsMinor:
      figure('monthlyObligations', asked.monthlyObligations, currency) ?? obligationsMinor,
  }
}

const nothingStated = { incomeMinor: null, obligationsMinor: null }

/** Of two declarations about one thing the later one holds. */
function merged(before: readonly Declaration[], more: readonly Declaration[]): Declaration[] {
  const byCode = new Map([...before, ...more].map((declaration) => [declaration.code, declaration]))
  return [...byCode.values()]
}

function requireFigures(
  filled: LoanApplication,
  { requestedAmount, termMonths }: ApplicationAsked,
) {
  const isAmount = !requestedAmount || isPositive(requestedAmount.amountMinor)
  if (!isAmount) throw refuse('AMOUNT_OUT_OF_RANGE', '/requestedAmount', 'More than nothing.')
  const isTerm = termMonths == null || (termMonths > 0 && termMonths <= mostTermMonths)
  if (!isTerm) throw refuse('TERM_OUT_OF_RANGE', '/termMonths', `From 1 to ${mostTermMonths}.`)
  const { employedMonths, declarations, documents } = filled
  if (employedMonths !== null && (employedMonths < 0 || employedMonths > mostMonths)) {
    throw invalid('/employedMonths', `From 0 to ${mostMonths}.`)
  }
  if (declarations.length > mostListed) throw invalid('/declarations', `At most ${mostListed}.`)
  if (documents.length > mostListed) throw invalid('/documents', `At most ${mostListed}.`)
}

const isPositive = (minor: bigint) => minor > 0n && minor < mostMinor

/** A figure of a month, in the currency of the loan; null when nothing was said. */
function figure(member: string, money: Money | null | undefined, currency: string | null) {
  if (!money) return null
  if (currency !== null && money.currency !== currency) {
    throw refuse('CURRENCY_MISMATCH', `/${member}/currency`, `The loan is in ${currency}.`)
  }
  if (money.amountMinor === 0n || isPositive(money.amountMinor)) return money.amountMinor
  throw invalid(`/${member}`, 'Nothing or more.')
}
