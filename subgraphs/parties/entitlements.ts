import { maySee } from '../_kernel/auth.ts'
import type { PublishedFact } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { holdsOn, type EntitlementRight } from '../_kernel/domain/entitlement.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { readFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, versioned, type Decided } from '../_kernel/records.ts'
import * as domain from './domain/entitlement.ts'
import { requireActive } from './domain/party.ts'
import { agreementKind } from './store/agreement.ts'
import { entitlementKind, findActive, findGrants, holdGrantee } from './store/entitlement.ts'
import { findParty, readParty } from './store/party.ts'

export interface GrantAsked extends domain.EntitlementAsked {
  entitlementId?: string | null
}

/**
 * The maximum number of entitlements of a grantee. All of them are read with each of its requests.
 */
const mostGrants = 200

/**
 * Grants a party a right to an account or an agreement of another party. Repeating the same id and
 * content returns the existing entitlement.
 * Rejects with RESOURCE_EXISTS, PARTY_NOT_FOUND, PARTY_NOT_ACTIVE, ARRANGEMENT_NOT_FOUND,
 * AGREEMENT_NOT_FOUND (also one that is not the grantor's), LIMIT_EXCEEDED, and as
 * `newEntitlement`.
 */
export function grantEntitlement(
  context: Context,
  { entitlementId, ...asked }: GrantAsked,
): Promise<domain.Entitlement> {
  const input = { entitlementId, ...asked }
  return createRecord(
    context,
    entitlementKind,
    'grantEntitlement',
    input,
    entitlementId,
    async (made) => {
      const { grantorPartyId, granteePartyId } = asked
      if (!maySee(context.caller, [grantorPartyId])) throw noParty(grantorPartyId, 'grantor')
      // After the death of the grantor, only the bank can grant rights, for instance to the
      // executor.
      if (context.caller.partyId !== null) {
        await requireAlive(context, grantorPartyId, '/grantorPartyId')
      }
      const { entity, id } = domain.resourceOf(asked.resource)
      const { owner, currency } = await ownerOf(context, { entity, id })
      if (owner !== grantorPartyId) {
        const code = entity === 'agreement' ? 'AGREEMENT_NOT_FOUND' : 'ARRANGEMENT_NOT_FOUND'
        throw missingReference(code, id, '/resource')
      }
      const grantee = await findParty(context, granteePartyId)
      if (!grantee) throw noParty(granteePartyId, 'grantee')
      requireActive(grantee)
      const today = dateOf(made.now)
      const head = { entitlementId: made.id, ...versioned(made) }
      const record = domain.newEntitlement(asked, currency, today, head)
      const before = await findActive(context, granteePartyId)
      const facts = [factOf(granteePartyId, [...before, record], today)]
      return { record, writes: [holdGrantee(grantee)], facts }
    },
  )
}

function noParty(partyId: string, role: 'grantor' | 'grantee'): Problem {
  return missingReference('PARTY_NOT_FOUND', partyId, `/${role}PartyId`)
}

/**
 * Revokes an entitlement. The grantee may revoke it too.
 * Rejects with ENTITLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function revokeEntitlement(
  context: Context,
  entitlementId: string,
): Promise<domain.Entitlement> {
  return changeRecord(
    context,
    entitlementKind,
    'revokeEntitlement',
    { entitlementId },
    entitlementId,
    'entitlements.entitlement.revoked',
    async (before, now): Promise<Decided<domain.Entitlement>> => {
      const record = domain.revokeEntitlement(before)
      const { granteePartyId } = before
      const grantee = (await findParty(context, granteePartyId))!
      const others = (await findActive(context, granteePartyId)).filter(
        (each) => each.entitlementId !== entitlementId,
      )
      const facts = [factOf(granteePartyId, others, dateOf(now))]
      return { record, writes: [holdGrantee(grantee)], facts }
    },
  )
}

/**
 * The fact with all entitlements of a grantee, on which other areas decide. Rejects with
 * LIMIT_EXCEEDED.
 */
function factOf(
  granteePartyId: string,
  entitlements: readonly domain.Entitlement[],
  today: LocalDate,
): PublishedFact {
  const grants = entitlements.filter((each) => holdsOn(each, today)).map(domain.grantOf)
  if (grants.length > mostGrants) {
    throw new Problem('LIMIT_EXCEEDED', {
      detail: `A party can receive at most ${mostGrants} entitlements.`,
    })
  }
  return { subject: `entitlements-of/${granteePartyId}`, data: { grants } }
}

/** The owner of a record and, for an account, its currency; null when the record does not exist. */
async function ownerOf(context: Context, { entity, id }: domain.Resource) {
  if (entity === 'agreement') {
    const agreement = await agreementKind.find(context, id)
    return { owner: agreement?.partyId ?? null, currency: null }
  }
  const [account] = await readFacts(context, [`arrangement/${id}`])
  const { partyId = null, currency = null } = (account ?? {}) as Record<string, string | undefined>
  return { owner: partyId, currency }
}

/** An authorization decision and the rules that were evaluated for it. */
export interface Explanation {
  allowed: boolean
  because: domain.Reason[]
}

/**
 * Explains whether a party has a right to a record. A delegated user can query only their own party
 * and their own records. Rejects with PARTY_NOT_FOUND, VALIDATION_FAILED.
 */
export async function explainEntitlement(
  context: Context,
  partyId: string,
  resource: string,
  right: EntitlementRight,
): Promise<Explanation> {
  const named = domain.resourceOf(resource)
  // The owner of the record may learn that the grantee exists, so the party is read unchecked.
  const [party, { owner }] = await Promise.all([
    readParty(context.bank, partyId),
    ownerOf(context, named),
  ])
  if (!party || !maySee(context.caller, [partyId, owner])) {
    throw new Problem('PARTY_NOT_FOUND', { resourceId: partyId })
  }
  const entitlements = await findGrants(context, partyId, resource)
  const today = dateOf(context.now())
  const because = domain.explain(partyId, owner, resource, right, entitlements, today)
  return { allowed: because.some(({ allows }) => allows), because }
}
