import type { Context } from './context.ts'
import type { Fault } from './domain/problem-members.ts'
import { findFacts, type Fact } from './facts.ts'

/** States in which nothing can happen to a record any more. */
const ended: Readonly<Record<string, ReadonlySet<string>>> = {
  arrangement: new Set(['closed', 'rejected', 'cancelled']),
  facility: new Set(['matured', 'paid-off', 'recovered', 'written-off', 'cancelled']),
  'fee-receivable': new Set(['collected', 'waived', 'reversed']),
}

/** The member of a fact with the id of its record. */
const idMembers = {
  arrangement: 'arrangementId',
  facility: 'facilityId',
  'fee-receivable': 'feeReceivableId',
} as const

const faultCodes = {
  arrangement: 'ACCOUNT_OPEN',
  facility: 'FACILITY_OPEN',
  'fee-receivable': 'FEE_RECEIVABLE_OPEN',
} as const
type Entity = keyof typeof faultCodes

/** Every account and facility of a customer that has to be settled before the relation ends, one fault each. */
export async function openBusinessOfCustomer(
  context: Context,
  customerId: string,
): Promise<Fault[]> {
  return [
    ...(await openRecords(context, 'facility', 'customerId', customerId)),
    ...(await openRecords(context, 'arrangement', 'customerId', customerId)),
  ]
}

/** Every account and facility of a party that has to be settled before the relation ends, one fault each. */
export async function openBusinessOfParty(context: Context, partyId: string): Promise<Fault[]> {
  return [
    ...(await openRecords(context, 'facility', 'partyId', partyId)),
    ...(await openRecords(context, 'arrangement', 'partyId', partyId)),
  ]
}

/** Facilities that pay out to an account or collect from it, one fault each. */
export async function facilitiesSettledBy(
  context: Context,
  arrangementId: string,
): Promise<Fault[]> {
  const reference = 'settlementArrangementId'
  const found = await findFacts(context, 'facility', reference, arrangementId)
  // A facility that was charged off collects nothing any more.
  const served = found.filter(({ state }) => state !== 'charged-off')
  return faultsOf('facility', reference, served)
}

async function openRecords(
  context: Context,
  entity: Entity,
  reference: 'customerId' | 'partyId',
  id: string,
): Promise<Fault[]> {
  return faultsOf(entity, reference, await findFacts(context, entity, reference, id))
}

/** Fees that are charged to an account and still owed, one fault each. */
export async function feesOwedBy(context: Context, arrangementId: string): Promise<Fault[]> {
  const reference = 'chargedArrangementId'
  const found = await findFacts(context, 'fee-receivable', reference, arrangementId)
  return faultsOf('fee-receivable', reference, found)
}

function faultsOf(entity: Entity, reference: string, facts: readonly Fact[]): Fault[] {
  return facts.flatMap((fact) => {
    const state = (fact['state'] ?? fact['status']) as string
    if (ended[entity]!.has(state)) return []
    const resourceId = fact[idMembers[entity]] as string
    const isOfAccount = reference.endsWith('ArrangementId')
    const pointer = `/${isOfAccount ? 'arrangementId' : reference}`
    const detail = `${resourceId} is ${state}.`
    return [{ pointer, code: faultCodes[entity], detail, resourceId }]
  })
}
