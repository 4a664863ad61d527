import type { Consent } from '../model/consent.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'

export async function findConsent(
  { db }: Context,
  partyId: string,
  assistantType: string,
): Promise<Consent | null> {
  const key = { partyId_assistantType: { partyId, assistantType } }
  return (await db.assistConsent.findUnique({ where: key })) as Consent | null
}

export async function listConsents({ db }: Context, partyId: string): Promise<Consent[]> {
  const rows = await db.assistConsent.findMany({
    where: { partyId },
    orderBy: { assistantType: 'asc' },
  })
  return rows as Consent[]
}

export function writeConsent(before: Consent | null, after: Consent): Write {
  const { consentId, partyId, assistantType, provider, status, evidence } = after
  const { decidedBy: decided_by, decidedAt: decided_at } = after
  const changes = { provider, status, evidence, decided_by, decided_at }
  const complete = { party_id: partyId, assistant_type: assistantType, ...changes, version: 1 }
  return before
    ? update('assist.consent', { consent_id: consentId }, before.version, changes)
    : insert('assist.consent', { consent_id: consentId, ...complete })
}
