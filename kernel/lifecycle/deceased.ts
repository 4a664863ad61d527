import type { Context } from '../environment/context.ts'
import { dateOf } from '../domain/dates.ts'
import { validGrants } from '../domain/entitlement.ts'
import { Problem } from '../domain/problem.ts'
import { grantsOf } from '../authorization/entitlements.ts'
import { readFacts, readReferencedFacts } from '../writing/facts.ts'

/**
 * Returns the time at which the death of a party was recorded; null if no death is recorded. If the
 * time is unknown, it returns the epoch.
 */
export async function readDeathRecordedAt(
  context: Context,
  partyId: string,
  read = readFacts,
): Promise<Date | null> {
  const [fact] = await read(context, [`party/${partyId}`])
  if (fact?.['status'] !== 'deceased') return null
  return new Date((fact['deathRecordedAt'] as string | null) ?? 0)
}

/** Checks that a party may enter into new business. Throws PARTY_DECEASED. */
export async function requireAlive(
  context: Context,
  partyId: string,
  pointer: string,
): Promise<void> {
  if (await readDeathRecordedAt(context, partyId)) throw deceased(partyId, pointer)
}

/**
 * Checks that a party is alive, if it is the caller that creates an order for later or grants a right.
 * Later than the death, both would count as of the estate. So a death that is recorded at the same
 * time is decided again, and gets a later time. Throws PARTY_DECEASED.
 */
export async function requireCallerAlive(
  context: Context,
  partyId: string,
  pointer: string,
): Promise<void> {
  if (context.caller.partyId !== partyId) return
  const recordedAt = await readDeathRecordedAt(context, partyId, readReferencedFacts)
  if (recordedAt) throw deceased(partyId, pointer)
}

/**
 * Checks that a customer who acts on money of another party is alive. Throws PARTY_DECEASED. Never
 * applies to the bank.
 */
export async function requireAliveForOthers(context: Context, ownerId: string): Promise<void> {
  const { partyId } = context.caller
  if (partyId !== null && partyId !== ownerId) await requireAlive(context, partyId, '')
}

/**
 * Checks that the death of the owner, if any, does not prevent the caller from moving money out of
 * an account. After a death was recorded, only three kinds of callers may do so: the bank, the joint
 * holders of the account, and parties that were granted an entitlement after the death was recorded,
 * such as the executor of the estate. Throws PARTY_DECEASED.
 */
export async function requireEstateRight(
  context: Context,
  { partyId, arrangementId }: { partyId: string; arrangementId: string },
  pointer: string,
): Promise<void> {
  const recordedAt = await readDeathRecordedAt(context, partyId)
  if (!recordedAt || context.caller.partyId === null) return
  const grants = await grantsOf(context, 'transfer')
  const isEntitledAfterDeath = validGrants(grants, 'transfer', dateOf(context.now())).some(
    ({ resource, grantedAt, isHolder }) =>
      resource === `arrangement/${arrangementId}` &&
      (isHolder === true || (grantedAt && new Date(grantedAt) >= recordedAt)),
  )
  if (!isEntitledAfterDeath) throw deceased(partyId, pointer)
}

/** An order that is executed later, such as a standing order. */
interface StandingInstruction {
  partyId: string
  creditorPartyId: string | null
  createdAt: Date
}

/**
 * Whether the death of the payer blocks an order. Orders between the payer's own accounts continue,
 * so that loan repayments are funded. Orders that were created after the death was recorded
 * continue, too: they come from the estate or the bank.
 */
export async function isBlockedByDeath(
  context: Context,
  { partyId, creditorPartyId, createdAt }: StandingInstruction,
): Promise<boolean> {
  if (creditorPartyId === partyId) return false
  const recordedAt = await readDeathRecordedAt(context, partyId)
  return recordedAt !== null && createdAt < recordedAt
}

function deceased(partyId: string, pointer: string): Problem {
  const code = 'PARTY_DECEASED'
  const detail = `The party ${partyId} is deceased; only the bank, a joint holder or the executor of the estate can act for it.`
  return new Problem(code, {
    detail,
    resourceId: partyId,
    errors: [{ pointer, code, detail, resourceId: partyId }],
  })
}
