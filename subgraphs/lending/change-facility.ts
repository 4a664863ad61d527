import { bankCaller } from '../_kernel/auth.ts'
import type { Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import type { Told } from '../_kernel/events.ts'
import { publish } from '../_kernel/records.ts'
import { bookWith, requireBooked, type Booked, type NewAccount } from '../_ledger/book.ts'
import type { Instruction } from '../_ledger/domain/instruction.ts'
import { noNarrative, type Posting } from '../_ledger/journal.ts'
import { loanAccountId, loanAddresses } from './domain/accounts.ts'
import type { Facility } from './domain/facility.ts'
import type { ScheduleChange } from './domain/schedule-change.ts'
import type { FacilityEvent } from './events.ts'
import { facilityKind } from './store/facility.ts'
import { insertVersion } from './store/schedule-version.ts'

/** What becomes of a facility in one commit. */
export interface FacilityChange {
  before: Facility
  after: Facility
  /** Its next schedule, when it gets one. */
  schedule?: ScheduleChange | null
  /** What is told of it. */
  tell?: readonly FacilityEvent[]
  /** The money that moves with it. */
  postings?: readonly Posting[]
}

/** What a change adds to the decision it is part of. */
export interface Changed extends Required<Pick<Decision<unknown>, 'writes' | 'events' | 'facts'>> {
  facility: Facility
  postingInstructionIds: string[]
}

/**
 * The one door through which a facility changes: its row, held to the version it was decided on;
 * its next schedule, kept beside those before; the money; what is told and what others may know.
 * Refuses with the code of what the books do not allow.
 */
export async function changeFacility(context: Context, change: FacilityChange): Promise<Changed> {
  const { before, after, schedule = null, tell = [], postings = [] } = change
  const now = context.now()
  const booked = await bookAsBank(context, postings)
  requireBooked(booked)
  const facility = { ...after, version: before.version + 1, updatedAt: now }
  const kept = schedule ? [insertVersion({ ...schedule, facility }, now)] : []
  return {
    facility,
    postingInstructionIds: idsOf(booked),
    writes: [facilityKind.update(before, facility), ...kept, ...booked.writes],
    ...tellFacility(facility, tell, schedule, booked.events),
  }
}

/** What is told of a facility, and what others may know of it. */
export function tellFacility(
  facility: Facility,
  tell: readonly FacilityEvent[],
  schedule: ScheduleChange | null,
  more: readonly Told[],
) {
  const { facts } = publish(facilityKind, facility, 'lending.facility.opened')
  const told = tell.flatMap((type) => publish(facilityKind, facility, type).events)
  const changed = schedule ? [scheduleTold(facility, schedule)] : []
  return { events: [...told, ...changed, ...more], facts }
}

function scheduleTold(facility: Facility, { version, effect }: ScheduleChange): Told {
  const { facilityId, currency, partyId } = facility
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
        instalmentMinor: facility.nextDueMinor,
        maturityDate: facility.maturityDate,
        totalInterestMinor: version.schedule.totalInterestMinor,
      },
    },
    parties: [partyId],
  }
}

/**
 * Books as the bank: who may ask was looked at before, and the account of a loan is nobody's to
 * book on but the bank's.
 */
export function bookAsBank(context: Context, postings: readonly Posting[]): Promise<Booked> {
  if (postings.length > 0) return bookWith({ ...context, caller: bankCaller }, postings)
  return Promise.resolve({ violations: [], records: [], writes: [], events: [] })
}

/** A posting with what its owner reads beside it. */
export function narrated(instruction: Instruction, remittanceInformation: string): Posting {
  return { instruction, narrative: { ...noNarrative, remittanceInformation } }
}

/** The account of a facility in the ledger. */
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

export function idsOf({ records }: Booked): string[] {
  return records.map(({ postingInstructionId }) => postingInstructionId)
}
