import { requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DecisionRequest } from '../../../kernel/graph/transitions.ts'
import { readReferencedFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { newHolder } from '../domain/entitlement.ts'
import { requireActive } from '../domain/party.ts'
import { Problem } from '../domain/problems.ts'
import type { AddAccountHolderInput, Entitlement } from '../model/entitlement.ts'
import {
  bumpGranteeVersion,
  entitlementKind,
  findActive,
  findHolders,
} from '../store/entitlement.ts'
import { partyTable } from '../store/party.ts'
import { changeOfHolders, entitlementsFact } from './published-rights.ts'

/**
 * Adds a joint holder to an account. Throws NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND,
 * STATE_CONFLICT if the account is not open, PARTY_NOT_FOUND, PARTY_NOT_ACTIVE, VALIDATION_FAILED
 * for the customer of the account, ACCOUNT_HOLDER for a party that already is a holder,
 * LIMIT_EXCEEDED and RESOURCE_EXISTS.
 */
export async function addAccountHolder(
  context: Context,
  input: AddAccountHolderInput,
): Promise<Entitlement> {
  requireBank(context)
  const { entitlementId, arrangementId, partyId: granteePartyId } = input
  const name = 'addAccountHolder'
  return createRecord(context, entitlementKind, name, input, entitlementId, async (stamp) => {
    const account = await readOpenAccount(context, arrangementId)
    const { partyId: grantorPartyId, currency } = account
    const grantee = await partyTable.find(context, granteePartyId)
    if (!grantee) throw missingReference('PARTY_NOT_FOUND', granteePartyId, '/partyId')
    requireActive(grantee)
    const resource = `arrangement/${arrangementId}`
    const holders = await findHolders(context, [resource])
    if (holders.some((each) => each.granteePartyId === granteePartyId)) {
      throw new Problem('ACCOUNT_HOLDER', { resourceId: granteePartyId })
    }
    const today = dateOf(stamp.now)
    const identity = { entitlementId: stamp.id, ...versioned(stamp) }
    const request = { grantorPartyId, granteePartyId, resource }
    const record = newHolder(request, currency, today, identity)
    const before = await findActive(context, granteePartyId)
    const change = await changeOfHolders(context, record, (others) => [...others, record])
    const facts = [...change.facts, entitlementsFact(granteePartyId, [...before, record], today)]
    return { record, writes: [bumpGranteeVersion(grantee), ...change.writes], facts }
  })
}

interface AccountFact {
  partyId: string
  currency: string
  lifecycle?: string
}

async function readOpenAccount(context: Context, arrangementId: string): Promise<AccountFact> {
  const [fact] = await readReferencedFacts(context, [`arrangement/${arrangementId}`])
  const account = fact as AccountFact | null
  if (!account) throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/arrangementId')
  if ((account.lifecycle ?? 'open') === 'open') return account
  const detail = `${arrangementId} is closed or about to be closed.`
  throw new Problem('STATE_CONFLICT', { resourceId: arrangementId, detail })
}

/** Checks that an entitlement is not that of a joint holder. Throws ACCOUNT_HOLDER. */
export function requireNoHolder(revoked: Entitlement): Entitlement {
  if (!revoked.isHolder) return revoked
  throw new Problem('ACCOUNT_HOLDER', { resourceId: revoked.entitlementId })
}

/** Checks that an entitlement is that of a joint holder. Throws NOT_AN_ACCOUNT_HOLDER. */
export function requireHolder(changed: Entitlement): Entitlement {
  if (changed.isHolder) return changed
  throw new Problem('NOT_AN_ACCOUNT_HOLDER', { resourceId: changed.entitlementId })
}

/**
 * Checks that the removal of a joint holder was proposed, and that another person approves it. Throws
 * NOT_AN_ACCOUNT_HOLDER, STATE_CONFLICT, SEGREGATION_OF_DUTIES.
 */
export async function decideRemoval(
  removed: Entitlement,
  { context, before }: DecisionRequest<Entitlement>,
): Promise<Entitlement> {
  requireHolder(before)
  const { entitlementId: resourceId, removalProposedBy } = before
  if (removalProposedBy === null) {
    const detail = 'The removal of the holder was not proposed.'
    throw new Problem('STATE_CONFLICT', { resourceId, detail })
  }
  const detail = 'The person who proposed the removal of a holder cannot approve it.'
  await requireAnotherPerson(context, [removalProposedBy], { resourceId, detail })
  return removed
}
