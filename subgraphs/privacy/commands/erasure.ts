import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireUnrestricted } from '../../../kernel/lifecycle/restricted.ts'
import { findFacts, readHeldFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { Problem } from '../domain/problems.ts'
import type { ErasureRequest, ProposeErasureInput } from '../model/erasure.ts'
import { erasureKind, findOpenErasure } from '../store/erasure.ts'
import { readEndedAt } from '../store/relationship-end.ts'

/** A kind of record that needs the data of a party while it is open. */
interface Business {
  /** The code of the validation error. */
  code: string
  /** The states that end the record, if its fact has no lifecycle. */
  endStates?: readonly string[]
  /** The property of the fact that refers to the party, or to a customer that the party is. */
  reference?: 'partyId' | 'customerId'
}

const businessEntities: Readonly<Record<string, Business>> = {
  arrangement: { code: 'ACCOUNT_OPEN' },
  facility: { code: 'FACILITY_OPEN' },
  'loan-application': {
    code: 'APPLICATION_OPEN',
    endStates: ['booked', 'declined'],
    reference: 'customerId',
  },
  case: { code: 'CASE_OPEN', endStates: ['closed', 'withdrawn'] },
}

/**
 * Proposes the erasure of the data of a party, which another person must approve. Throws
 * PARTY_NOT_FOUND, ERASURE_BLOCKED, PROCESSING_RESTRICTED, and RESOURCE_EXISTS if the ID is in use
 * or the party has an erasure that is not completed.
 */
export function proposeErasure(
  context: Context,
  request: ProposeErasureInput,
): Promise<ErasureRequest> {
  const { erasureRequestId, partyId, reason } = request
  const name = 'proposeErasure'
  return createRecord(context, erasureKind, name, request, erasureRequestId, async (stamp) => {
    await requireErasable(context, partyId)
    const open = await findOpenErasure(context, partyId)
    if (open) throw new Problem('RESOURCE_EXISTS', { resourceId: open.erasureRequestId })
    const record: ErasureRequest = {
      ...versioned(stamp),
      erasureRequestId: stamp.id,
      partyId,
      cause: 'request',
      reason,
      state: 'proposed',
      endedAt: (await readEndedAt(context, partyId)) ?? stamp.now,
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
      completedAt: null,
    }
    return { record }
  })
}

/** Checks that a second person decides. Throws SEGREGATION_OF_DUTIES. */
export async function requireSecondPerson(
  context: Context,
  { erasureRequestId, proposedBy }: ErasureRequest,
): Promise<void> {
  const detail = 'The person who proposed an erasure cannot decide on it.'
  await requireAnotherPerson(context, [proposedBy], { resourceId: erasureRequestId, detail })
}

/**
 * Checks that the data of a party may be erased: its relationship with the bank has ended, no
 * account, facility, application or case is open, and the data is not restricted. Throws
 * PARTY_NOT_FOUND, ERASURE_BLOCKED, PROCESSING_RESTRICTED.
 */
export async function requireErasable(context: Context, partyId: string): Promise<void> {
  const [party] = await readHeldFacts(context, [`party/${partyId}`])
  if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  requireUnrestricted(party, partyId)
  const errors = await findOpenBusiness(context, partyId)
  if (party['status'] !== 'closed') {
    const detail = `${partyId} is ${party['status'] as string}. Close the party with closeParty.`
    errors.unshift({ pointer: '/partyId', code: 'PARTY_OPEN', detail, resourceId: partyId })
  }
  if (errors.length === 0) return
  const detail = `The data of ${partyId} cannot be erased: ${errors.map((each) => each.detail).join(' ')}`
  throw new Problem('ERASURE_BLOCKED', { detail, resourceId: partyId, errors })
}

/** Returns a validation error for each open record that needs the data of a party. */
export async function findOpenBusiness(
  context: Context,
  partyId: string,
): Promise<ValidationError[]> {
  const customers = await findFacts(context, 'customer', 'partyId', partyId, anyOpen)
  const customerIds = customers.map(({ subject }) => subject.slice('customer/'.length))
  const found = await Promise.all(
    Object.entries(businessEntities).flatMap(([entity, business]) => {
      const { reference = 'partyId' } = business
      const ids = reference === 'partyId' ? [partyId] : customerIds
      return ids.map((id) => openOf(context, entity, business, reference, id))
    }),
  )
  return found.flat()
}

const anyOpen = ['open', 'ending'] as const

async function openOf(
  context: Context,
  entity: string,
  { code, endStates = [] }: Business,
  reference: 'partyId' | 'customerId',
  id: string,
): Promise<ValidationError[]> {
  const facts = await findFacts(context, entity, reference, id, anyOpen)
  return facts.flatMap(({ subject, data }) => {
    const state = (data['state'] ?? data['status']) as string
    if (endStates.includes(state)) return []
    const resourceId = subject.slice(entity.length + 1)
    return [{ pointer: '/partyId', code, detail: `${resourceId} is ${state}.`, resourceId }]
  })
}
