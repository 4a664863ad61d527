import type { Money } from '../../_kernel/domain/money.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { Declaration, DecisionMode, LoanApplication } from './application.ts'
import { requireForThem, type CustomerFact, type QuoteFact } from './published.ts'
import { invalid, refuse } from './refusals.ts'
import { mostTermMonths } from './terms.ts'

/** The fields of an application that the applicant fills in. */
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

/** A new draft application without content. */
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
 * Applies the given fields to an application; the quote supplies fields that are still missing.
 * Rejects with QUOTE_MISMATCH, CURRENCY_MISMATCH, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE, and
 * with VALIDATION_FAILED impossible figures.
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
  // Figures in another currency do not apply to this loan and are discarded.
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

/** Merges declarations by code; the later one wins. */
function merged(before: readonly Declaration[], more: readonly Declaration[]): Declaration[] {
  const byCode = new Map([...before, ...more].map((declaration) => [declaration.code, declaration]))
  return [...byCode.values()]
}

function requireFigures(
  filled: LoanApplication,
  { requestedAmount, termMonths }: ApplicationAsked,
) {
  const isAmount = !requestedAmount || isPositive(requestedAmount.amountMinor)
  if (!isAmount)
    throw refuse(
      'AMOUNT_OUT_OF_RANGE',
      '/requestedAmount',
      'The requested amount must be greater than zero.',
    )
  const isTerm = termMonths == null || (termMonths > 0 && termMonths <= mostTermMonths)
  if (!isTerm)
    throw refuse(
      'TERM_OUT_OF_RANGE',
      '/termMonths',
      `The term must be from 1 to ${mostTermMonths} months.`,
    )
  const { employedMonths, declarations, documents } = filled
  if (employedMonths !== null && (employedMonths < 0 || employedMonths > mostMonths)) {
    throw invalid('/employedMonths', `The months of employment must be from 0 to ${mostMonths}.`)
  }
  if (declarations.length > mostListed)
    throw invalid('/declarations', `An application can have at most ${mostListed} declarations.`)
  if (documents.length > mostListed)
    throw invalid('/documents', `An application can have at most ${mostListed} documents.`)
}

const isPositive = (minor: bigint) => minor > 0n && minor < mostMinor

/** A monthly figure in minor units of the currency of the loan; null when not given. */
function figure(member: string, money: Money | null | undefined, currency: string | null) {
  if (!money) return null
  if (currency !== null && money.currency !== currency) {
    throw refuse(
      'CURRENCY_MISMATCH',
      `/${member}/currency`,
      `The amount must be in ${currency}, the currency of the loan.`,
    )
  }
  if (money.amountMinor === 0n || isPositive(money.amountMinor)) return money.amountMinor
  throw invalid(`/${member}`, 'The amount must not be negative.')
}
