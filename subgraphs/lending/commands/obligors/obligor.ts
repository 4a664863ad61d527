import { requireBank } from '../../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../../kernel/authorization/principals.ts'
import { missingReference } from '../../../../kernel/domain/problem.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { requireAlive } from '../../../../kernel/lifecycle/deceased.ts'
import { readReferencedFacts } from '../../../../kernel/writing/facts.ts'
import type { Change, Decide } from '../../../../kernel/graph/transitions.ts'
import { changeRecord, createRecord, versioned } from '../../../../kernel/writing/records.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import {
  newObligor,
  requireChangeable,
  withoutReader,
  withReader,
} from '../../domain/obligors/obligor.ts'
import { inputProblem } from '../../domain/schedules/refusals.ts'
import type { AddFacilityObligorInput, FacilityObligor } from '../../model/obligors/obligor.ts'
import type { ObligorEvent } from '../../obligor-events.ts'
import { findLiableObligors, obligorKind } from '../../store/obligors/obligor.ts'
import { changeFacility } from '../facilities/change-facility.ts'
import { readAmount } from '../facilities/customer-account.ts'
import { requireFacility } from '../facilities/require-facility.ts'
import { withdrawCalls } from './guarantee-call.ts'

/**
 * Adds a co-borrower or a guarantor to a facility. The facility changes in the same commit, so that
 * two requests for the same party, or the end of the facility, cannot be missed. Throws
 * NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, PARTY_NOT_FOUND, PARTY_DECEASED, PARTY_NOT_ACTIVE,
 * CURRENCY_MISMATCH, and whatever `newObligor` throws.
 */
export function addFacilityObligor(
  context: Context,
  request: AddFacilityObligorInput,
): Promise<FacilityObligor> {
  requireBank(context)
  const { obligorId, facilityId, partyId, role, amount } = request
  const name = 'addFacilityObligor'
  return createRecord(context, obligorKind, name, request, obligorId, async (stamp) => {
    const facility = await requireFacility(context, facilityId)
    const terms = {
      partyId,
      role,
      amountMinor: amount ? readAmount(facility, amount) : null,
      percentage: request.percentage ?? null,
      validUntil: request.validUntil ?? null,
      documentId: request.documentId ?? null,
    }
    const base = { ...versioned(stamp), obligorId: stamp.id, addedBy: context.caller.subject }
    const liable = await findLiableObligors(context, facilityId)
    const record = newObligor(facility, terms, liable, base)
    await requireActiveParty(context, partyId)
    const isReader = record.role === 'co-borrower'
    const after = isReader ? withReader(facility, partyId) : { ...facility }
    return { record, ...(await changed(context, facility, after)) }
  })
}

async function requireActiveParty(context: Context, partyId: string): Promise<void> {
  const [party] = await readReferencedFacts(context, [`party/${partyId}`])
  if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  await requireAlive(context, partyId, '/partyId')
  const status = party['status'] as string
  if (status === 'active') return
  const detail = `${partyId} is ${status}.`
  throw inputProblem('PARTY_NOT_ACTIVE', '/partyId', detail, { resourceId: partyId })
}

/** Returns what the change of a facility adds to a commit. */
async function changed(context: Context, before: Facility, after: Facility) {
  const { writes, events, facts } = await changeFacility(context, { before, after })
  return { writes, events, facts }
}

/**
 * Changes an obligor. A party that is released can no longer read the facility, and nothing is
 * required from it any more. Throws
 * OBLIGOR_NOT_FOUND, STATE_CONFLICT for the release from a facility that has ended, and whatever
 * `decide` throws.
 */
export const changeObligor: Change<FacilityObligor, ObligorEvent> = (
  context,
  operation,
  input,
  obligorId,
  event,
  decide,
) =>
  changeRecord(context, obligorKind, operation, input, obligorId, event, async (before, now) => {
    const record = await decide(before, now)
    if (record.status !== 'released') return { record }
    const facility = await requireFacility(context, record.facilityId)
    requireChangeable(facility)
    const after = withoutReader(facility, record.partyId)
    const { writes, events, facts } = await changed(context, facility, after)
    const calls = await withdrawCalls(context, [obligorId], 'The guarantor was released.')
    return {
      record,
      writes: [...writes, ...calls.writes],
      events: [...events, ...calls.events],
      facts,
    }
  })

/** Checks that a second person decides on a release. Throws SEGREGATION_OF_DUTIES. */
export const decideRelease: Decide<FacilityObligor> = async (after, { context, before }) => {
  const detail = 'The person who proposed a release cannot decide on it.'
  const fourEyes = { resourceId: before.obligorId, detail }
  await requireAnotherPerson(context, [before.releaseProposedBy], fourEyes)
  return after
}
