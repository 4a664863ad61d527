import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { parseAmount, type Money } from '../_kernel/domain/money.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { requireActsFor, requireAnotherPerson, requireSeparate } from '../_kernel/principals.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import type { Write } from '../_kernel/writes.ts'
import { isLoan, withdrawn, type LoanApplication } from './domain/application.ts'
import { approvedByCounterOffer, requireCounterOffer } from './domain/counter-offer.ts'
import { decide, requireDecidable, type CreditDecision } from './domain/decision.ts'
import { requireHuman, type DecisionAsked } from './domain/decision-asked.ts'
import { requireForThem, settingOf, type Product } from './domain/published.ts'
import { approvedTerms, type Terms, type TermsAsked } from './domain/terms.ts'
import { declinedEvents, type ApplicationEvent } from './events.ts'
import { committed, requireApplication } from './change.ts'
import { namedProduct, namedQuote } from './published.ts'
import {
  findAuthority,
  findDecision,
  holdAuthority,
  insertDecision,
  writeAuthority,
  type CreditAuthority,
} from './store/decision.ts'

export interface DecisionInput extends Omit<DecisionAsked, 'decidedBy'> {
  applicationId: string
  decidedBy: string | null
  approvedTerms: TermsSent | null
}

/** The terms in the input of a decision. */
interface TermsSent extends Omit<TermsAsked, 'amount'> {
  amount?: AmountSent | null
  productId?: string | null
  quoteId?: string | null
}

/**
 * Records a decision and applies it to the application. The decider is the caller, or a person the
 * caller's client is registered to act for.
 * Rejects with NOT_FOR_DELEGATED_USERS, AI_CANNOT_DECIDE, CANNOT_ACT_FOR, SEGREGATION_OF_DUTIES,
 * APPLICATION_NOT_FOUND, as `requireDecidable`, DECISION_NOT_FOUND, PRODUCT_NOT_FOUND,
 * QUOTE_NOT_FOUND, as `approvedTerms`, and as `decide`.
 */
export function recordDecision(context: Context, input: DecisionInput): Promise<CreditDecision> {
  requireBank(context)
  const { caller } = context
  const asked: DecisionAsked = { ...input, decidedBy: input.decidedBy ?? caller.subject }
  requireHuman([caller.subject, caller.clientId, asked.decidedBy])
  return command(context, 'recordCreditDecision', input, async () => {
    const before = await requireApplication(context, input.applicationId)
    await requireActsFor(context, asked.decidedBy)
    requireDecidable(before, asked)
    await requireOthersDecision(context, before, asked.decidedBy)
    await requireOverridden(context, input)
    const now = context.now()
    const isPriced = asked.outcome === 'approved' || asked.outcome === 'counter-offer'
    if (isPriced) await requireAlive(context, before.partyId, '/applicationId')
    const priced = isPriced ? await pricedTerms(context, before, input.approvedTerms, now) : null
    const authority = priced && (await authorityOf(context, asked.decidedBy, priced))
    const { application, decision } = decide(before, asked, {
      ...(priced ?? unpriced),
      authorityMinor: authority && authority.limitMinor,
      isOwnPolicy: false,
      recordedBy: caller.subject,
      ids: idsFor(context),
      now,
    })
    const writes = [...insertDecision(decision), ...(authority ? [authority.hold] : [])]
    const events = eventsOf(before, application, decision)
    return committed(before, { application, events, writes, result: () => decision }, now)
  })
}

/** Checks that neither the decider nor a client owned by the decider submitted the application. */
function requireOthersDecision(
  context: Context,
  { applicationId, submittedBy }: LoanApplication,
  decider: string,
): Promise<void> {
  const detail = `${decider} submitted the application, or owns the client that did, and cannot decide on it.`
  return requireSeparate(context, decider, [submittedBy], { resourceId: applicationId, detail })
}

/** Generates the ids that a decision may need. */
export function idsFor(context: Context) {
  return {
    decision: context.newId('decision'),
    facility: context.newId('facility'),
    agreement: context.newId('agreement'),
    case: context.newId('case'),
  }
}

/**
 * Checks that an overridden decision belongs to the same application. Rejects with
 * DECISION_NOT_FOUND.
 */
async function requireOverridden(context: Context, { overrideOf, applicationId }: DecisionInput) {
  if (overrideOf === null) return
  const decision = await findDecision(context, overrideOf)
  if (decision?.applicationId === applicationId) return
  throw missingReference('DECISION_NOT_FOUND', overrideOf, '/overrideOf')
}

/** Terms with their hash and the expiry of their quote. */
export interface Priced {
  terms: Terms
  termsHash: string
  quoteExpiresAt: Date | null
  product: Product
}

const unpriced = { terms: null, termsHash: null, quoteExpiresAt: null }

/**
 * The terms of an approval: those of the decision, with those of the application as defaults.
 * Rejects with PRODUCT_NOT_FOUND, QUOTE_NOT_FOUND, QUOTE_MISMATCH, PRODUCT_NOT_LENDABLE, and as
 * `approvedTerms`.
 */
export async function pricedTerms(
  context: Context,
  application: LoanApplication,
  asked: DecisionInput['approvedTerms'],
  now: Date,
): Promise<Priced> {
  const { productId, productVersion, amountMinor, currency, termMonths } = application
  const isOther = Boolean(asked?.productId && asked.productId !== productId)
  const quoteId = asked?.quoteId ?? (isOther ? null : application.quoteId)
  const quote = quoteId === null ? null : await namedQuote(context, quoteId, termsAt('quoteId'))
  const wanted = asked?.productId ?? productId!
  if (quote) requireForThem(quote, { productId: wanted, customerId: application.customerId })
  const version = quote?.productVersion ?? (isOther ? null : productVersion)
  const product = await namedProduct(context, wanted, version, termsAt('productId'))
  const amount: Money = { amountMinor: amountMinor!, currency: currency! }
  const set = { ...asked, amount: asked?.amount ? moneyOf(asked.amount, amount) : null }
  const terms = approvedTerms({ amount, termMonths }, set, product, quote, now)
  const quoteExpiresAt = quote && terms.quoteId !== null ? new Date(quote.expiresAt) : null
  return { terms, termsHash: hashOf(application, terms), quoteExpiresAt, product }
}

/** Parses an amount; without a currency, it is in the currency of the application. */
function moneyOf({ amount, currency: sent }: AmountSent, { currency: its }: Money): Money {
  const currency = sent ?? its
  return { amountMinor: parseAmount(amount, currency, termsAt('amount')), currency }
}

const termsAt = (member: string) => `/approvedTerms/${member}`

/** The hash of the terms. It covers public fields only, so the applicant can recompute it. */
function hashOf({ applicationId }: LoanApplication, terms: Terms): string {
  return fingerprint('loan-terms', { applicationId, ...terms })
}

/**
 * The authority granted to the decider, otherwise the one that the product gives to every decider;
 * null without either. `hold` guards the commit against a concurrent change of the authority.
 */
async function authorityOf(
  context: Context,
  decider: string,
  { terms, product }: Priced,
): Promise<{ limitMinor: bigint | null; hold: Write }> {
  const granted = await findAuthority(context, decider, terms.currency)
  const hold = holdAuthority(decider, terms.currency, granted)
  if (granted) return { limitMinor: granted.limitMinor, hold }
  const limit = settingOf(product, 'decisionAuthority')
  const limitMinor = limit === null ? null : parseAmount(Number(limit).toFixed(0), terms.currency)
  return { limitMinor, hold }
}

/** The events of a decision, in order. */
export function eventsOf(
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
 * rejection closes it. Rejects with APPLICATION_NOT_FOUND, NO_COUNTER_OFFER, OFFER_EXPIRED.
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
      const application = withdrawn(before, null)
      const events = declinedEvents(application)
      return committed(before, { application, events, result }, now)
    }
    const offered = (await findDecision(context, before.decisionId!))!
    const { decision: decisionId, facility: facilityId, agreement: agreementId } = idsFor(context)
    const recordedBy = context.caller.subject
    const made = { decisionId, facilityId, agreementId, recordedBy, now }
    const { application, decision } = approvedByCounterOffer(before, offered, made)
    const writes = insertDecision(decision)
    const events = eventsOf(before, application, decision)
    return committed(before, { application, events, writes, result }, now)
  })
}

/**
 * Sets the amount that a person may approve alone, in one currency. Rejects with
 * NOT_FOR_DELEGATED_USERS, and with SEGREGATION_OF_DUTIES when the caller would set their own.
 */
export function grantAuthority(
  context: Context,
  asked: { decider: string; limit: Money },
): Promise<CreditAuthority> {
  requireBank(context)
  const { decider, limit } = asked
  return command(context, 'grantCreditAuthority', asked, async () => {
    const detail = 'You cannot grant credit authority to yourself or to a client that you own.'
    await requireAnotherPerson(context, [decider], { resourceId: decider, detail })
    const { currency, amountMinor: limitMinor } = limit
    const grantedBy = context.caller.subject
    const authority = { decider, currency, limitMinor, grantedBy, grantedAt: context.now() }
    const writes = [writeAuthority(authority)]
    return { result: authority, resourceId: decider, writes }
  })
}
