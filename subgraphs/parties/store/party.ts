import { tableOf } from '../../../kernel/writing/table.ts'
import type { Party } from '../model/party.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { batchedRead } from '../../../kernel/database/gathered-read.ts'
import { SelectedColumns } from '../../../kernel/database/selected-columns.ts'
import { statementName } from '../../../kernel/database/statement-name.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { openAgreementStatuses } from '../domain/agreement.ts'
import type { PartyEvent } from '../events.ts'
import { partyFact } from '../facts.ts'
import { findPartyIds } from './party-search.ts'
import { dateColumn, ownersOf } from './rows.ts'

type PartyRow = Prisma.PartyGetPayload<object>

/** Turns a row, which is not used otherwise, into a party. A copy of fifty rows would take longer. */
function fromRow(row: PartyRow): Party {
  const party = row as unknown as Party
  if (row.dateOfBirth) party.dateOfBirth = dateColumn(row.dateOfBirth)
  if (row.diedOn) party.diedOn = dateColumn(row.diedOn)
  return party
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

const name = ['givenName', 'familyName', 'organizationName'] as const

const columns = new SelectedColumns<PartyRow>(
  [
    'partyId',
    'kind',
    'status',
    ...name,
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
  ],
  ['partyId'],
  { __typename: [], displayName: name, customers: ['partyId'], agreements: ['partyId'] },
)

/** A read of parties without a permission check, with the columns of a select list. */
const partyRead = (list: string) =>
  batchedRead<string, Party | null>(
    (partyId) => partyId,
    async ({ reads }, partyIds) => {
      const sql = `select ${list} from parties.party where party_id = any($1)`
      const { rows } = await reads.query<PartyRow>({
        name: statementName(sql),
        text: sql,
        values: [partyIds],
      })
      return inOrder(partyIds, rows.map(fromRow), partyTable.idOf)
    },
  )

/**
 * Reads a party without a permission check, batched with concurrent reads; null if the party does
 * not exist.
 */
export const readParty = partyRead(columns.listFor())

const partyReads = new Map([[columns.listFor(), readParty]])

/** Reads parties with at least the given fields. */
function readParties(bank: Bank, partyIds: readonly string[], fields?: ReadonlySet<string>) {
  const list = columns.listFor(fields)
  let read = partyReads.get(list)
  if (!read) partyReads.set(list, (read = partyRead(list)))
  return read.many(bank, partyIds)
}

/** Loads parties by ID. Those that do not exist or are not visible to the caller are null. */
export const loadParty = loader<string, Party>(async (context, partyIds, fields) => {
  const visibleIds = partyIds.filter((partyId) => maySee(context.caller, [partyId]))
  const found = await readParties(context.bank, visibleIds, fields)
  const existing = found.filter((party) => party !== null)
  return inOrder(partyIds, await context.keepVisible('party', existing), partyTable.idOf)
})

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
