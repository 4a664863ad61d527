import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { addDays } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { decideBooking, type BookingDecision } from '../../../ledger/book.ts'
import { readAttributions } from '../../../ledger/attribution.ts'
import { accrue } from '../domain/accrue.ts'
import type { AccrualInputs } from '../domain/accrued-day.ts'
import { exposureAfter } from '../domain/exposure.ts'
import type { BookedAdjustment, BookedCapitalization } from '../domain/booked.ts'
import type { InterestPosition } from '../domain/position.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import { notWithdrawable, withdrawn, type Withdrawal } from '../domain/withdrawal.ts'
import type { Book } from './book.ts'
import { redirectPayouts } from './payout.ts'
import {
  planPostings,
  termEndsOf,
  type AccruedAccount,
  type PlannedPosting,
} from './plan-postings.ts'
import { lastEndedDay, readInputs } from './read-inputs.ts'
import { blocksAfter, publishEnds } from './term-ends.ts'

/** What a page is accrued for, besides the days that have ended. */
export interface PageRequest {
  arrangementIds: readonly string[]
  /** Set to pay all interest that is accrued through the last day that has ended. */
  payNow?: 'request'
  /** Set to end the term deposit of the account early. */
  withdrawal?: Withdrawal
}

/**
 * Accrues the interest of accounts through the last day that has ended, at most 62 days for each,
 * and pays what is due, in one commit with its ledger postings. Returns the new positions. If
 * another process has accrued an account meanwhile, the page is decided again and adds nothing to
 * that account.
 */
export function accruePage(
  context: Context,
  book: Book,
  request: PageRequest,
): Promise<InterestPosition[]> {
  return command(context, book.operation, request, async () => {
    const decision = await decidePage(context, book, request)
    return { ...decision, result: decision.result.positions }
  })
}

/** The new positions of a page, and the term deposits that ended. */
interface AccruedPage {
  positions: InterestPosition[]
  ended: readonly TermDeposit[]
}

/** Decides what `accruePage` commits. */
export async function decidePage(
  context: Context,
  book: Book,
  { arrangementIds, payNow, withdrawal }: PageRequest,
): Promise<Decision<AccruedPage>> {
  const found = await book.positions.find(context, arrangementIds)
  const positions = found.filter((each) => book.isAccrued(each) && !each.isEnded)
  const payable = await redirectPayouts(context, positions)
  const inputs = (await readInputs(context, book, payable)).map((each) => ({
    ...each,
    ...(payNow && { payNow }),
    ...(withdrawal && {
      term: withdrawn(each.term, withdrawal, addDays(lastEndedDay(context), 1)),
    }),
  }))
  if (inputs.length === 0) return { result: { positions: [], ended: [] } }
  const page = await bookPage(context, book, inputs)
  const termEnds = termEndsOf(page.accounts)
  if (withdrawal && termEnds.length === 0) {
    throw notWithdrawable(withdrawal.termDepositId, 'It cannot be paid out now. Try again later.')
  }
  const now = context.now()
  const starts = await book.exposures?.readStarts(context, inputs)
  const after = page.accounts.map(({ before, accrual }, index): InterestPosition => ({
    ...accrual.position,
    ...(starts &&
      exposureAfter(accrual.position, accrual.days, starts[index]!, inputs[index]!.termsOn)),
    payoutArrangementId: positions[index]!.payoutArrangementId,
    heldOn: page.held.has(before.arrangementId) ? lastEndedDay(context) : before.heldOn,
    version: before.version + 1,
    updatedAt: now,
  }))
  const byId = new Map(after.map((position) => [position.arrangementId, position]))
  const ends = publishEnds(now, termEnds, page.payoutIds)
  const changed = page.accounts.map(({ before }, index) => ({ before, after: after[index]! }))
  const exposures = book.exposures?.publish(changed)
  return {
    result: { positions: after, ended: ends.ended },
    ...(arrangementIds.length === 1 && { resourceId: arrangementIds[0]! }),
    retainsKey: true,
    writes: [
      ...book.positions.update(after),
      ...book.days.put(
        page.accounts.map(({ before, accrual }) => ({
          arrangementId: before.arrangementId,
          days: accrual.days,
        })),
      ),
      ...book.payments.insertAdjustments(page.adjustments),
      ...book.payments.insertPayments(page.capitalizations),
      ...ends.writes,
      ...page.booking.writes,
    ],
    facts: [...ends.facts, ...(exposures?.facts ?? [])],
    events: [
      ...page.booking.events,
      ...(exposures?.events ?? []),
      ...ends.events,
      ...page.adjustments.map((each) => book.adjustedEvent(byId.get(each.arrangementId)!, each)),
      ...page.capitalizations.map((each) => book.paidEvent(byId.get(each.arrangementId)!, each)),
    ],
  }
}

interface BookedPage {
  accounts: AccruedAccount[]
  booking: Pick<BookingDecision, 'writes' | 'events'>
  adjustments: BookedAdjustment[]
  capitalizations: BookedCapitalization[]
  /** The IDs of the postings that paid out term deposits, by deposit. */
  payoutIds: ReadonlyMap<string, string>
  /** The accounts whose interest or term deposit could not be paid; it stays as it was. */
  held: ReadonlySet<string>
}

/**
 * Accrues the accounts of a page and decides the postings. If the ledger rejects the payment of an
 * account, the page is decided again without the payments of this account.
 */
async function bookPage(
  context: Context,
  book: Book,
  inputs: readonly AccrualInputs[],
): Promise<BookedPage> {
  const held = new Set<string>()
  const ids = inputs.map(({ position }) => position.arrangementId)
  const attributionOf = await readAttributions(context.bank, ids)
  for (;;) {
    const accounts = inputs.map((each): AccruedAccount => ({
      before: each.position,
      hasTerm: each.term !== null,
      accrual: accrue({ ...each, mayPay: !held.has(each.position.arrangementId) }),
    }))
    const planned = planPostings(context, book, accounts, attributionOf)
    const postings = planned.map(({ posting }) => posting)
    const blocks = await blocksAfter(context, termEndsOf(accounts))
    if (postings.length === 0 && blocks.size === 0) {
      const booking = { writes: [], events: [] }
      const adjustments = plainAdjustments(context, accounts)
      return { accounts, booking, adjustments, capitalizations: [], payoutIds: new Map(), held }
    }
    const booking = await decideBooking({ ...context, caller: bankCaller }, postings, blocks)
    if (booking.records.every(({ status }) => status !== 'rejected')) {
      const ids = booking.records.map((record) => record.postingInstructionId)
      return { accounts, booking, held, ...bookedRecords(context, accounts, planned, ids) }
    }
    // All postings are rejected together; only those with violations are the cause.
    const causes = planned.filter((_, index) => booking.records[index]!.violations.length > 0)
    const paying = causes.flatMap(({ payerId }) => payerId ?? [])
    if (paying.length === 0) {
      const [violation] = booking.violations
      throw new Error(`The ledger rejected accrued interest: ${violation!.detail}`)
    }
    for (const id of paying) held.add(id)
  }
}

/** Returns the payments, corrections and payouts with the IDs of their postings. */
function bookedRecords(
  context: Context,
  accounts: readonly AccruedAccount[],
  planned: readonly PlannedPosting[],
  postingIds: readonly string[],
): Pick<BookedPage, 'adjustments' | 'capitalizations' | 'payoutIds'> {
  const booked = planned.map((each, index) => ({ ...each, postingId: postingIds[index]! }))
  const corrections = booked.filter(({ purpose }) => purpose === 'correction')
  const payments = booked.filter(({ purpose }) => purpose === 'payment')
  const payouts = booked.filter(({ purpose }) => purpose === 'payout')
  const adjustments = plainAdjustments(context, accounts).map((adjustment): BookedAdjustment => {
    if (adjustment.amountMinor === 0n) return adjustment
    const { recordId, postingId } = corrections.shift()!
    return { ...adjustment, adjustmentId: recordId!, postingInstructionId: postingId }
  })
  const capitalizations = accounts.flatMap(({ before, accrual }) =>
    accrual.capitalizations.map((payment): BookedCapitalization => {
      const { recordId, postingId } = payments.shift()!
      return {
        ...payment,
        ...headOf(context, before),
        capitalizationId: recordId!,
        postingInstructionId: postingId,
      }
    }),
  )
  const payoutIds = new Map(payouts.map(({ recordId, postingId }) => [recordId!, postingId]))
  return { adjustments, capitalizations, payoutIds }
}

/** Returns the corrections of accounts without postings. */
function plainAdjustments(
  context: Context,
  accounts: readonly AccruedAccount[],
): BookedAdjustment[] {
  return accounts.flatMap(({ before, accrual: { adjustment } }) =>
    adjustment
      ? [
          {
            ...adjustment,
            ...headOf(context, before),
            adjustmentId: context.newId('interestAdjustment'),
            postingInstructionId: null,
          },
        ]
      : [],
  )
}

function headOf(context: Context, { arrangementId, partyId, currency }: InterestPosition) {
  return { arrangementId, partyId, currency, createdAt: context.now() }
}
