import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireUnrestricted } from '../../../kernel/lifecycle/restricted.ts'
import { findFacts, readHeldFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { factSubjectOf, namesOf, type DataSubject } from '../domain/data-subject.ts'
import { Problem } from '../domain/problems.ts'
import type { ErasureRequest, ProposeErasureInput } from '../model/erasure.ts'
import { erasureKind, findOpenErasure } from '../store/erasure.ts'
import { readEndedAt } from '../store/relationship-end.ts'
import { missingSubject, requireSubject } from './data-subject.ts'

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
  obligor: { code: 'OBLIGATION_OPEN' },
  'loan-application': {
    code: 'APPLICATION_OPEN',
    endStates: ['booked', 'declined'],
    reference: 'customerId',
  },
  case: { code: 'CASE_OPEN', endStates: ['closed', 'withdrawn'] },
}

/**
 * Proposes the erasure of the data of a party or an employee, which another person must approve.
 * Throws RESOURCE_EXISTS if the ID is in use or the person has an erasure that is not completed,
 * VALIDATION_FAILED unless the request names one person, and whatever `requireErasable` throws.
 */
export function proposeErasure(
  context: Context,
  request: ProposeErasureInput,
): Promise<ErasureRequest> {
  const { erasureRequestId = null, partyId = null, username = null, reason } = request
  const subject = requireSubject({ partyId, username })
  const name = 'proposeErasure'
  return createRecord(context, erasureKind, name, request, erasureRequestId, async (stamp) => {
    await requireErasable(context, subject)
    const open = await findOpenErasure(context, subject)
    if (open) throw new Problem('RESOURCE_EXISTS', { resourceId: open.erasureRequestId })
    const record: ErasureRequest = {
      ...versioned(stamp),
      erasureRequestId: stamp.id,
      ...namesOf(subject),
      cause: 'request',
      reason,
      state: 'proposed',
      endedAt: (await readEndedAt(context, subject)) ?? stamp.now,
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
 * Checks that the data of a person may be erased: the employee has left; or the relationship of the
 * party with the bank has ended, no account, facility, obligation, application or case is open, and
 * the data is not restricted. Throws PARTY_NOT_FOUND, EMPLOYEE_NOT_FOUND, ERASURE_BLOCKED and
 * PROCESSING_RESTRICTED.
 */
export async function requireErasable(context: Context, subject: DataSubject): Promise<void> {
  const [fact] = await readHeldFacts(context, [factSubjectOf(subject)])
  if (!fact) throw missingSubject(subject)
  if (subject.kind === 'party') return requireErasableParty(context, subject.id, fact)
  if ((await readEndedAt(context, subject)) !== null) return
  const resourceId = subject.id
  const detail = `${resourceId} works at the bank. Dismiss the employee with dismissEmployee.`
  const errors = [{ pointer: '/username', code: 'EMPLOYEE_ACTIVE', detail, resourceId }]
  throw new Problem('ERASURE_BLOCKED', { detail, resourceId, errors })
}

async function requireErasableParty(
  context: Context,
  partyId: string,
  party: Readonly<Record<string, unknown>>,
): Promise<void> {
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
