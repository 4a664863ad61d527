import type { Entitlement, EntitlementExplanation } from '../model/entitlement.ts'
import { requireStrongLogIn } from '../../../kernel/authorization/approvals.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { type EntitlementRight } from '../../../kernel/domain/entitlement.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { requireCallerAlive } from '../../../kernel/lifecycle/deceased.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import type { Change } from '../../../kernel/graph/transitions.ts'
import type { EntitlementEvent } from '../events.ts'
import * as domain from '../domain/entitlement.ts'
import { requireActive } from '../domain/party.ts'
import { changeOfHolders, entitlementsFact } from './published-rights.ts'
import { agreementKind } from '../store/agreement.ts'
import {
  entitlementKind,
  findActive,
  findGrants,
  bumpGranteeVersion,
} from '../store/entitlement.ts'
import { partyTable, readParty } from '../store/party.ts'

export interface GrantRequest extends domain.EntitlementRequest {
  entitlementId?: string | null
}

/**
 * Grants a party a right to an account or an agreement of another party. A repeated request with
 * the same ID and content returns the existing entitlement.
 * Throws RESOURCE_EXISTS, PARTY_NOT_FOUND, PARTY_NOT_ACTIVE, PARTY_DECEASED, LIMIT_EXCEEDED,
 * ARRANGEMENT_NOT_FOUND and AGREEMENT_NOT_FOUND (also if the record belongs to another party),
 * INSUFFICIENT_USER_AUTHENTICATION, and whatever `newEntitlement` throws.
 */
export function grantEntitlement(
  context: Context,
  { entitlementId, ...request }: GrantRequest,
): Promise<Entitlement> {
  const input = { entitlementId, ...request }
  return createRecord(
    context,
    entitlementKind,
    'grantEntitlement',
    input,
    entitlementId,
    async (stamp) => {
      const { grantorPartyId, granteePartyId } = request
      if (!maySee(context.caller, [grantorPartyId])) throw partyNotFound(grantorPartyId, 'grantor')
      // After the death of the grantor, only the bank can grant rights, such as to the executor of
      // the estate.
      if (context.caller.partyId !== null) {
        await requireCallerAlive(context, grantorPartyId, '/grantorPartyId')
        // The grantee's payments need no approval of the grantor.
        if (request.right !== 'view') await requireStrongLogIn(context, [grantorPartyId])
      }
      const { entity, id } = domain.resourceOf(request.resource)
      const { owner, currency } = await ownerOf(context, { entity, id })
      if (owner !== grantorPartyId) {
        const code = entity === 'agreement' ? 'AGREEMENT_NOT_FOUND' : 'ARRANGEMENT_NOT_FOUND'
        throw missingReference(code, id, '/resource')
      }
      const grantee = await partyTable.find(context, granteePartyId)
      if (!grantee) throw partyNotFound(granteePartyId, 'grantee')
      requireActive(grantee)
      const today = dateOf(stamp.now)
      const identity = { entitlementId: stamp.id, ...versioned(stamp) }
      const record = domain.newEntitlement(request, currency, today, identity)
      const before = await findActive(context, granteePartyId)
      const facts = [entitlementsFact(granteePartyId, [...before, record], today)]
      return { record, writes: [bumpGranteeVersion(grantee)], facts }
    },
  )
}

function partyNotFound(partyId: string, role: 'grantor' | 'grantee'): Problem {
  return missingReference('PARTY_NOT_FOUND', partyId, `/${role}PartyId`)
}

/**
 * Changes an entitlement, and publishes the entitlements that the grantee then has.
 * Throws ENTITLEMENT_NOT_FOUND, and whatever `decide` throws.
 */
export const changeEntitlement: Change<Entitlement, EntitlementEvent> = (
  context,
  operation,
  input,
  entitlementId,
  event,
  decide,
) =>
  changeRecord(
    context,
    entitlementKind,
    operation,
    input,
    entitlementId,
    event,
    async (before, now) => {
      const record = await decide(before, now)
      const { granteePartyId } = before
      const grantee = (await partyTable.find(context, granteePartyId))!
      const others = (await findActive(context, granteePartyId)).filter(
        (each) => each.entitlementId !== entitlementId,
      )
      const active = record.status === 'active' ? [...others, record] : others
      const facts = [entitlementsFact(granteePartyId, active, dateOf(now))]
      const writes = [bumpGranteeVersion(grantee)]
      if (record.status === 'active' || !record.isHolder) return { record, writes, facts }
      const change = await changeOfHolders(context, record, (holders) =>
        holders.filter((each) => each.entitlementId !== entitlementId),
      )
      return { record, writes: [...writes, ...change.writes], facts: [...facts, ...change.facts] }
    },
  )

/**
 * Returns the owner of a record and, for an account, its currency. Both are null if the record does
 * not exist.
 */
async function ownerOf(context: Context, { entity, id }: domain.Resource) {
  if (entity === 'agreement') {
    const agreement = await agreementKind.find(context, id)
    return { owner: agreement?.partyId ?? null, currency: null }
  }
  const [account] = await readFacts(context, [`arrangement/${id}`])
  const { partyId = null, currency = null } = (account ?? {}) as Record<string, string | undefined>
  return { owner: partyId, currency }
}

/**
 * Explains whether a party has a right to a record. A delegated user may ask only about the user's
 * own party, or about a record that the user's party owns. Throws PARTY_NOT_FOUND,
 * VALIDATION_FAILED.
 */
export async function explainEntitlement(
  context: Context,
  partyId: string,
  resource: string,
  right: EntitlementRight,
): Promise<EntitlementExplanation> {
  const reference = domain.resourceOf(resource)
  // The party is read without a permission check, because the owner of the record may learn that
  // the party exists.
  const [party, { owner }] = await Promise.all([
    readParty(context.bank, partyId),
    ownerOf(context, reference),
  ])
  if (!party || !maySee(context.caller, [partyId, owner])) {
    throw new Problem('PARTY_NOT_FOUND', { resourceId: partyId })
  }
  const entitlements = await findGrants(context, partyId, resource)
  const today = dateOf(context.now())
  const because = domain.explain(partyId, owner, resource, right, entitlements, today)
  return { allowed: because.some(({ allows }) => allows), because }
}
