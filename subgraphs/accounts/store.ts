import type { Prisma } from '../../prisma/client/client.ts'
import { maySee } from '../_kernel/auth.ts'
import { inOrder, loader, type Context } from '../_kernel/context.ts'
import { idsGranted } from '../_kernel/entitlements.ts'
import { afterTimeAndId } from '../_kernel/graph/connection.ts'
import { insert, update, type Write } from '../_kernel/writes.ts'
import type { Arrangement, ArrangementState } from './domain/arrangement.ts'
import type { ParameterValue } from './domain/parameters.ts'

const table = 'accounts.arrangement'

type ArrangementRow = Prisma.AccountArrangementGetPayload<object>

function fromRow(row: ArrangementRow): Arrangement {
  return {
    ...row,
    state: row.state as Arrangement['state'],
    blockedFor: row.blockedFor as Arrangement['blockedFor'],
    parameters: row.parameters as Record<string, ParameterValue>,
  }
}

/**
 * Inserts an arrangement and counts it. When `most` of the product are open the count is not
 * moved: of two that want the last place one is decided again, and refused.
 */
export function insertArrangement(arrangement: Arrangement, most: number | null): Write[] {
  const { customerId, productId } = arrangement
  const row = insert(table, {
    arrangement_id: arrangement.arrangementId,
    customer_id: customerId,
    party_id: arrangement.partyId,
    product_id: productId,
    product_version: arrangement.productVersion,
    state: arrangement.state,
    state_reason: arrangement.stateReason,
    blocked_for: arrangement.blockedFor,
    opened_at: arrangement.openedAt,
    closed_at: arrangement.closedAt,
    currency: arrangement.currency,
    account_number: arrangement.accountNumber,
    nickname: arrangement.nickname,
    overdraft_limit_minor: arrangement.overdraftLimitMinor,
    parameters: arrangement.parameters,
    content_hash: arrangement.contentHash,
    version: arrangement.version,
    created_at: arrangement.createdAt,
    updated_at: arrangement.updatedAt,
  })
  const counted = {
    sql:
      'insert into accounts.product_holding as h (customer_id, product_id, open) ' +
      'select $1::text, $2::text, 1 from claim on conflict (customer_id, product_id) ' +
      'do update set open = h.open + 1 where $3::int is null or h.open < $3 returning 1',
    values: [customerId, productId, most],
    rows: 1,
  }
  return [row, counted]
}

/** Writes what may change of an arrangement; one that has ended no longer counts. */
export function updateArrangement(after: Arrangement, version: number, hasEnded: boolean): Write[] {
  const { arrangementId, customerId, productId, state, stateReason, blockedFor } = after
  const changes = {
    state,
    state_reason: stateReason,
    blocked_for: blockedFor,
    closed_at: after.closedAt,
    updated_at: after.updatedAt,
  }
  const row = update(table, { arrangement_id: arrangementId }, version, changes)
  if (!hasEnded) return [row]
  const uncounted = {
    sql:
      'update accounts.product_holding h set open = h.open - 1 from claim ' +
      'where h.customer_id = $1 and h.product_id = $2 returning 1',
    values: [customerId, productId],
    rows: 1,
  }
  return [row, uncounted]
}

/** How many of a product a customer has that have not ended. */
export async function countOpen(
  context: Context,
  customerId: string,
  productId: string,
): Promise<number> {
  const key = { customerId_productId: { customerId, productId } }
  return (await context.db.productHolding.findUnique({ where: key }))?.open ?? 0
}

/** An arrangement, for a decision; whoever asks sees to it that the caller may know. */
export async function findArrangement(context: Context, id: string): Promise<Arrangement | null> {
  const row = await context.db.accountArrangement.findUnique({ where: { arrangementId: id } })
  return row && fromRow(row)
}

/** Arrangements by id, each only if it is the caller's to see, or they are entitled to. */
export const loadArrangement = loader<string, Arrangement>(async (context, ids) => {
  const rows = await context.db.accountArrangement.findMany({
    where: { arrangementId: { in: [...ids] } },
  })
  const granted = new Set(await idsGranted(context, 'arrangement'))
  const mine = rows.filter(
    ({ partyId, arrangementId }) => maySee(context.caller, [partyId]) || granted.has(arrangementId),
  )
  return inOrder(ids, mine.map(fromRow), ({ arrangementId }) => arrangementId)
})

/** The arrangements of customers, in the order they were opened, as far as the caller may see them. */
export const loadArrangementsOfCustomer = arrangementsBy('customerId')

/** The arrangements of parties, in the order they were opened, as far as the caller may see them. */
export const loadArrangementsOfParty = arrangementsBy('partyId')

function arrangementsBy(owner: 'customerId' | 'partyId') {
  return loader<string, Arrangement[]>(async (context, ids) => {
    const rows = await context.db.accountArrangement.findMany({
      where: { AND: [{ [owner]: { in: [...ids] } }, await visibleTo(context)] },
      orderBy: [{ openedAt: 'asc' }, { arrangementId: 'asc' }],
    })
    const byOwner = new Map<string, Arrangement[]>(ids.map((id) => [id, []]))
    for (const row of rows) byOwner.get(row[owner])!.push(fromRow(row))
    return ids.map((id) => byOwner.get(id)!)
  })
}

/** The condition of what the caller may see: their own, and what they are entitled to. */
async function visibleTo(context: Context) {
  const { partyId } = context.caller
  if (partyId === null) return {}
  const granted = await idsGranted(context, 'arrangement')
  return { OR: [{ partyId }, { arrangementId: { in: granted } }] }
}

export interface ArrangementFilter {
  customerId: string | null
  productId: string | null
  state: ArrangementState | null
  /** An IBAN, as people write it: in any letter case, with or without spaces. */
  accountNumber: string | null
}

/** Arrangements in the order they were opened. What no arrangement can match gives none. */
export async function listArrangements(
  context: Context,
  filter: ArrangementFilter,
  after: string[] | null,
  take: number,
): Promise<Arrangement[]> {
  const rows = await context.db.accountArrangement.findMany({
    where: {
      // The place in the order is a condition of its own, so that it never takes another's `OR`.
      AND: [await visibleTo(context), afterTimeAndId('openedAt', 'arrangementId', after)],
      ...(filter.customerId !== null && { customerId: filter.customerId }),
      ...(filter.productId !== null && { productId: filter.productId }),
      ...(filter.state !== null && { state: filter.state }),
      ...(filter.accountNumber !== null && {
        accountNumber: filter.accountNumber.replaceAll(/\s/g, '').toUpperCase(),
      }),
    },
    orderBy: [{ openedAt: 'asc' }, { arrangementId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

/**
 * The numbers of accounts, whoever owns them: the holder of an account may know whom they paid and
 * who paid them.
 */
export async function readAccountNumbers(
  { bank }: Context,
  arrangementIds: readonly string[],
): Promise<Map<string, string>> {
  if (arrangementIds.length === 0) return new Map()
  const rows = await bank.db.accountArrangement.findMany({
    where: { arrangementId: { in: [...arrangementIds] } },
    select: { arrangementId: true, accountNumber: true },
  })
  return new Map(rows.map(({ arrangementId, accountNumber }) => [arrangementId, accountNumber]))
}
