import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { readHolders } from '../../../kernel/authorization/holders.ts'
import { partiesThatMayPay } from '../../../kernel/authorization/signing.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { otherBanksProblem } from '../../../kernel/environment/other-banks.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { decideBooking, type BookingDecision } from '../../../ledger/book.ts'
import type { Instruction, Violation } from '../../../ledger/domain/instruction.ts'
import type { Narrative } from '../../../ledger/journal.ts'
import type { UsedRate } from '../domain/customer-exchange.ts'
import type { Payment } from '../domain/payment.ts'
import type { Rail, PaymentStep } from '../domain/rail.ts'
import { partiesOf } from '../domain/signing.ts'
import { signatureEvents, type PaymentEvent, type SignatureEvent } from '../events.ts'
import { railOf } from '../rails/registry.ts'
import { paymentKind } from '../store/payment.ts'

/** Returns the narrative of a payment's postings, for the statements of both parties. */
export function narrativeOf(payment: Payment): Narrative {
  const { rail, endToEndId, paymentId, standingOrderId, state, reasonCode } = payment
  const { remittanceInformation: text } = payment
  const isIncoming = payment.direction === 'in'
  const externalParty = isIncoming
    ? { name: payment.debtorName, iban: payment.debtorIban }
    : { name: payment.creditorName, iban: payment.creditorIban }
  const isExternal = isIncoming || payment.creditorArrangementId === null
  const returnText = [`Payment returned (${reasonCode})`, ...(text ? [text] : [])].join(': ')
  return {
    rail,
    endToEndId,
    remittanceInformation: state === 'returned' ? returnText : text,
    counterparty: isExternal ? externalParty : null,
    metadata: {
      paymentId,
      ...(standingOrderId !== null && { standingOrderId }),
      ...(payment.exchange !== null && { fx: fxOf(payment.exchange) }),
    },
  }
}

/** Formats a rate for the metadata `fx` that postings between two currencies have. */
function fxOf({ exchangeRateId, baseCurrency, quoteCurrency, rate, source, asOf }: UsedRate) {
  return { exchangeRateId, rate: `${baseCurrency}/${quoteCurrency} ${rate}`, source, asOf }
}

/**
 * Books instructions as the bank, so that authorizations made by the bank can be settled whoever
 * the caller is. Callers of this function must check the rights of the user beforehand.
 * `narratives` is a list with one narrative for each instruction, or one narrative for all
 * instructions.
 */
export function bookAsBank(
  context: Context,
  instructions: readonly Instruction[],
  narratives: Narrative | readonly Narrative[],
): Promise<BookingDecision> {
  const narrativeAt = (index: number) => ('rail' in narratives ? narratives : narratives[index]!)
  const postings = instructions.map((instruction, index) => ({
    instruction,
    narrative: narrativeAt(index),
  }))
  return decideBooking({ ...context, caller: bankCaller }, postings)
}

/** The result of handing a payment to its rail. */
export interface ExecutionResult {
  payment: Payment
  booked: BookingDecision
}

/**
 * Hands a due payment to its rail. If the ledger rejects the postings, or the environment does not
 * have the rail, `booked.violations` has the reasons.
 */
export async function executeOnRail(
  context: Context,
  scheduled: Payment,
): Promise<ExecutionResult> {
  const rail = railOf(scheduled.rail)
  const unavailability = railUnavailability(context, rail)
  if (unavailability)
    return { payment: scheduled, booked: { ...nothingBooked, violations: [unavailability] } }
  const step = rail.execute(scheduled, context.now())
  return { payment: step.payment, booked: await bookStep(context, step) }
}

export function bookStep(
  context: Context,
  { payment, instructions }: PaymentStep,
): Promise<BookingDecision> {
  if (instructions.length > 0) return bookAsBank(context, instructions, narrativeOf(payment))
  return Promise.resolve(nothingBooked)
}

const nothingBooked: BookingDecision = { violations: [], records: [], writes: [], events: [] }

/** Returns why the rail is not available in this environment; null if it is available. */
export function railUnavailability({ bank }: Context, { isSimulated }: Rail): Violation | null {
  return isSimulated ? otherBanksProblem(bank) : null
}

/**
 * Returns the writes and events of a new payment. If the payment was executed immediately, the
 * events include the event of its state.
 */
export function creationOf(payment: Payment): { writes: Write[]; events: DomainEvent[] } {
  const { events } = publicationOf(paymentKind, payment, paymentKind.created)
  if (payment.signing) {
    const requested = signatureEvent(payment, 'payments.payment.signature-requested', null)
    return { writes: [paymentKind.insert(payment)], events: [...events, requested] }
  }
  const wasExecuted = payment.state !== 'scheduled'
  return {
    writes: [paymentKind.insert(payment)],
    events: wasExecuted
      ? [...events, ...publicationOf(paymentKind, payment, stateEventType(payment)).events]
      : events,
  }
}

/**
 * Returns events of a payment for the joint holders of its accounts as well. Those of the creditor's
 * account receive them only if the payment credited it, and never those about signatures, which
 * only the signatories and the initiator that may still pay receive besides the debtor's side.
 */
export async function sharedEvents(
  context: Context,
  payment: Payment,
  events: readonly DomainEvent[],
): Promise<DomainEvent[]> {
  const { debtorArrangementId, creditorArrangementId } = payment
  const isCredited = payment.state === 'settled' || debtorArrangementId === null
  const accountIds = [debtorArrangementId, isCredited ? creditorArrangementId : null]
  const [debtorHolders = [], creditorHolders = []] = await readHolders(context, accountIds)
  const isAboutSignatures = ({ type }: DomainEvent) => Object.hasOwn(signatureEvents, type)
  const signatories = events.some(isAboutSignatures) ? await signatoriesOf(context, payment) : []
  return events.map((event) => {
    const parties = isAboutSignatures(event)
      ? [...signatories, ...debtorHolders]
      : [...event.parties, ...debtorHolders, ...creditorHolders]
    return { ...event, parties: [...new Set(parties)] }
  })
}

/** Returns the payer, and those of the signatories and the initiator that may still pay. */
async function signatoriesOf(context: Context, payment: Payment): Promise<string[]> {
  const { partyId, debtorArrangementId } = payment
  const account = { partyId, arrangementId: debtorArrangementId! }
  return [partyId, ...(await partiesThatMayPay(context, account, partiesOf(payment)))]
}

/**
 * Returns the writes and events of a payment whose state changed. There is no event of a state in
 * which the payment waits.
 */
export function updateOf(before: Payment, decided: Payment, now: Date) {
  const payment = { ...decided, version: before.version + 1, updatedAt: now }
  const isWaiting = payment.state === 'scheduled' || payment.state === 'pending-signatures'
  if (isWaiting) return { payment, writes: [paymentKind.update(before, payment)], events: [] }
  const { events } = publicationOf(paymentKind, payment, stateEventType(payment))
  return { payment, writes: [paymentKind.update(before, payment)], events }
}

/** Returns the event type of a payment's state. The states in which a payment waits have none. */
export function stateEventType({ state }: Payment): PaymentEvent {
  return `payments.payment.${state as Exclude<Payment['state'], WaitingState>}`
}

type WaitingState = 'scheduled' | 'pending-signatures'

/**
 * Returns an event about the signatures of a payment, for all its signatories; `sharedEvents` leaves
 * out those that may no longer pay. `signatoryPartyId` is who signed or declined; null for other
 * events.
 */
export function signatureEvent(
  payment: Payment,
  type: SignatureEvent,
  signatoryPartyId: string | null,
): DomainEvent {
  const { paymentId, state, debtorArrangementId, amountMinor, currency, version } = payment
  const { requiredSignatures, signatures, initiatorPartyId } = payment.signing!
  const data = {
    paymentId,
    state,
    debtorArrangementId,
    amountMinor,
    currency,
    requiredSignatures,
    signatures: signatures.length,
    signatoryPartyId,
    initiatorPartyId,
    expiresAt: payment.signaturesExpireAt,
  }
  return { type, subject: `payment/${paymentId}`, version, data, parties: partiesOf(payment) }
}
