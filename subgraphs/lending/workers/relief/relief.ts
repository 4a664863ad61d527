import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../../domain/problems.ts'
import { publicationOf } from '../../../../kernel/writing/records.ts'
import { dueFallbackMs, type Worker } from '../../../../kernel/work/worker.ts'
import { OpenHardshipCaseDocument } from '../../queries.generated.ts'
import type { HardshipRequest } from '../../model/relief/hardship-request.ts'
import { advancePaymentHoliday } from '../../commands/relief/payment-holiday.ts'
import {
  findRequestsToEscalate,
  findRequestsAwaitingCase,
  hardshipKind,
} from '../../store/relief/hardship-request.ts'
import { findHolidaysToAdvance } from '../../store/relief/payment-holiday.ts'

const batchSize = 50

/**
 * Starts payment holidays on their start dates and completes them after their end dates. If its
 * loan has ended, a payment holiday that has not started is cancelled instead.
 */
export const startAndEndPaymentHolidays: Worker = {
  name: 'lending.start-and-end-payment-holidays',
  nightlyPhase: 'loans',
  followsClock: true,
  purpose: 'Starts payment holidays on their start date and completes them after their end date.',
  everyMs: 60_000,
  async run(context) {
    const holidays = await findHolidaysToAdvance(context, dateOf(context.now()), batchSize)
    for (const holiday of holidays) await advancePaymentHoliday(context, holiday)
    return holidays.length
  },
}

/** Emits one event per hardship request when the decision is due within five days. */
export const escalateHardshipRequests: Worker = {
  name: 'lending.escalate-hardship-requests',
  followsClock: true,
  purpose: 'Emits an event when the decision on a hardship request is due within five days.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'lending.escalate-hardship-requests', {}, async () => {
      const now = context.now()
      const escalated = (await findRequestsToEscalate(context, now, batchSize)).map((before) => {
        const { version } = before
        const after = { ...before, escalateAt: null, version: version + 1, updatedAt: now }
        const event = publicationOf(hardshipKind, after, 'lending.hardship-request.decision-due')
        return { write: hardshipKind.update(before, after), events: event.events }
      })
      return {
        result: escalated.length,
        writes: escalated.map(({ write }) => write),
        events: escalated.flatMap(({ events }) => events),
      }
    }),
}

/**
 * Opens the cases of hardship requests. The case ID is stored with the request, so a retry after a
 * crash does not open a second case.
 */
export const openHardshipCases: Worker = {
  name: 'lending.open-hardship-cases',
  purpose: 'Opens the cases of hardship requests.',
  everyMs: dueFallbackMs,
  wakeOn: ['lending.hardship-request.submitted'],
  async run(context) {
    const requests = await findRequestsAwaitingCase(context, batchSize)
    for (const request of requests) await openCase(context, request)
    return requests.length
  },
}

async function openCase(context: Context, request: HardshipRequest): Promise<void> {
  const { caseId, partyId, hardshipRequestId, loanId, type } = request
  const subjects = [`hardship-request/${hardshipRequestId}`, `facility/${loanId}`]
  const title = `Hardship: ${type.replaceAll('-', ' ')}`
  let caseState: HardshipRequest['caseState'] = 'opened'
  try {
    await context.bank.queryGraph(OpenHardshipCaseDocument, { caseId, partyId, title, subjects })
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error
    // A retry would be rejected again, so the request continues without a case.
    caseState = 'refused'
    context.bank.log.error(
      { hardshipRequestId, code: error.code },
      'the request to open a hardship case was rejected',
    )
  }
  await command(context, 'lending.note-hardship-case', {}, async () => {
    const before = (await hardshipKind.find(context, hardshipRequestId))!
    if (before.caseState !== 'wanted') return { result: null }
    const after = { ...before, caseState, version: before.version + 1, updatedAt: context.now() }
    return { result: null, writes: [hardshipKind.update(before, after)] }
  })
}
