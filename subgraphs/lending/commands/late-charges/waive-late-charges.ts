import type { WaiveLateChargesInput } from '../../model/late-charges/late-charges.ts'
import { requireBank } from '../../../../kernel/authorization/auth.ts'
import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import type { DomainEvent } from '../../../../kernel/events/events.ts'
import { readersOf, requireServiced, type Facility } from '../../domain/facilities/facility.ts'
import { waiveLateCharges, type Waiver } from '../../domain/late-charges/waiver.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { changeServicedFacility, servicedToday } from '../servicing/service-facility.ts'

/**
 * Waives the unpaid late charges of an installment. Throws NOT_FOR_DELEGATED_USERS,
 * FACILITY_NOT_FOUND, FACILITY_NOT_ACTIVE, and whatever `waiveLateCharges` of the domain throws.
 */
export function waiveFacilityLateCharges(
  context: Context,
  input: WaiveLateChargesInput,
): Promise<Facility> {
  requireBank(context)
  return command(context, 'waiveLateCharges', input, async () => {
    const { facilityId, installment } = input
    const found = await requireFacilityWithDues(context, facilityId)
    requireServiced(found.facility)
    const before = servicedToday(context, found)
    const waiver = waiveLateCharges(before, installment, dateOf(context.now()))
    const changed = await changeServicedFacility(context, found.facility, waiver.serviced)
    const { facility, writes, events, facts } = changed
    return {
      result: facility,
      resourceId: facilityId,
      retainsKey: true,
      writes,
      events: [...events, waivedEvent(facility, input, waiver)],
      facts,
    }
  })
}

function waivedEvent(
  facility: Facility,
  { installment, reason }: WaiveLateChargesInput,
  { feesMinor, penaltiesMinor }: Waiver,
): DomainEvent {
  const { facilityId, currency, version } = facility
  return {
    type: 'lending.facility.late-charges-waived',
    subject: `facility/${facilityId}`,
    version,
    data: {
      facilityId,
      currency,
      installment,
      lateFeeMinor: feesMinor,
      defaultInterestMinor: penaltiesMinor,
      reason,
    },
    parties: readersOf(facility),
  }
}
