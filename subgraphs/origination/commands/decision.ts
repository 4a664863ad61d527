import { applicationStates, type LoanApplication } from '../model/application.ts'
import type { CreditAuthority, CreditDecision } from '../model/decision.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { parseAmount, type Money, type AmountSent } from '../../../kernel/domain/money.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import {
  requireActsFor,
  requireAnotherPerson,
  requireSeparatePrincipals,
} from '../../../kernel/authorization/principals.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { isLoan } from '../domain/application.ts'
import { approvedByCounterOffer, requireCounterOffer } from '../domain/counter-offer.ts'
import { decide, requireDecidable } from '../domain/decision.ts'
import { requireHuman, type DecisionRequest } from '../domain/decision-request.ts'
import { requireQuoteFor, settingOf, type Product } from '../domain/published.ts'
import { approvedTerms, type Terms, type TermsRequest } from '../domain/terms.ts'
import { declinedEvents, type ApplicationEvent } from '../events.ts'
import { changeDecision, requireApplication } from './change.ts'
import { namedProduct, namedQuote } from '../store/published.ts'
import {
  findAuthority,
  findDecision,
  holdAuthority,
  insertDecision,
  writeAuthority,
} from '../store/decision.ts'

export interface DecisionInput extends Omit<DecisionRequest, 'decidedBy'> {
  applicationId: string
  decidedBy: string | null
  approvedTerms: TermsInput | null
}

/** The terms in the input of a decision. */
interface TermsInput extends Omit<TermsRequest, 'amount'> {
  amount?: AmountSent | null
  productId?: string | null
  quoteId?: string | null
}

/**
 * Records a decision and applies it to the application. The decider is the caller, or a person for
 * whom the caller's client is registered to act.
 * Throws NOT_FOR_DELEGATED_USERS, AI_CANNOT_DECIDE, CANNOT_ACT_FOR, SEGREGATION_OF_DUTIES,
 * APPLICATION_NOT_FOUND, DECISION_NOT_FOUND, PARTY_DECEASED, and whatever `requireDecidable`,
 * `pricedTerms` and `decide` throw.
 */
export function recordDecision(context: Context, input: DecisionInput): Promise<CreditDecision> {
  requireBank(context)
  const { caller } = context
  const request: DecisionRequest = { ...input, decidedBy: input.decidedBy ?? caller.subject }
  requireHuman([caller.subject, caller.clientId, request.decidedBy])
  return command(context, 'recordCreditDecision', input, async () => {
    const before = await requireApplication(context, input.applicationId)
    await requireActsFor(context, request.decidedBy)
    requireDecidable(before, request)
    await requireIndependentDecider(context, before, request.decidedBy)
    await requireOverriddenDecision(context, input)
    const now = context.now()
    const isPriced = request.outcome === 'approved' || request.outcome === 'counter-offer'
    if (isPriced) await requireAlive(context, before.partyId, '/applicationId')
    const priced = isPriced ? await pricedTerms(context, before, input.approvedTerms, now) : null
    const authority = priced && (await authorityOf(context, request.decidedBy, priced))
    const { application, decision } = decide(before, request, {
      ...(priced ?? noTerms),
      authorityMinor: authority && authority.limitMinor,
      isOwnPolicy: false,
      recordedBy: caller.subject,
      ids: newDecisionIds(context),
      now,
    })
    const writes = [...insertDecision(decision), ...(authority ? [authority.hold] : [])]
    const events = eventsOfDecision(before, application, decision)
    return changeDecision(before, { application, events, writes, result: () => decision }, now)
  })
}

/**
 * Checks that the application was submitted neither by the decider nor by a client that the decider
 * owns. Throws SEGREGATION_OF_DUTIES.
 */
function requireIndependentDecider(
  context: Context,
  { applicationId, submittedBy }: LoanApplication,
  decider: string,
): Promise<void> {
  const detail = `${decider} submitted the application, or owns the client that did, and cannot decide on it.`
  return requireSeparatePrincipals(context, decider, [submittedBy], {
    resourceId: applicationId,
    detail,
  })
}

/** Generates the IDs that a decision may need. */
export function newDecisionIds(context: Context) {
  return {
    decision: context.newId('decision'),
    facility: context.newId('facility'),
    agreement: context.newId('agreement'),
    case: context.newId('case'),
  }
}

/**
 * Checks that an overridden decision belongs to the same application. Throws
 * DECISION_NOT_FOUND.
 */
async function requireOverriddenDecision(
  context: Context,
  { overrideOf, applicationId }: DecisionInput,
) {
  if (overrideOf === null) return
  const decision = await findDecision(context, overrideOf)
  if (decision?.applicationId === applicationId) return
  throw missingReference('DECISION_NOT_FOUND', overrideOf, '/overrideOf')
}

/**
 * Terms with their hash and their product. `quoteExpiresAt` is null if the rate does not come from
 * a quote.
 */
export interface PricedTerms {
  terms: Terms
  termsHash: string
  quoteExpiresAt: Date | null
  product: Product
}

const noTerms = { terms: null, termsHash: null, quoteExpiresAt: null }

/**
 * Returns the terms of an approval: those of the decision, with those of the application as
 * defaults.
 * Throws PRODUCT_NOT_FOUND, QUOTE_NOT_FOUND, QUOTE_MISMATCH, PRODUCT_NOT_LENDABLE, and whatever
 * `approvedTerms` throws.
 */
export async function pricedTerms(
  context: Context,
  application: LoanApplication,
  request: DecisionInput['approvedTerms'],
  now: Date,
): Promise<PricedTerms> {
  const { productId, productVersion, amountMinor, currency, termMonths } = application
  const isOtherProduct = Boolean(request?.productId && request.productId !== productId)
  const quoteId = request?.quoteId ?? (isOtherProduct ? null : application.quoteId)
  const quote =
    quoteId === null ? null : await namedQuote(context, quoteId, termsPointer('quoteId'))
  const termsProductId = request?.productId ?? productId!
  if (quote)
    requireQuoteFor(quote, { productId: termsProductId, customerId: application.customerId })
  const version = quote?.productVersion ?? (isOtherProduct ? null : productVersion)
  const product = await namedProduct(context, termsProductId, version, termsPointer('productId'))
  const amount: Money = { amountMinor: amountMinor!, currency: currency! }
  const decidedTerms = {
    ...request,
    amount: request?.amount ? moneyOf(request.amount, amount) : null,
  }
  const terms = approvedTerms({ amount, termMonths }, decidedTerms, product, quote, now)
  const quoteExpiresAt = quote && terms.quoteId !== null ? new Date(quote.expiresAt) : null
  return { terms, termsHash: hashOf(application, terms), quoteExpiresAt, product }
}

/** Parses an amount. An amount without a currency is in the currency of the application. */
function moneyOf(request: AmountSent, applicationAmount: Money): Money {
  const { amount } = request
  const currency = request.currency ?? applicationAmount.currency
  return { amountMinor: parseAmount(amount, currency, termsPointer('amount')), currency }
}

const termsPointer = (member: string) => `/approvedTerms/${member}`

/**
 * Returns the hash of the terms. The hash covers only public fields, so that the applicant can
 * recompute it.
 */
function hashOf({ applicationId }: LoanApplication, terms: Terms): string {
  return fingerprint('loan-terms', { applicationId, ...terms })
}

/**
 * Returns the credit authority of the decider. `limitMinor` is the limit granted to the decider, or
 * else the limit that the product gives to every decider, or else null. `hold` is a write that
 * makes the commit fail if the granted authority changes concurrently.
 */
async function authorityOf(
  context: Context,
  decider: string,
  { terms, product }: PricedTerms,
): Promise<{ limitMinor: bigint | null; hold: Write }> {
  const authority = await findAuthority(context, decider, terms.currency)
  const hold = holdAuthority(decider, terms.currency, authority)
  if (authority) return { limitMinor: authority.limitMinor, hold }
  const productLimit = settingOf(product, 'decisionAuthority')
  const limitMinor =
    productLimit === null ? null : parseAmount(Number(productLimit).toFixed(0), terms.currency)
  return { limitMinor, hold }
}

/** Returns the types of the events of a decision, in order. */
export function eventsOfDecision(
  before: LoanApplication,
  after: LoanApplication,
  { outcome }: CreditDecision,
): ApplicationEvent[] {
  const events: ApplicationEvent[] = ['lending.credit-application.decision-recorded']
  if (outcome === 'referred') events.push('lending.credit-application.referred')
  if (after.status === 'in-review' && before.status !== 'in-review') {
    events.push('lending.credit-application.in-review')
  }
  if (after.status === 'declined') events.push(...declinedEvents(after))
  if (after.status === 'approved') {
    events.push('lending.credit-application.approved')
    if (isLoan(after)) events.push('lending.loan-application.approved')
  }
  return events
}

/**
 * Accepts or rejects a counter-offer. Acceptance approves the application on the offered terms;
 * rejection withdraws it.
 * Throws APPLICATION_NOT_FOUND, NO_COUNTER_OFFER, OFFER_EXPIRED.
 */
export function answerCounterOffer(
  context: Context,
  input: { applicationId: string; isTaken: boolean },
): Promise<LoanApplication> {
  return command(context, 'answerCounterOffer', input, async () => {
    const before = await requireApplication(context, input.applicationId)
    const now = context.now()
    const result = (after: LoanApplication) => after
    requireCounterOffer(before, now)
    if (!input.isTaken) {
      const request = { now, subject: context.caller.subject }
      const withdraw = 'withdrawLoanApplication'
      const application = applyTransition(applicationStates, withdraw, before, request, {
        closureNote: null,
      })
      const events = declinedEvents(application)
      return changeDecision(before, { application, events, result }, now)
    }
    const counterOfferDecision = (await findDecision(context, before.decisionId!))!
    const {
      decision: decisionId,
      facility: facilityId,
      agreement: agreementId,
    } = newDecisionIds(context)
    const recordedBy = context.caller.subject
    const stamp = { decisionId, facilityId, agreementId, recordedBy, now }
    const { application, decision } = approvedByCounterOffer(before, counterOfferDecision, stamp)
    const writes = insertDecision(decision)
    const events = eventsOfDecision(before, application, decision)
    return changeDecision(before, { application, events, writes, result }, now)
  })
}

/**
 * Sets the maximum amount in one currency that a person may approve alone.
 * Throws NOT_FOR_DELEGATED_USERS, and SEGREGATION_OF_DUTIES if `decider` and the caller are
 * the same person or clients of the same person.
 */
export function grantAuthority(
  context: Context,
  request: { decider: string; limit: Money },
): Promise<CreditAuthority> {
  requireBank(context)
  const { decider, limit } = request
  return command(context, 'grantCreditAuthority', request, async () => {
    const detail = 'You cannot grant credit authority to yourself or to a client that you own.'
    await requireAnotherPerson(context, [decider], { resourceId: decider, detail })
    const { currency, amountMinor: limitMinor } = limit
    const grantedBy = context.caller.subject
    const authority = { decider, currency, limitMinor, grantedBy, grantedAt: context.now() }
    const writes = [writeAuthority(authority)]
    return { result: authority, resourceId: decider, writes }
  })
}
