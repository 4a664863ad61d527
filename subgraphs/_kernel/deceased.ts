import type { Context } from './context.ts'
import { dateOf } from './domain/dates.ts'
import { giving } from './domain/entitlement.ts'
import { Problem } from './domain/problem.ts'
import { grantsOf } from './entitlements.ts'
import { readFacts } from './facts.ts'

/** When the death of a party became known to the bank; null for the living and for organizations. */
export async function deathOf(context: Context, partyId: string): Promise<Date | null> {
  const [fact] = await readFacts(context, [`party/${partyId}`])
  if (fact?.['status'] !== 'deceased') return null
  return new Date((fact['deathRecordedAt'] as string | null) ?? 0)
}

/** Checks that new business is possible with a party. Rejects with PARTY_DECEASED. */
export async function requireAlive(
  context: Context,
  partyId: string,
  pointer: string,
): Promise<void> {
  if (await deathOf(context, partyId)) throw deceased(partyId, pointer)
}

/**
 * Checks that the caller may move money out of an account whose owner may have died. Then only the
 * bank may, and who was authorized after the death became known: the executor of the estate.
 * Rejects with PARTY_DECEASED.
 */
export async function requireEstateRight(
  context: Context,
  { partyId, arrangementId }: { partyId: string; arrangementId: string },
  pointer: string,
): Promise<void> {
  const recordedAt = await deathOf(context, partyId)
  if (!recordedAt || context.caller.partyId === null) return
  const grants = await grantsOf(context, 'transfer')
  const ofEstate = giving(grants, 'transfer', dateOf(context.now())).some(
    ({ resource, grantedAt }) =>
      resource === `arrangement/${arrangementId}` && grantedAt && new Date(grantedAt) >= recordedAt,
  )
  if (!ofEstate) throw deceased(partyId, pointer)
}

/** An order that a later execution follows from. */
interface StandingInstruction {
  partyId: string
  creditorPartyId: string | null
  createdAt: Date
}

/**
 * Whether the death of the payer holds back an order given earlier. Orders between the payer's own
 * accounts go on, so that money for loan repayments arrives; those of the estate and of the bank go on as well.
 */
export async function isHeldByDeath(
  context: Context,
  { partyId, creditorPartyId, createdAt }: StandingInstruction,
): Promise<boolean> {
  if (creditorPartyId === partyId) return false
  const recordedAt = await deathOf(context, partyId)
  return recordedAt !== null && createdAt < recordedAt
}

function deceased(partyId: string, pointer: string): Problem {
  const code = 'PARTY_DECEASED'
  const detail = `${partyId} has died; the bank or the executor of the estate acts now.`
  return new Problem(code, {
    detail,
    resourceId: partyId,
    errors: [{ pointer, code, detail, resourceId: partyId }],
  })
}
