import { fingerprint } from '../_kernel/answer.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { publish, versioned } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import { noNarrative } from '../_ledger/journal.ts'
import { bookAsBank, bookStep, factOf, missingRail, moved, narrativeOf } from './booking.ts'
import { requireBooked } from '../_ledger/book.ts'
import type { Payment } from './domain/payment.ts'
import { nextOnBusinessDay } from './domain/calendar.ts'
import { cancel } from './domain/rail.ts'
import { advanceBatch, giveBack, send, timetable, type BatchStep } from './domain/sct.ts'
import {
  batchKind,
  findDueBatches,
  findOfBatch,
  findPastCutOff,
  findReturning,
  paymentKind,
  updatePayments,
} from './store/payment.ts'

/** Small enough that what is booked meanwhile on one of its accounts seldom makes it be decided again. */
const mostInBatch = 100
const mostTogether = 50

/**
 * The clockwork of the simulated credit transfer: sends what the cut-off finds, takes batches to
 * their acknowledgement and settlement, and books what comes back. Each run does one of each that
 * is due, so that a clock that was moved far goes through all of it in a moment. Where the
 * environment does not have the rail, nothing is sent, settled or returned: a payment that an older
 * release accepted there is cancelled at its cut-off, and the account has its money back.
 */
export const runSct: Worker = {
  name: 'payments.run-sct',
  followsClock: true,
  purpose: 'Takes credit transfers through cut-off, settlement and returns.',
  everyMs: 10_000,
  async run(context: Context): Promise<number> {
    if (missingRail(context, 'sct')) return cancelUnsent(context)
    let done = await sendBatch(context)
    const batches = await findDueBatches(context, context.now(), mostTogether)
    for (const { batchId } of batches) done += await advance(context, batchId)
    const returning = await findReturning(context, context.now(), mostTogether)
    for (const { paymentId } of returning) done += await takeBack(context, paymentId)
    return done
  },
}

async function cancelUnsent(context: Context): Promise<number> {
  const found = await findPastCutOff(context, context.now(), mostTogether)
  for (const { paymentId } of found) {
    await command(context, 'cancelUnsentPayment', { paymentId }, async () => {
      const before = await paymentKind.find(context, paymentId)
      if (before?.state !== 'accepted') return { result: 0 }
      const now = context.now()
      const step = cancel(before, now)
      const booked = await bookStep(context, step)
      requireBooked(booked)
      const after = { ...step.payment, reasonCode: 'RAIL_NOT_CONFIGURED' }
      const { writes, events } = moved(before, after, now)
      return {
        result: 1,
        writes: [...writes, ...booked.writes],
        events: [...events, ...booked.events],
      }
    })
  }
  return found.length
}

function sendBatch(context: Context): Promise<number> {
  return command(context, 'sendRailBatch', null, async (): Promise<Decision<number>> => {
    const now = context.now()
    const found = await findPastCutOff(context, now, mostInBatch)
    if (found.length === 0) return { result: 0 }
    const { accepted, postponed } = await withoutRefused(context, found, now)
    const postponing = postponed.map(([before, after]) => paymentKind.update(before, after))
    if (accepted.length === 0) return { result: postponed.length, writes: postponing }
    const id = context.newId('railBatch')
    const ids = accepted.map(({ paymentId }) => paymentId)
    const contentHash = fingerprint('sendRailBatch', ids)
    const head = { batchId: id, ...versioned({ id, contentHash, now }) }
    const step = send(accepted, head, now)
    const decision = await decided(context, step, now)
    const writes = [batchKind.insert(step.batch), ...postponing, ...decision.writes]
    return { ...decision, writes }
  })
}

/**
 * Payments whose accounts pay now. One that the books refuse, such as that of a suspended account,
 * stays accepted and is tried again at the next cut-off, when it can still be cancelled until then.
 */
async function withoutRefused(context: Context, found: readonly Payment[], now: Date) {
  const refusalOf = async (payments: readonly Payment[]) => {
    const head = { batchId: '', ...versioned({ id: '', contentHash: '', now }) }
    const { batch, instructions } = send(payments, head, now)
    const narratives = narrativesOf(batch, payments)
    return (await bookAsBank(context, instructions, narratives)).violations[0]?.code
  }
  const accepted: Payment[] = []
  const postponed: (readonly [Payment, Payment])[] = []
  const isRefused = (await refusalOf(found)) !== undefined
  for (const payment of found) {
    const code = isRefused ? await refusalOf([payment]) : undefined
    if (code === undefined) {
      accepted.push(payment)
      continue
    }
    const cutOffAt = nextOnBusinessDay(now, timetable.cutOff)
    postponed.push([payment, { ...payment, cutOffAt, updatedAt: now }])
    context.bank.log.warn({ paymentId: payment.paymentId, code }, 'a payment misses its cut-off')
  }
  return { accepted, postponed }
}

function advance(context: Context, batchId: string): Promise<number> {
  return command(context, 'advanceRailBatch', { batchId }, async (): Promise<Decision<number>> => {
    const now = context.now()
    const before = await batchKind.find(context, batchId)
    if (!before?.dueAt || before.dueAt > now) return { result: 0 }
    const step = advanceBatch(before, await findOfBatch(context, batchId), now)
    const batch = { ...step.batch, version: before.version + 1, updatedAt: now }
    const decision = await decided(context, { ...step, batch }, now)
    return { ...decision, writes: [batchKind.update(before, batch), ...decision.writes] }
  })
}

/** A batch that is sent settles each payment, with what its payer wrote; later it is booked as one. */
function narrativesOf({ rail, state }: BatchStep['batch'], payments: readonly Payment[]) {
  return state === 'sent' ? payments.map(narrativeOf) : { ...noNarrative, rail }
}

/** What a step of a batch adds to a commit, beside the batch's own row. */
async function decided(context: Context, { batch, payments, instructions }: BatchStep, now: Date) {
  const next: Payment[] = payments.map((payment) => ({
    ...payment,
    version: payment.version + 1,
    updatedAt: now,
  }))
  const isBooked = instructions.length > 0
  const narratives = narrativesOf(batch, payments)
  const booked = isBooked ? await bookAsBank(context, instructions, narratives) : null
  if (booked) requireBooked(booked)
  const told = publish(batchKind, batch, `payments.rail-batch.${batch.state}`)
  const ofPayments = next.flatMap((each) => publish(paymentKind, each, factOf(each)).events)
  return {
    result: 1,
    writes: [updatePayments(next), ...(booked?.writes ?? [])],
    events: [...told.events, ...ofPayments, ...(booked?.events ?? [])],
  }
}

/** Money that came back goes to the account it left; when that takes none, to `suspense`, and not lost. */
function takeBack(context: Context, paymentId: string): Promise<number> {
  return command(context, 'returnPayment', { paymentId }, async (): Promise<Decision<number>> => {
    const now = context.now()
    const before = await paymentKind.find(context, paymentId)
    if (before?.state !== 'settled' || !before.dueAt) return { result: 0 }
    const first = giveBack(before, now, true)
    const toAccount = await bookStep(context, first)
    const isTaken = toAccount.violations.length === 0
    const step = isTaken ? first : giveBack(before, now, false)
    const booked = isTaken ? toAccount : await bookStep(context, step)
    requireBooked(booked)
    const { writes, events } = moved(before, step.payment, now)
    return {
      result: 1,
      writes: [...writes, ...booked.writes],
      events: [...events, ...booked.events],
    }
  })
}
