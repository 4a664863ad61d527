import { dateOf } from '../../../kernel/domain/dates.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { faultPoint } from '../../../kernel/environment/fault-point.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { changeRecord, type Decided } from '../../../kernel/writing/records.ts'
import { lastDayOf, previousPeriod, requireClosable, requireLastClosed } from '../domain/period.ts'
import { Problem } from '../domain/problems.ts'
import type { PeriodEvent } from '../events.ts'
import type { AccountingPeriod, AccountingPeriodState } from '../model/period.ts'
import { readBook, reviseBook } from '../store/book.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { periodKind } from '../store/period.ts'
import { insertClosingBalances, readTotals } from '../store/totals.ts'
import { dateCommittedPostings, requireEntriesDated } from './date-postings.ts'
import { reverseYearEnd } from './fiscal-year.ts'

const transitions: Transitions<AccountingPeriodState> = {
  open: ['soft-closed', 'closed'],
  'soft-closed': ['closed', 'open'],
  closed: ['open'],
}

type Decide = (
  before: AccountingPeriod,
  now: Date,
) => Promise<Decided<AccountingPeriod>> | Decided<AccountingPeriod>

function change(
  context: Context,
  operation: string,
  input: { accountingPeriodId: string },
  event: PeriodEvent,
  decide: Decide,
): Promise<AccountingPeriod> {
  const { accountingPeriodId } = input
  return changeRecord(context, periodKind, operation, input, accountingPeriodId, event, decide)
}

const withoutProposal = { reopeningReason: null, reopeningProposedBy: null }

/**
 * Soft closes a period: from now on, only journal entries are booked in it. Throws VALIDATION_FAILED
 * and INVALID_STATE_TRANSITION.
 */
export function softClosePeriod(
  context: Context,
  accountingPeriodId: string,
): Promise<AccountingPeriod> {
  const operation = 'softCloseAccountingPeriod'
  const event = 'general-ledger.period.soft-closed'
  return change(context, operation, { accountingPeriodId }, event, async (before) => {
    assertTransition(transitions, before.state, 'soft-closed', accountingPeriodId)
    const book = await readBook(context)
    const record = { ...before, state: 'soft-closed' as const }
    return { record, writes: [reviseBook(book, book.closedThrough)] }
  })
}

/**
 * Closes a period and stores its balances. Everything that is committed at the time of the call and
 * belongs to the period is in the balances; what is committed later belongs to the next open period.
 * If the program ends before the last commit, the period is as it was. Throws VALIDATION_FAILED,
 * INVALID_STATE_TRANSITION, RESOURCE_BUSY, and what `requireClosable` throws.
 */
export async function closePeriod(
  context: Context,
  accountingPeriodId: string,
): Promise<AccountingPeriod> {
  const operation = 'closeAccountingPeriod'
  const event = 'general-ledger.period.closed'
  await dateCommittedPostings(context)
  faultPoint('general-ledger.closing')
  return change(context, operation, { accountingPeriodId }, event, async (before, now) => {
    assertTransition(transitions, before.state, 'closed', accountingPeriodId)
    const book = await readBook(context)
    requireClosable(accountingPeriodId, book, dateOf(now))
    await requireEntriesDated(context)
    const { firstDay, lastDay } = before
    const [totals, mapping] = await Promise.all([
      readTotals(context, firstDay, lastDay),
      readMapping(context),
    ])
    const closings = before.closings + 1
    const closedBy = context.caller.subject
    return {
      record: { ...before, state: 'closed', closings, closedBy, closedAt: now },
      writes: [
        reviseBook(book, lastDay),
        ...insertClosingBalances(accountingPeriodId, closings, totals, mapping),
      ],
    }
  })
}

/**
 * Proposes to reopen a closed or soft closed period, which another person has to approve. Throws
 * VALIDATION_FAILED, INVALID_STATE_TRANSITION, and LATER_PERIOD_CLOSED.
 */
export function proposeReopening(
  context: Context,
  input: { accountingPeriodId: string; reason: string },
): Promise<AccountingPeriod> {
  const { accountingPeriodId, reason } = input
  const operation = 'proposeAccountingPeriodReopening'
  const event = 'general-ledger.period.reopening-proposed'
  return change(context, operation, input, event, async (before) => {
    assertTransition(transitions, before.state, 'open', accountingPeriodId)
    requireLastClosed(accountingPeriodId, await readBook(context))
    const reopeningProposedBy = context.caller.subject
    return { record: { ...before, reopeningReason: reason, reopeningProposedBy } }
  })
}

/**
 * Removes the proposal to reopen a period. The person who proposed it may do so as well. Throws
 * VALIDATION_FAILED and REOPENING_NOT_PROPOSED.
 */
export function withdrawReopening(
  context: Context,
  accountingPeriodId: string,
): Promise<AccountingPeriod> {
  const operation = 'withdrawAccountingPeriodReopening'
  const event = 'general-ledger.period.reopening-withdrawn'
  return change(context, operation, { accountingPeriodId }, event, (before) => {
    requireProposal(before)
    return { record: { ...before, ...withoutProposal } }
  })
}

/**
 * Reopens a period. Its stored balances are kept, and year-end entries in it are reversed. Throws
 * VALIDATION_FAILED, REOPENING_NOT_PROPOSED, SEGREGATION_OF_DUTIES for the person who proposed it,
 * LATER_PERIOD_CLOSED, and what the ledger says about the reversals.
 */
export function reopenPeriod(
  context: Context,
  accountingPeriodId: string,
): Promise<AccountingPeriod> {
  const operation = 'reopenAccountingPeriod'
  const event = 'general-ledger.period.reopened'
  return change(context, operation, { accountingPeriodId }, event, async (before, now) => {
    const proposedBy = requireProposal(before)
    const detail = 'The person who proposed to reopen a period cannot approve it.'
    await requireAnotherPerson(context, [proposedBy], { resourceId: accountingPeriodId, detail })
    const book = await readBook(context)
    requireLastClosed(accountingPeriodId, book)
    const record = { ...before, ...withoutProposal, state: 'open' as const }
    if (before.state !== 'closed') return { record, writes: [reviseBook(book, book.closedThrough)] }
    const closedThrough = lastDayOf(previousPeriod(accountingPeriodId))
    const reversal = await reverseYearEnd(context, before, now)
    return {
      record,
      writes: [reviseBook(book, closedThrough), ...reversal.writes],
      events: reversal.events,
      retainsKey: true,
    }
  })
}

function requireProposal({ accountingPeriodId, reopeningProposedBy }: AccountingPeriod): string {
  if (reopeningProposedBy !== null) return reopeningProposedBy
  const detail = `Nobody proposed to reopen ${accountingPeriodId}.`
  throw new Problem('REOPENING_NOT_PROPOSED', { detail, resourceId: accountingPeriodId })
}
