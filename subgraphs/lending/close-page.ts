import { bankCaller } from '../_kernel/auth.ts'
import type { Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import type { LocalDate } from '../_kernel/domain/dates.ts'
import { publish } from '../_kernel/records.ts'
import { toJson } from '../_kernel/writes.ts'
import { decideWith, requireBooked } from '../_ledger/book.ts'
import { internalAccountId } from '../_ledger/domain/account.ts'
import { availableOf, defaultAddress } from '../_ledger/domain/balance.ts'
import { openOwnAccounts } from '../_ledger/own-accounts.ts'
import { readHeldBooks } from '../_ledger/hold.ts'
import type { StoredBooks } from '../_ledger/read.ts'
import { idsOf } from './change-facility.ts'
import { loanAccountId } from './domain/accounts.ts'
import { closeDays, type Purse } from './domain/close-days.ts'
import type { Facility } from './domain/facility.ts'
import { startServicing, type Serviced } from './domain/servicing.ts'
import { postingsOf, repaid, repaymentOf, toldFacts } from './serve-facility.ts'
import { putInstalments } from './store/due-instalment.ts'
import { updateClosed } from './store/end-of-day.ts'
import { facilityKind } from './store/facility.ts'
import { findFacilitiesWithUnpaid } from './store/facility-with-dues.ts'

type Page = Required<Pick<Decision<unknown>, 'writes' | 'events' | 'facts'>>

/** Works the ends of days of some facilities through, as one decision about all of them. */
export async function closePage(
  context: Context,
  facilityIds: readonly string[],
  through: LocalDate,
): Promise<Page> {
  const found = await findFacilitiesWithUnpaid(context, facilityIds)
  const books = await readBooksOf(
    context,
    found.map(({ facility }) => facility),
  )
  const purses = new Map<string, Purse>()
  const closed = found.flatMap(({ facility, dues }) => {
    const before = startServicing(facility, dues)
    const after = closeDays(before, through, purseOf(books, purses, facility))
    return after === before ? [] : [{ before: facility, after }]
  })
  if (closed.length === 0) return { writes: [], events: [], facts: [] }
  return decide(context, books, closed)
}

interface Closed {
  before: Facility
  after: Serviced
}

function decide(context: Context, books: StoredBooks, closed: readonly Closed[]): Page {
  const now = context.now()
  const postings = closed.map(({ after }) => postingsOf(after, now))
  const booked = decideWith({ ...context, caller: bankCaller }, books, postings.flat())
  requireBooked(booked)
  const ids = idsOf(booked)
  const done = closed.map(({ before, after }, at) => {
    const mine = ids.splice(0, postings[at]!.length)
    const facility = { ...after.facility, version: before.version + 1, updatedAt: now }
    const repayments = after.payments.map((made) =>
      repaymentOf(context, before, made, mine[made.booking]!),
    )
    return { before, after, facility, repayments }
  })
  const paid = repaid(done.flatMap(({ repayments }) => repayments))
  return {
    writes: [
      updateClosed(done.map(({ facility }) => facility)),
      ...putInstalments(
        done.flatMap(({ after }) => after.duesBefore),
        done.flatMap(({ after }) => after.dues),
      ),
      ...paid.writes,
      ...booked.writes,
    ],
    events: [
      ...done.flatMap(({ facility, after }) =>
        toldFacts(after).flatMap((type) => publish(facilityKind, facility, type).events),
      ),
      ...paid.events,
      ...booked.events,
    ],
    facts: done.flatMap(({ before, facility }) => changedFact(before, facility)),
  }
}

/** What others know of a facility changes in few nights. */
function changedFact(before: Facility, after: Facility) {
  const data = facilityKind.snapshot(after)
  if (toJson(data) === toJson(facilityKind.snapshot(before))) return []
  return [{ subject: `facility/${after.facilityId}`, data }]
}

/** The books of the facilities and of the accounts that instalments are collected from. */
async function readBooksOf(
  context: Context,
  facilities: readonly Facility[],
): Promise<StoredBooks> {
  const accountIds = new Set<string>()
  const own = new Set<string>()
  for (const { facilityId, settlementArrangementId, currency } of facilities) {
    accountIds.add(loanAccountId(facilityId))
    if (settlementArrangementId !== null) accountIds.add(settlementArrangementId)
    own.add(internalAccountId('interest-income', currency))
  }
  await openOwnAccounts(context.bank, own)
  return readHeldBooks(context, { accountIds, chains: new Set(), postingIds: new Set() })
}

/** One purse per account, however many facilities are collected from it. */
function purseOf(
  books: StoredBooks,
  purses: Map<string, Purse>,
  { settlementArrangementId: accountId }: Facility,
): Purse | null {
  if (accountId === null) return null
  const known = purses.get(accountId)
  if (known) return known
  const balance = books.balance(accountId, defaultAddress)
  if (!balance) return null
  const { blockedFor, isClosed, isSuspended } = balance
  const isShut = isClosed || isSuspended || blockedFor === 'debit' || blockedFor === 'all'
  const purse = { accountId, leftMinor: isShut ? 0n : availableOf(balance) }
  purses.set(accountId, purse)
  return purse
}
