import { bankCaller } from '../../../../kernel/authorization/auth.ts'
import type { Decision } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import type { DomainEvent } from '../../../../kernel/events/events.ts'
import { publicationOf } from '../../../../kernel/writing/records.ts'
import { toJson, type Write } from '../../../../kernel/writing/writes.ts'
import { decideWith, requireBooked } from '../../../../ledger/book.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import { availableOf, defaultAddress } from '../../../../ledger/domain/balance.ts'
import { blocksDebits } from '../../../../ledger/domain/block.ts'
import { openInternalAccounts } from '../../../../ledger/own-accounts.ts'
import { readHeldBooks } from '../../../../ledger/hold.ts'
import type { StoredBooks } from '../../../../ledger/read.ts'
import { idsOf, scheduleChangedEvent } from '../../commands/facilities/change-facility.ts'
import { decideLetters, readCoBorrowers } from '../../commands/rate-resets/new-letters.ts'
import { resetRates } from '../../commands/rate-resets/rate-reset.ts'
import { loanAccountId } from '../../domain/facilities/accounts.ts'
import { closeDays, type AvailableFunds } from '../../domain/servicing/close-days.ts'
import { readersOf, type Facility } from '../../domain/facilities/facility.ts'
import type { AppliedResets } from '../../domain/rate-resets/rate-reset.ts'
import { startServicing, type ServicedFacility } from '../../domain/servicing/servicing.ts'
import {
  postingsOf,
  repaymentWritesAndEvents,
  repaymentOf,
  eventTypesOf,
} from '../../commands/servicing/service-facility.ts'
import { putInstallments } from '../../store/repayments/due-installment.ts'
import { updateAfterEndOfDay } from '../../store/servicing/end-of-day.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { insertResets } from '../../store/rate-resets/rate-reset.ts'
import { insertVersion } from '../../store/schedules/schedule-version.ts'
import { findFacilitiesWithUnpaid } from '../../store/repayments/facility-with-dues.ts'

type ClosedBatch = Required<Pick<Decision<unknown>, 'writes' | 'events' | 'facts'>>

/**
 * Runs the end of day of a batch of facilities up to the business date `through`. Returns the
 * writes, events and facts for one commit; all are empty if no facility changes.
 */
export async function closeBatchDays(
  context: Context,
  facilityIds: readonly string[],
  through: LocalDate,
): Promise<ClosedBatch> {
  const found = await findFacilitiesWithUnpaid(context, facilityIds)
  const books = await readBooksOf(
    context,
    found.map(({ facility }) => facility),
  )
  const resetsById = await resetRates(
    context,
    found.map(({ facility }) => facility),
    through,
  )
  const coBorrowersById = await readCoBorrowers(context, resetsById)
  const fundsByAccount = new Map<string, AvailableFunds>()
  const processedFacilities = found.flatMap(({ facility, dues }) => {
    const applied = resetsById.get(facility.facilityId) ?? null
    const before = startServicing(applied?.facility ?? facility, dues)
    const after = closeDays(before, through, fundsOf(books, fundsByAccount, facility))
    const coBorrowers = coBorrowersById.get(facility.facilityId) ?? []
    return after === before ? [] : [{ before: facility, after, applied, coBorrowers }]
  })
  if (processedFacilities.length === 0) return { writes: [], events: [], facts: [] }
  return bookBatch(context, books, processedFacilities)
}

interface ProcessedFacility {
  before: Facility
  after: ServicedFacility
  /** The resets of the rate; null if there were none. */
  applied: AppliedResets | null
  /** The parties that get letters about the resets besides the borrower. */
  coBorrowers: readonly string[]
}

function bookBatch(
  context: Context,
  books: StoredBooks,
  processedFacilities: readonly ProcessedFacility[],
): ClosedBatch {
  const now = context.now()
  const postings = processedFacilities.map(({ after }) => postingsOf(after, now))
  const booked = decideWith({ ...context, caller: bankCaller }, books, postings.flat())
  requireBooked(booked)
  const ids = idsOf(booked)
  const closedFacilities = processedFacilities.map(({ before, after, applied }, index) => {
    const instructionIds = ids.splice(0, postings[index]!.length)
    const facility = { ...after.facility, version: before.version + 1, updatedAt: now }
    const repayments = after.payments.map((payment) => {
      const stamp = { id: context.newId('repayment'), contentHash: '', now }
      return repaymentOf(stamp, before, payment, instructionIds[payment.bookingIndex]!)
    })
    return { before, after, applied, facility, repayments }
  })
  const letters = processedFacilities.flatMap(({ before, applied, coBorrowers }) =>
    applied === null ? [] : [decideLetters(context, before, applied, coBorrowers)],
  )
  const repaymentChanges = repaymentWritesAndEvents(
    closedFacilities.flatMap(({ repayments }) => repayments),
  )
  return {
    writes: [
      ...updatesOf(closedFacilities),
      ...closedFacilities.flatMap(({ applied }) => resetWrites(applied, now)),
      ...letters.flatMap(({ writes }) => writes),
      ...putInstallments(
        closedFacilities.flatMap(({ after }) => after.duesBefore),
        closedFacilities.flatMap(({ after }) => after.dues),
      ),
      ...repaymentChanges.writes,
      ...booked.writes,
    ],
    events: [
      ...closedFacilities.flatMap(({ facility, after }) =>
        eventTypesOf(after).flatMap((type) => publicationOf(facilityKind, facility, type).events),
      ),
      ...closedFacilities.flatMap(({ applied, facility }) => resetEvents(applied, facility)),
      ...letters.flatMap(({ events }) => events),
      ...repaymentChanges.events,
      ...booked.events,
    ],
    facts: closedFacilities.flatMap(({ before, facility }) => changedFacts(before, facility)),
  }
}

/**
 * Returns the writes that update facilities: all at once, except those whose rate was reset. Their
 * terms change, too.
 */
function updatesOf(
  closed: readonly { before: Facility; facility: Facility; applied: AppliedResets | null }[],
): Write[] {
  const unchangedTerms = closed.filter(({ applied }) => applied === null)
  const changedTerms = closed.filter(({ applied }) => applied !== null)
  return [
    ...(unchangedTerms.length > 0
      ? [updateAfterEndOfDay(unchangedTerms.map(({ facility }) => facility))]
      : []),
    ...changedTerms.map(({ before, facility }) => facilityKind.update(before, facility)),
  ]
}

function resetWrites(applied: AppliedResets | null, now: Date): Write[] {
  if (applied === null) return []
  const { changes, resets } = applied
  return [...changes.map((change) => insertVersion(change, now)), ...insertResets(resets, now)]
}

function resetEvents(applied: AppliedResets | null, facility: Facility): DomainEvent[] {
  if (applied === null) return []
  const { facilityId, version } = facility
  const reported = applied.resets.map((data) => ({
    type: 'lending.facility.rate-reset',
    subject: `facility/${facilityId}`,
    version,
    data: { ...data },
    parties: readersOf(facility),
  }))
  return [...reported, ...applied.changes.map((change) => scheduleChangedEvent(facility, change))]
}

/**
 * Returns the published fact of a facility, as a list that is empty if the fact has not changed. On
 * most days it does not change.
 */
function changedFacts(before: Facility, after: Facility) {
  const [factsBefore, factsAfter] = [before, after].map(
    (facility) => publicationOf(facilityKind, facility, facilityKind.created).facts,
  )
  return toJson(factsBefore) === toJson(factsAfter) ? [] : factsAfter!
}

/** The internal accounts to which late charges are booked. */
const lateChargeCodes = ['fee-income', 'default-interest-income'] as const

/**
 * Reads the ledger balances of facilities and of their settlement accounts. First opens the
 * income accounts to which the postings refer.
 */
async function readBooksOf(
  context: Context,
  facilities: readonly Facility[],
): Promise<StoredBooks> {
  const accountIds = new Set<string>()
  const internalIds = new Set<string>()
  for (const { facilityId, settlementArrangementId, currency, lateCharges } of facilities) {
    accountIds.add(loanAccountId(facilityId))
    if (settlementArrangementId !== null) accountIds.add(settlementArrangementId)
    const codes = ['interest-income', ...(lateCharges ? lateChargeCodes : [])] as const
    for (const code of codes) internalIds.add(internalAccountId(code, currency))
  }
  await openInternalAccounts(context.bank, internalIds)
  return readHeldBooks(context, { accountIds, authorizationKeys: new Set(), postingIds: new Set() })
}

/**
 * Returns the funds available for collection on the settlement account of a facility: zero if the
 * account cannot be debited, null if there is no account or it has no balance. Facilities with the
 * same settlement account share one `AvailableFunds` object, which each collection reduces.
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
  const isDebitBlocked = isClosed || isSuspended || blocksDebits(blockedFor)
  const funds = { accountId, leftMinor: isDebitBlocked ? 0n : availableOf(balance) }
  fundsByAccount.set(accountId, funds)
  return funds
}
