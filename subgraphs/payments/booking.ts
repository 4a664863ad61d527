import { bankCaller } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import type { Told } from '../_kernel/events.ts'
import { missingOtherBanks } from '../_kernel/other-banks.ts'
import { publish } from '../_kernel/records.ts'
import type { Write } from '../_kernel/writes.ts'
import { bookWith, type Booked } from '../_ledger/book.ts'
import type { Instruction, Violation } from '../_ledger/domain/instruction.ts'
import type { Narrative } from '../_ledger/journal.ts'
import type { UsedRate } from './domain/customer-exchange.ts'
import { rails } from './domain/order.ts'
import type { Payment, RailName } from './domain/payment.ts'
import type { Rail, Step } from './domain/rail.ts'
import type { PaymentEvent } from './events.ts'
import { paymentKind } from './store/payment.ts'

/** What the postings of a payment carry for the statements of both sides. */
export function narrativeOf(payment: Payment): Narrative {
  const { rail, endToEndId, paymentId, standingOrderId, state, reasonCode } = payment
  const { remittanceInformation: text } = payment
  const isIn = payment.direction === 'in'
  const outside = isIn
    ? { name: payment.debtorName, iban: payment.debtorIban }
    : { name: payment.creditorName, iban: payment.creditorIban }
  const isOutside = isIn || payment.creditorArrangementId === null
  const returned = [`Payment returned (${reasonCode})`, ...(text ? [text] : [])].join(': ')
  return {
    rail,
    endToEndId,
    remittanceInformation: state === 'returned' ? returned : text,
    counterparty: isOutside ? outside : null,
    metadata: {
      paymentId,
      ...(standingOrderId !== null && { standingOrderId }),
      ...(payment.exchange !== null && { fx: fxOf(payment.exchange) }),
    },
  }
}

/** The rate as every posting between two currencies records it. */
function fxOf({ exchangeRateId, baseCurrency, quoteCurrency, rate, source, asOf }: UsedRate) {
  return { exchangeRateId, rate: `${baseCurrency}/${quoteCurrency} ${rate}`, source, asOf }
}

/**
 * Books instructions as the bank: who may ask for a payment was looked at before, and what the
 * bank promises under its own name it can settle whoever asked. Each instruction has a narrative of
 * its own, or all have one.
 */
export function bookAsBank(
  context: Context,
  instructions: readonly Instruction[],
  narratives: Narrative | readonly Narrative[],
): Promise<Booked> {
  const each = 'rail' in narratives ? instructions.map(() => narratives) : narratives
  const postings = instructions.map((instruction, at) => ({ instruction, narrative: each[at]! }))
  return bookWith({ ...context, caller: bankCaller }, postings)
}

/** A step of a payment, decided with the books. */
export interface Taken {
  payment: Payment
  booked: Booked
}

/**
 * Gives a payment that is due to its rail. `booked.violations` says why the books do not allow it,
 * or that the environment has no such rail.
 */
export async function take(context: Context, scheduled: Payment): Promise<Taken> {
  const missing = missingRail(context, scheduled.rail)
  if (missing) return { payment: scheduled, booked: { ...nothingBooked, violations: [missing] } }
  const step = railOf(scheduled.rail).take(scheduled, context.now())
  return { payment: step.payment, booked: await bookStep(context, step) }
}

export function bookStep(context: Context, { payment, instructions }: Step): Promise<Booked> {
  if (instructions.length > 0) return bookAsBank(context, instructions, narrativeOf(payment))
  return Promise.resolve(nothingBooked)
}

const nothingBooked: Booked = { violations: [], records: [], writes: [], events: [] }

export function railOf(name: RailName): Rail {
  return rails[name]
}

/** Why no payment goes over a rail in this environment; null where it does. */
export function missingRail({ bank }: Context, name: RailName): Violation | null {
  return railOf(name).isSimulated ? missingOtherBanks(bank) : null
}

/** What a new payment adds to a commit: that it is there, and how far it is already. */
export function created(payment: Payment): { writes: Write[]; events: Told[] } {
  const { events } = publish(paymentKind, payment, paymentKind.created)
  const isFurther = payment.state !== 'scheduled'
  return {
    writes: [paymentKind.insert(payment)],
    events: isFurther
      ? [...events, ...publish(paymentKind, payment, factOf(payment)).events]
      : events,
  }
}

/** What a payment that moved adds to a commit. */
export function moved(before: Payment, decided: Payment, now: Date) {
  const payment = { ...decided, version: before.version + 1, updatedAt: now }
  const { events } = publish(paymentKind, payment, factOf(payment))
  return { payment, writes: [paymentKind.update(before, payment)], events }
}

/** The event of the state a payment moved to. Nothing moves back to scheduled. */
export function factOf({ state }: Payment): PaymentEvent {
  return `payments.payment.${state as Exclude<Payment['state'], 'scheduled'>}`
}
