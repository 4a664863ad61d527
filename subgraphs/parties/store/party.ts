import { tableOf } from '../../../kernel/writing/table.ts'
import type { Party } from '../model/party.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { batchedRead } from '../../../kernel/database/gathered-read.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { openAgreementStatuses } from '../domain/agreement.ts'
import type { PartyEvent } from '../events.ts'
import { partyFact } from '../facts.ts'
import { findPartyIds } from './party-search.ts'
import { dateColumn, ownersOf } from './rows.ts'

type PartyRow = Prisma.PartyGetPayload<object>

function fromRow(row: PartyRow): Party {
  return {
    ...row,
    kind: row.kind as Party['kind'],
    status: row.status as Party['status'],
    dateOfBirth: dateColumn(row.dateOfBirth),
    diedOn: dateColumn(row.diedOn),
    contactPoints: row.contactPoints as unknown as Party['contactPoints'],
    marketingOptOutChannels: row.marketingOptOutChannels as Party['marketingOptOutChannels'],
    suppressedChannels: row.suppressedChannels as Party['suppressedChannels'],
    quietHours: row.quietHours as Party['quietHours'],
  }
}

export const partyTable = tableOf<Party, PartyRow>(
  'parties.party',
  'partyId',
  ({ db }) => db.party,
  fromRow,
)

export const partyKind: RecordKind<Party, PartyEvent> = {
  ...partyTable,
  entity: 'party',
  id: 'party',
  notFound: 'PARTY_NOT_FOUND',
  created: 'parties.party.created',
  ownersOf,
  snapshot: partyFact,
  isPublished: true,
}

/**
 * Returns a write that increments the version of an active party, so that a concurrent command
 * that closes the party is decided again. If the party is no longer active, the write changes no
 * row and the commit fails.
 */
export function bumpPartyVersion(partyId: string): Write {
  return {
    sql:
      'update parties.party t set version = t.version + 1 from claim ' +
      "where t.party_id = $1 and t.status = 'active' returning 1",
    values: [partyId],
    rows: 1,
  }
}

const entitySql = `
  select ${columnsAs<PartyRow>(
    'partyId',
    'kind',
    'status',
    'givenName',
    'familyName',
    'organizationName',
    'dateOfBirth',
    'diedOn',
    'deathRecordedAt',
    'language',
    'timeZone',
    'contactPoints',
    'marketingOptOut',
    'marketingOptOutChannels',
    'suppressedChannels',
    'quietHours',
    'restrictedAt',
    'restrictionReason',
    'contentHash',
    'version',
    'createdAt',
    'updatedAt',
  )}
  from parties.party where party_id = any($1)`

/**
 * Reads a party without a permission check, batched with concurrent reads; null if the party does
 * not exist.
 */
export const readParty = batchedRead<string, Party | null>(
  (partyId) => partyId,
  async (bank, partyIds) => {
    const rows = await readRows<PartyRow>(bank, entitySql, [partyIds])
    return inOrder(partyIds, rows.map(fromRow), partyTable.idOf)
  },
)

/** Loads parties by ID. Those that do not exist or are not visible to the caller are null. */
export const loadParty = loader<string, Party>((context, partyIds) =>
  Promise.all(
    partyIds.map((partyId) =>
      maySee(context.caller, [partyId]) ? readVisible(context, partyId) : Promise.resolve(null),
    ),
  ),
)

async function readVisible(context: Context, partyId: string): Promise<Party | null> {
  const party = await readParty(context.bank, partyId)
  const [visible] = party ? await context.keepVisible('party', [party]) : []
  return visible ?? null
}

/** Returns the parties that the caller may see and that match the search, oldest first. */
export async function listParties(
  context: Context,
  search: string | null,
  after: string[] | null,
  take: number,
): Promise<Party[]> {
  if (search !== null) {
    const ids = await findPartyIds(context, search, after, take)
    const found = await Promise.all(ids.map((id) => loadParty(context, id)))
    return found.filter((party) => party !== null)
  }
  const { partyId } = context.caller
  return partyTable.list(context, { partyId }, after, take)
}

/**
 * Returns a validation error for each open customer and agreement of a party, up to ten of each.
 */
export async function openRecordsOf(context: Context, partyId: string): Promise<ValidationError[]> {
  const [customers, agreements] = await Promise.all([
    context.db.customer.findMany({
      where: { partyId, status: { not: 'closed' } },
      select: { customerId: true },
      take: 10,
    }),
    context.db.agreement.findMany({
      where: { partyId, status: { in: openAgreementStatuses } },
      select: { agreementId: true },
      take: 10,
    }),
  ])
  return [
    ...customers.map(({ customerId }) => openRecordError('CUSTOMER_OPEN', customerId)),
    ...agreements.map(({ agreementId }) => openRecordError('AGREEMENT_OPEN', agreementId)),
  ]
}

function openRecordError(code: string, resourceId: string): ValidationError {
  return { pointer: '/partyId', code, detail: `${resourceId} is open.`, resourceId }
}
