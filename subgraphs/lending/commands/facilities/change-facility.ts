import { bankCaller } from '../../../../kernel/authorization/auth.ts'
import type { Decision } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../../kernel/events/events.ts'
import { publicationOf } from '../../../../kernel/writing/records.ts'
import {
  decideBooking,
  requireBooked,
  type BookingDecision,
  type NewAccount,
} from '../../../../ledger/book.ts'
import type { Instruction } from '../../../../ledger/domain/instruction.ts'
import { noNarrative, type Posting } from '../../../../ledger/journal.ts'
import { loanAccountId, loanAddresses } from '../../domain/facilities/accounts.ts'
import { readersOf, type Facility } from '../../domain/facilities/facility.ts'
import type { ScheduleChange } from '../../domain/facilities/schedule-change.ts'
import type { FacilityEvent } from '../../events.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { insertVersion } from '../../store/schedules/schedule-version.ts'

/** A change to a facility that is committed at once. */
export interface FacilityChange {
  before: Facility
  after: Facility
  /** The new schedule version; null or absent if the schedule does not change. */
  schedule?: ScheduleChange | null
  /** The facility events to emit. */
  emit?: readonly FacilityEvent[]
  /** The postings that belong to the change. */
  postings?: readonly Posting[]
}

/** The writes, events and facts that a facility change adds to a command. */
export interface FacilityChangeResult extends Required<
  Pick<Decision<unknown>, 'writes' | 'events' | 'facts'>
> {
  facility: Facility
  postingInstructionIds: string[]
}

/**
 * Prepares the commit of a facility change: the facility row, the new schedule version, the
 * postings, the events and the facts. Every change to a facility except its end of day uses this
 * function. The commit fails if the row no longer has the version that was read. Throws the code
 * with which the ledger rejects a posting.
 */
export async function changeFacility(
  context: Context,
  change: FacilityChange,
): Promise<FacilityChangeResult> {
  const { before, after, schedule = null, emit = [], postings = [] } = change
  const now = context.now()
  const booked = await bookAsBank(context, postings)
  requireBooked(booked)
  const facility = { ...after, version: before.version + 1, updatedAt: now }
  const versionWrites = schedule ? [insertVersion({ ...schedule, facility }, now)] : []
  return {
    facility,
    postingInstructionIds: idsOf(booked),
    writes: [facilityKind.update(before, facility), ...versionWrites, ...booked.writes],
    ...facilityEventsAndFacts(facility, emit, schedule, booked.events),
  }
}

/** Returns the events of a facility change and the published fact of the facility. */
export function facilityEventsAndFacts(
  facility: Facility,
  emit: readonly FacilityEvent[],
  schedule: ScheduleChange | null,
  otherEvents: readonly DomainEvent[],
) {
  const { facts } = publicationOf(facilityKind, facility, 'lending.facility.opened')
  const facilityEvents = emit.flatMap((type) => publicationOf(facilityKind, facility, type).events)
  const scheduleEvents = schedule ? [scheduleChangedEvent(facility, schedule)] : []
  return { events: [...facilityEvents, ...scheduleEvents, ...otherEvents], facts }
}

/** Returns the event that a facility has a new schedule version. */
export function scheduleChangedEvent(
  facility: Facility,
  { version, effect }: ScheduleChange,
): DomainEvent {
  const { facilityId, currency } = facility
  return {
    type: 'lending.facility.schedule-changed',
    subject: `facility/${facilityId}`,
    version: facility.version,
    data: {
      facilityId,
      currency,
      scheduleVersion: version.version,
      cause: version.cause?.kind ?? 'disbursement',
      before: effect?.before ?? null,
      after: effect?.after ?? {
        installmentMinor: facility.nextDueMinor,
        maturityDate: facility.maturityDate,
        totalInterestMinor: version.schedule.totalInterestMinor,
      },
    },
    parties: readersOf(facility),
  }
}

/**
 * Books as the bank, because only the bank can post to loan accounts. The rights of the caller must
 * have been checked before.
 */
export function bookAsBank(
  context: Context,
  postings: readonly Posting[],
): Promise<BookingDecision> {
  if (postings.length > 0) return decideBooking({ ...context, caller: bankCaller }, postings)
  return Promise.resolve({ violations: [], records: [], writes: [], events: [] })
}

/**
 * Creates a posting of a facility with remittance information for account holders. Its metadata names
 * the facility, so that nobody reverses it by hand, past the facility.
 */
export function withNarrative(
  facilityId: string,
  instruction: Instruction,
  remittanceInformation: string,
): Posting {
  const narrative = { ...noNarrative, remittanceInformation, metadata: { facilityId } }
  return { instruction, narrative }
}

/** Returns the ledger account of a facility, to be opened with the facility. */
export function loanAccount({ facilityId, currency }: Facility): NewAccount {
  return {
    accountId: loanAccountId(facilityId),
    code: 'loan',
    arrangementId: null,
    partyId: null,
    type: 'asset',
    currency,
    policy: 'unguarded',
    addresses: loanAddresses,
  }
}

export function idsOf({ records }: BookingDecision): string[] {
  return records.map(({ postingInstructionId }) => postingInstructionId)
}
