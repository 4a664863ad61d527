import { requireBank } from '../../../../kernel/authorization/auth.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../../kernel/events/events.ts'
import { command } from '../../../../kernel/writing/command.ts'
import { readersOf, requireServiced, type Facility } from '../../domain/facilities/facility.ts'
import type { LateChargePause } from '../../domain/late-charges/pause.ts'
import { endLateChargePause, pauseLateCharges } from '../../domain/late-charges/pausing.ts'
import type { PauseLateChargesInput } from '../../model/late-charges/late-charges.ts'
import { readPolicy } from '../../store/facilities/product-policy.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { changeServicedFacility, servicedToday } from '../servicing/service-facility.ts'

/**
 * Pauses the late charges of a facility. Throws NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND,
 * FACILITY_NOT_ACTIVE, and whatever `pauseLateCharges` of the domain throws.
 */
export function pauseFacilityLateCharges(
  context: Context,
  { facilityId, from, until, reason }: PauseLateChargesInput,
): Promise<Facility> {
  const request = { facilityId, from, until, reason }
  return changePauses(context, 'pauseLateCharges', request, 'paused', async (before, today) => {
    const policy = await readPolicy(context, before)
    const terms = { from: from ?? null, until, reason, pausedBy: context.caller.subject }
    const facility = pauseLateCharges(before, terms, policy, today)
    return { facility, pause: facility.lateChargePauses.at(-1)! }
  })
}

/**
 * Ends the pause of the late charges of a facility. Throws NOT_FOR_DELEGATED_USERS,
 * FACILITY_NOT_FOUND, FACILITY_NOT_ACTIVE, and STATE_CONFLICT if they are not paused and will not be.
 */
export function endFacilityLateChargePause(
  context: Context,
  facilityId: string,
): Promise<Facility> {
  const request = { facilityId }
  return changePauses(context, 'endLateChargePause', request, 'ended', (before, today) => {
    const { facility, ended } = endLateChargePause(before, context.caller.subject, today)
    return { facility, pause: ended }
  })
}

const eventTypes = {
  paused: 'lending.facility.late-charges-paused',
  ended: 'lending.facility.late-charge-pause-ended',
} as const

interface ChangedPauses {
  facility: Facility
  pause: LateChargePause
}

/** Brings the facility to today first, so that a pause changes no day that is already charged. */
function changePauses(
  context: Context,
  name: string,
  request: { facilityId: string },
  event: keyof typeof eventTypes,
  change: (before: Facility, today: LocalDate) => ChangedPauses | Promise<ChangedPauses>,
): Promise<Facility> {
  requireBank(context)
  return command(context, name, request, async () => {
    const { facilityId } = request
    const found = await requireFacilityWithDues(context, facilityId)
    requireServiced(found.facility)
    const before = servicedToday(context, found)
    const { facility: after, pause } = await change(before.facility, dateOf(context.now()))
    const serviced = { ...before, facility: after }
    const changed = await changeServicedFacility(context, found.facility, serviced)
    const { facility, writes, events, facts } = changed
    return {
      result: facility,
      resourceId: facilityId,
      retainsKey: true,
      writes,
      events: [...events, pauseEvent(facility, eventTypes[event], pause)],
      facts,
    }
  })
}

function pauseEvent(
  facility: Facility,
  type: string,
  { from, until, endedOn, reason }: LateChargePause,
): DomainEvent {
  const { facilityId, version } = facility
  return {
    type,
    subject: `facility/${facilityId}`,
    version,
    data: { facilityId, from, until, endedOn, reason },
    parties: readersOf(facility),
  }
}
