import type { Arrangement } from '../model/arrangement.ts'
import type { ArrangementState } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import type { ParameterValue } from '../domain/parameters.ts'

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
 * Returns the writes that insert an account and increment the customer's count of open accounts of
 * the product. The commit fails if the count has reached `accountLimit`; null means no limit. If
 * two requests compete for the last account that the limit allows, one of them is decided again and
 * rejected.
 */
export function insertArrangement(arrangement: Arrangement, accountLimit: number | null): Write[] {
  const { customerId, productId } = arrangement
  const row = insert(table, columnsOf(arrangement))
  const incrementCount = {
    sql:
      'insert into accounts.product_holding as h (customer_id, product_id, open) ' +
      'select $1::text, $2::text, 1 from claim on conflict (customer_id, product_id) ' +
      'do update set open = h.open + 1 where $3::int is null or h.open < $3 returning 1',
    values: [customerId, productId, accountLimit],
    rows: 1,
  }
  return [row, incrementCount]
}

/**
 * Returns the writes that update the mutable columns of an account. If the new state is final
 * (`hasEnded`), the account no longer counts toward the customer's limit.
 */
export function updateArrangement(after: Arrangement, version: number, hasEnded: boolean): Write[] {
  const { arrangementId, customerId, productId, state, stateReason, blockedFor } = after
  const { overdraftLimitMinor } = after
  const changes = {
    state,
    state_reason: stateReason,
    blocked_for: blockedFor,
    overdraft_limit_minor: overdraftLimitMinor,
    closed_at: after.closedAt,
    updated_at: after.updatedAt,
  }
  const row = update(table, { arrangement_id: arrangementId }, version, changes)
  if (!hasEnded) return [row]
  const decrementCount = {
    sql:
      'update accounts.product_holding h set open = h.open - 1 from claim ' +
      'where h.customer_id = $1 and h.product_id = $2 returning 1',
    values: [customerId, productId],
    rows: 1,
  }
  return [row, decrementCount]
}

/** Returns the number of open accounts of a customer under a product. */
export async function countOpen(
  context: Context,
  customerId: string,
  productId: string,
): Promise<number> {
  const key = { customerId_productId: { customerId, productId } }
  return (await context.db.productHolding.findUnique({ where: key }))?.open ?? 0
}

/**
 * Returns an account for a command; null if it does not exist. Permissions are not checked here, so
 * the command must check them.
 */
export async function findArrangement(context: Context, id: string): Promise<Arrangement | null> {
  const row = await context.db.accountArrangement.findUnique({ where: { arrangementId: id } })
  return row && fromRow(row)
}

/**
 * Loads accounts by ID. The result is null for an account that does not exist or that the caller
 * may not see. Customers see their own accounts and those for which they have an entitlement.
 */
export const loadArrangement = loader<string, Arrangement>(async (context, ids) => {
  const rows = await context.db.accountArrangement.findMany({
    where: { arrangementId: { in: [...ids] } },
  })
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  const visibleRows = rows.filter(
    ({ partyId, arrangementId }) =>
      maySee(context.caller, [partyId]) || grantedIds.has(arrangementId),
  )
  return inOrder(ids, visibleRows.map(fromRow), ({ arrangementId }) => arrangementId)
})

/**
 * Loads those accounts of a customer that the caller may see, in the order in which they were
 * opened.
 */
export const loadArrangementsOfCustomer = arrangementsBy('customerId')

/**
 * Loads those accounts of a party that the caller may see, in the order in which they were opened.
 */
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

/** Returns the condition for accounts that the caller owns or is entitled to see. */
async function visibleTo(context: Context) {
  const { partyId } = context.caller
  if (partyId === null) return {}
  const grantedIds = await idsGranted(context, 'arrangement')
  return { OR: [{ partyId }, { arrangementId: { in: grantedIds } }] }
}

export interface ArrangementFilter {
  customerId: string | null
  productId: string | null
  state: ArrangementState | null
  /** An IBAN in any letter case, with or without spaces. */
  accountNumber: string | null
}

/**
 * Lists the accounts that match a filter and that the caller may see, in the order in which they
 * were opened.
 */
export async function listArrangements(
  context: Context,
  filter: ArrangementFilter,
  after: string[] | null,
  take: number,
): Promise<Arrangement[]> {
  const rows = await context.db.accountArrangement.findMany({
    where: {
      // Both conditions may contain an `OR`, so they cannot be merged into one object.
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
 * Returns the IBANs of accounts by account ID, without a permission check, because account holders
 * may know the IBANs of their payers and payees.
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
