import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { processEach } from '../../../kernel/work/worker.ts'
import { publicationOf, versioned } from '../../../kernel/writing/records.ts'
import { noNarrative } from '../../../ledger/journal.ts'
import {
  bookAsBank,
  bookStep,
  stateEventType,
  railUnavailability,
  sharedEvents,
  updateOf,
  narrativeOf,
} from './booking.ts'
import { Problem } from '../domain/problems.ts'
import { requireBooked } from '../../../ledger/book.ts'
import type { Payment } from '../domain/payment.ts'
import { cancel, type Rail } from '../domain/rail.ts'
import {
  advance,
  returnTo,
  send,
  type BatchRail,
  type BatchStep,
  type RailBatch,
} from '../domain/rail-batch.ts'
import type { RailCommands } from '../rails/payment-rail.ts'
import { isRailDueSql } from '../store/due-rail.ts'
import {
  batchKind,
  findDueBatches,
  findPaymentsOfBatch,
  findPastCutOff,
  findDueReturns,
  paymentKind,
  updatePayments,
} from '../store/payment.ts'

/**
 * The maximum number of payments in a batch. If another posting changes one of the accounts at the
 * same time, the whole batch is retried; a small batch makes this rare.
 */
const maxPaymentsPerBatch = 100
/** The maximum number of records that one run of a worker processes. */
const maxRecordsPerRun = 50

/** The commands that the workers of the rails can call. */
export const railCommands: RailCommands = {
  isDueSql: ({ name }) => isRailDueSql(name),
  isAvailable: (context, rail) => railUnavailability(context, rail) === null,
  cancelUnsent,
  sendBatch,
  findDueBatches: (context, { name }) =>
    findDueBatches(context, name, context.now(), maxRecordsPerRun),
  advanceBatch,
  findDueReturns: (context, { name }) =>
    findDueReturns(context, name, context.now(), maxRecordsPerRun),
  returnPayment,
}

async function cancelUnsent(context: Context, rail: Rail): Promise<number> {
  const found = await findPastCutOff(context, rail.name, context.now(), maxRecordsPerRun)
  return processEach(context, found, ({ paymentId }) =>
    command(context, 'cancelUnsentPayment', { paymentId }, async () => {
      const before = await paymentKind.find(context, paymentId)
      if (before?.state !== 'accepted') return { result: 0 }
      const now = context.now()
      const step = cancel(before, now)
      const booking = await nullIfProcessedConcurrently(context, [before], async () => {
        const attemptedBooking = await bookStep(context, step)
        requireBooked(attemptedBooking)
        return attemptedBooking
      })
      if (!booking) return { result: 0 }
      const after = { ...step.payment, reasonCode: 'RAIL_NOT_CONFIGURED' }
      const { writes, events } = updateOf(before, after, now)
      return {
        result: 1,
        writes: [...writes, ...booking.writes],
        events: [...(await sharedEvents(context, after, events)), ...booking.events],
      }
    }),
  )
}

function sendBatch(context: Context, rail: BatchRail): Promise<number> {
  return command(context, 'sendRailBatch', null, async (): Promise<Decision<number>> => {
    const now = context.now()
    const candidates = await findPastCutOff(context, rail.name, now, maxPaymentsPerBatch)
    if (candidates.length === 0) return { result: 0 }
    const { accepted, postponed } = await splitByBookability(context, rail, candidates, now)
    const postponementWrites = postponed.map(([before, after]) => paymentKind.update(before, after))
    if (accepted.length === 0) return { result: postponed.length, writes: postponementWrites }
    const id = context.newId('railBatch')
    const ids = accepted.map(({ paymentId }) => paymentId)
    const contentHash = fingerprint('sendRailBatch', ids)
    const identity = { batchId: id, ...versioned({ id, contentHash, now }) }
    const step = send(rail, accepted, identity, now)
    const decision = await nullIfProcessedConcurrently(context, accepted, () =>
      batchDecision(context, step, now),
    )
    if (!decision) return { result: 0 }
    const writes = [batchKind.insert(step.batch), ...postponementWrites, ...decision.writes]
    return { ...decision, writes }
  })
}

/**
 * Returns the result of `book`; null if the ledger rejects the postings because another worker has
 * just processed one of the payments. The version check of the payments would also detect this,
 * but only at commit, after the ledger has thrown.
 */
async function nullIfProcessedConcurrently<Result>(
  context: Context,
  payments: readonly Payment[],
  book: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await book()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const found = await Promise.all(
      payments.map(({ paymentId }) => paymentKind.find(context, paymentId)),
    )
    if (found.some((payment, index) => payment?.version !== payments[index]!.version)) return null
    throw error
  }
}

/**
 * Splits payments into those that can be booked now and those that are postponed to the next
 * cut-off, because the ledger rejects them. An example is a payment from a suspended account. A
 * postponed payment stays accepted and can still be cancelled.
 */
async function splitByBookability(
  context: Context,
  rail: BatchRail,
  candidates: readonly Payment[],
  now: Date,
) {
  const rejectionCodeOf = async (payments: readonly Payment[]) => {
    const identity = { batchId: '', ...versioned({ id: '', contentHash: '', now }) }
    const { batch, instructions } = send(rail, payments, identity, now)
    const narratives = narrativesOf(batch, payments)
    return (await bookAsBank(context, instructions, narratives)).violations[0]?.code
  }
  const accepted: Payment[] = []
  const postponed: (readonly [Payment, Payment])[] = []
  const isRejected = (await rejectionCodeOf(candidates)) !== undefined
  for (const payment of candidates) {
    const code = isRejected ? await rejectionCodeOf([payment]) : undefined
    if (code === undefined) {
      accepted.push(payment)
      continue
    }
    const cutOffAt = rail.cutOffAfter(now)
    postponed.push([payment, { ...payment, cutOffAt, updatedAt: now }])
    context.bank.log.warn({ paymentId: payment.paymentId, code }, 'a payment misses its cut-off')
  }
  return { accepted, postponed }
}

function advanceBatch(
  context: Context,
  rail: BatchRail,
  { batchId, state }: RailBatch,
): Promise<number> {
  return command(context, 'advanceRailBatch', { batchId }, async (): Promise<Decision<number>> => {
    const now = context.now()
    const before = await batchKind.find(context, batchId)
    if (before?.state !== state) return { result: 0 }
    const step = advance(rail, before, await findPaymentsOfBatch(context, batchId), now)
    const batch = { ...step.batch, version: before.version + 1, updatedAt: now }
    const decision = await batchDecision(context, { ...step, batch }, now)
    return { ...decision, writes: [batchKind.update(before, batch), ...decision.writes] }
  })
}

/**
 * Returns the narratives for the postings of a batch. Sending a batch settles the authorization of
 * each payment, with one narrative for each payment. Settling a batch is one posting, with one
 * narrative.
 */
function narrativesOf({ rail, state }: BatchStep['batch'], payments: readonly Payment[]) {
  return state === 'sent' ? payments.map(narrativeOf) : { ...noNarrative, rail }
}

/** Returns the writes and events of a batch step, except for the write of the batch itself. */
async function batchDecision(
  context: Context,
  { batch, payments, instructions }: BatchStep,
  now: Date,
) {
  const updatedPayments: Payment[] = payments.map((payment) => ({
    ...payment,
    version: payment.version + 1,
    updatedAt: now,
  }))
  const hasPostings = instructions.length > 0
  const narratives = narrativesOf(batch, payments)
  const booking = hasPostings ? await bookAsBank(context, instructions, narratives) : null
  if (booking) requireBooked(booking)
  const event = publicationOf(batchKind, batch, `payments.rail-batch.${batch.state}`)
  const paymentEvents = await Promise.all(
    updatedPayments.map((each) =>
      sharedEvents(context, each, publicationOf(paymentKind, each, stateEventType(each)).events),
    ),
  )
  return {
    result: 1,
    writes: [updatePayments(updatedPayments), ...(booking?.writes ?? [])],
    events: [...event.events, ...paymentEvents.flat(), ...(booking?.events ?? [])],
  }
}

/**
 * Returns a payment to the account that it debited, or to `suspense` if that account cannot be
 * credited.
 */
function returnPayment(
  context: Context,
  rail: Rail,
  paymentId: string,
  reasonCode: string,
): Promise<number> {
  return command(context, 'returnPayment', { paymentId }, async (): Promise<Decision<number>> => {
    const now = context.now()
    const before = await paymentKind.find(context, paymentId)
    if (before?.state !== 'settled' || before.direction !== 'out') return { result: 0 }
    const returnToDebtor = returnTo(rail, before, { reasonCode, isCreditable: true }, now)
    const debtorBooking = await bookStep(context, returnToDebtor)
    const isCreditable = debtorBooking.violations.length === 0
    const step = isCreditable
      ? returnToDebtor
      : returnTo(rail, before, { reasonCode, isCreditable: false }, now)
    const booking = isCreditable ? debtorBooking : await bookStep(context, step)
    requireBooked(booking)
    const { writes, events } = updateOf(before, step.payment, now)
    return {
      result: 1,
      writes: [...writes, ...booking.writes],
      events: [...(await sharedEvents(context, before, events)), ...booking.events],
    }
  })
}
