import { bankCaller } from '../../../../kernel/authorization/auth.ts'
import type { Decision } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { publish } from '../../../../kernel/writing/records.ts'
import { toJson } from '../../../../kernel/writing/writes.ts'
import { decideWith, requireBooked } from '../../../../ledger/book.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import { availableOf, defaultAddress } from '../../../../ledger/domain/balance.ts'
import { openInternalAccounts } from '../../../../ledger/own-accounts.ts'
import { readHeldBooks } from '../../../../ledger/hold.ts'
import type { StoredBooks } from '../../../../ledger/read.ts'
import { idsOf } from '../../commands/facilities/change-facility.ts'
import { loanAccountId } from '../../domain/facilities/accounts.ts'
import { closeDays, type AvailableFunds } from '../../domain/servicing/close-days.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { startServicing, type ServicedFacility } from '../../domain/servicing/servicing.ts'
import {
  postingsOf,
  repaid,
  repaymentOf,
  emittedFacts,
} from '../../commands/servicing/service-facility.ts'
import { putInstallments } from '../../store/repayments/due-installment.ts'
import { updateClosed } from '../../store/servicing/end-of-day.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { findFacilitiesWithUnpaid } from '../../store/repayments/facility-with-dues.ts'

type Page = Required<Pick<Decision<unknown>, 'writes' | 'events' | 'facts'>>

/** Runs the end of day for a batch of facilities in one commit. */
export async function closeBatchDays(
  context: Context,
  facilityIds: readonly string[],
  through: LocalDate,
): Promise<Page> {
  const found = await findFacilitiesWithUnpaid(context, facilityIds)
  const books = await readBooksOf(
    context,
    found.map(({ facility }) => facility),
  )
  const fundsByAccount = new Map<string, AvailableFunds>()
  const processed = found.flatMap(({ facility, dues }) => {
    const before = startServicing(facility, dues)
    const after = closeDays(before, through, fundsOf(books, fundsByAccount, facility))
    return after === before ? [] : [{ before: facility, after }]
  })
  if (processed.length === 0) return { writes: [], events: [], facts: [] }
  return decide(context, books, processed)
}

interface ProcessedFacility {
  before: Facility
  after: ServicedFacility
}

function decide(
  context: Context,
  books: StoredBooks,
  processed: readonly ProcessedFacility[],
): Page {
  const now = context.now()
  const postings = processed.map(({ after }) => postingsOf(after, now))
  const booked = decideWith({ ...context, caller: bankCaller }, books, postings.flat())
  requireBooked(booked)
  const ids = idsOf(booked)
  const done = processed.map(({ before, after }, at) => {
    const instructionIds = ids.splice(0, postings[at]!.length)
    const facility = { ...after.facility, version: before.version + 1, updatedAt: now }
    const repayments = after.payments.map((payment) => {
      const stamp = { id: context.newId('repayment'), contentHash: '', now }
      return repaymentOf(stamp, before, payment, instructionIds[payment.booking]!)
    })
    return { before, after, facility, repayments }
  })
  const collected = repaid(done.flatMap(({ repayments }) => repayments))
  return {
    writes: [
      updateClosed(done.map(({ facility }) => facility)),
      ...putInstallments(
        done.flatMap(({ after }) => after.duesBefore),
        done.flatMap(({ after }) => after.dues),
      ),
      ...collected.writes,
      ...booked.writes,
    ],
    events: [
      ...done.flatMap(({ facility, after }) =>
        emittedFacts(after).flatMap((type) => publish(facilityKind, facility, type).events),
      ),
      ...collected.events,
      ...booked.events,
    ],
    facts: done.flatMap(({ before, facility }) => changedFact(before, facility)),
  }
}

/**
 * Returns the published fact of a facility only if it changed, because it stays the same on most
 * days.
 */
function changedFact(before: Facility, after: Facility) {
  const [factsBefore, factsAfter] = [before, after].map(
    (facility) => publish(facilityKind, facility, facilityKind.created).facts,
  )
  return toJson(factsBefore) === toJson(factsAfter) ? [] : factsAfter!
}

/**
 * Reads the ledger balances of the facilities and of the accounts from which installments are
 * collected.
 */
async function readBooksOf(
  context: Context,
  facilities: readonly Facility[],
): Promise<StoredBooks> {
  const accountIds = new Set<string>()
  const internalIds = new Set<string>()
  for (const { facilityId, settlementArrangementId, currency } of facilities) {
    accountIds.add(loanAccountId(facilityId))
    if (settlementArrangementId !== null) accountIds.add(settlementArrangementId)
    internalIds.add(internalAccountId('interest-income', currency))
  }
  await openInternalAccounts(context.bank, internalIds)
  return readHeldBooks(context, { accountIds, chains: new Set(), postingIds: new Set() })
}

/**
 * Returns the available funds of the settlement account. Facilities with the same account share
 * them. Null if the facility has no settlement account or the account has no balance.
 */
function fundsOf(
  books: StoredBooks,
  fundsByAccount: Map<string, AvailableFunds>,
  { settlementArrangementId: accountId }: Facility,
): AvailableFunds | null {
  if (accountId === null) return null
  const cachedFunds = fundsByAccount.get(accountId)
  if (cachedFunds) return cachedFunds
  const balance = books.balance(accountId, defaultAddress)
  if (!balance) return null
  const { blockedFor, isClosed, isSuspended } = balance
  const isDebitBlocked = isClosed || isSuspended || blockedFor === 'debit' || blockedFor === 'all'
  const funds = { accountId, leftMinor: isDebitBlocked ? 0n : availableOf(balance) }
  fundsByAccount.set(accountId, funds)
  return funds
}
