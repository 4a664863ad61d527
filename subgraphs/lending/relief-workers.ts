import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { publish } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import { OpenHardshipCaseDocument } from './asks.generated.ts'
import type { HardshipRequest } from './domain/hardship-request.ts'
import { executeExtraPayment } from './extra-payments.ts'
import { turnPaymentHoliday } from './payment-holidays.ts'
import { findDueExtraPayments } from './store/extra-payment.ts'
import { findEscalating, findWithoutCase, hardshipKind } from './store/hardship-request.ts'
import { findTurningHolidays } from './store/payment-holiday.ts'

const batchSize = 50

/** Books extra payments when their day has come. Whoever comes second finds them booked. */
export const executeExtraPayments: Worker = {
  name: 'lending.execute-extra-payments',
  followsClock: true,
  purpose: 'Books extra payments when their day has come.',
  everyMs: 10_000,
  async run(context) {
    const due = await findDueExtraPayments(context, dateOf(context.now()), batchSize)
    for (const extraPaymentId of due) await executeExtraPayment(context, extraPaymentId)
    return due.length
  },
}

/** Starts payment holidays on their first day and completes them after their last. */
export const turnPaymentHolidays: Worker = {
  name: 'lending.turn-payment-holidays',
  followsClock: true,
  purpose: 'Starts payment holidays on their first day and completes them after their last.',
  everyMs: 10_000,
  async run(context) {
    const turning = await findTurningHolidays(context, dateOf(context.now()), batchSize)
    for (const holiday of turning) await turnPaymentHoliday(context, holiday)
    return turning.length
  },
}

/** Tells that the time to decide on a hardship request is nearly over; once. */
export const escalateHardshipRequests: Worker = {
  name: 'lending.escalate-hardship-requests',
  followsClock: true,
  purpose: 'Tells that the time to decide on a hardship request is nearly over.',
  everyMs: 10_000,
  run: (context) =>
    command(context, 'lending.escalate-hardship-requests', {}, async () => {
      const now = context.now()
      const escalated = (await findEscalating(context, now, batchSize)).map((before) => {
        const { version } = before
        const after = { ...before, escalateAt: null, version: version + 1, updatedAt: now }
        const told = publish(hardshipKind, after, 'lending.hardship-request.decision-due')
        return { write: hardshipKind.update(before, after), events: told.events }
      })
      return {
        result: escalated.length,
        writes: escalated.map(({ write }) => write),
        events: escalated.flatMap(({ events }) => events),
      }
    }),
}

/**
 * Opens the cases of hardship requests. A case has the id that its request gave it, so that asking
 * again after a crash comes to the same one.
 */
export const openHardshipCases: Worker = {
  name: 'lending.open-hardship-cases',
  purpose: 'Opens the cases of hardship requests.',
  everyMs: 5000,
  wakeOn: ['lending.hardship-request.submitted'],
  async run(context) {
    const wanted = await findWithoutCase(context, batchSize)
    for (const request of wanted) await openCase(context, request)
    return wanted.length
  },
}

async function openCase(context: Context, request: HardshipRequest): Promise<void> {
  const { caseId, partyId, hardshipRequestId, loanId, type } = request
  const subjects = [`hardship-request/${hardshipRequestId}`, `facility/${loanId}`]
  const title = `Hardship: ${type.replaceAll('-', ' ')}`
  let caseState: HardshipRequest['caseState'] = 'opened'
  try {
    await context.bank.ask(OpenHardshipCaseDocument, { caseId, partyId, title, subjects })
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error
    // It would be refused again; the request goes its way without one.
    caseState = 'refused'
    context.bank.log.error({ hardshipRequestId, code: error.code }, 'a case was refused')
  }
  await command(context, 'lending.note-hardship-case', {}, async () => {
    const before = (await hardshipKind.find(context, hardshipRequestId))!
    if (before.caseState !== 'wanted') return { result: null }
    const after = { ...before, caseState, version: before.version + 1, updatedAt: context.now() }
    return { result: null, writes: [hardshipKind.update(before, after)] }
  })
}
