import { columnsOf } from '../../../kernel/writing/table.ts'
import { Customer } from '../model/customer.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { insert, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { ownersOf, type Kind } from '../commands/party.ts'
import type { CustomerEvent } from '../events.ts'
import { eventDataOf } from '../../../kernel/events/record-data.ts'
import { dateColumn, updateChanged } from './rows.ts'

const table = 'parties.customer'

type CustomerRow = Prisma.CustomerGetPayload<object>

function fromRow(row: CustomerRow): Customer {
  return {
    ...row,
    status: row.status as Customer['status'],
    kycState: row.kycState as Customer['kycState'],
    kycExpiresOn: dateColumn(row.kycExpiresOn),
  }
}

export const customerKind: Kind<Customer, CustomerEvent> = {
  entity: 'customer',
  notFound: 'CUSTOMER_NOT_FOUND',
  created: 'parties.customer.created',
  idOf: ({ customerId }) => customerId,
  async find(context, customerId) {
    const row = await context.db.customer.findUnique({ where: { customerId } })
    return row && fromRow(row)
  },
  insert: (customer) => insert(table, columnsOf(customer)),
  update: (before, after) =>
    updateChanged(table, 'customer_id', columnsOf(before), columnsOf(after), before.version),
  snapshot: (customer) => eventDataOf(Customer, customer),
  isPublished: true,
}

/** Loads customers by ID. Those that do not exist or are not visible to the caller are null. */
export const loadCustomer = loader<string, Customer>(async (context, customerIds) => {
  const rows = await context.db.customer.findMany({
    where: { customerId: { in: [...customerIds] } },
  })
  const visibleCustomers = rows
    .map(fromRow)
    .filter((customer) => maySee(context.caller, ownersOf(customer)))
  return inOrder(customerIds, visibleCustomers, customerKind.idOf)
})

/**
 * Loads the customer relationships of parties, oldest first; empty for a party that is not visible
 * to the caller.
 */
export const loadCustomersOf = loader<string, Customer[]>(async (context, partyIds) => {
  const visiblePartyIds = partyIds.filter((partyId) => maySee(context.caller, [partyId]))
  const rows = await context.db.customer.findMany({
    where: { partyId: { in: visiblePartyIds } },
    orderBy: [{ createdAt: 'asc' }, { customerId: 'asc' }],
  })
  const customers = rows.map(fromRow)
  return partyIds.map((id) => customers.filter(({ partyId }) => partyId === id))
})

/** Returns customers whose passed identity check had its last day before `today`. */
export async function findLapsedKyc(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Customer[]> {
  const rows = await context.db.customer.findMany({
    where: { kycState: 'passed', kycExpiresOn: { lt: new Date(today) }, status: { not: 'closed' } },
    orderBy: { kycExpiresOn: 'asc' },
    take,
  })
  return rows.map(fromRow)
}

/**
 * Returns the write that saves expired identity checks. `version` of each customer is the version
 * on which the decision was based.
 */
export function writeExpiredKyc(customers: readonly Customer[], updatedAt: Date): Write {
  return updateMany(
    table,
    'customer_id',
    customers.map(({ customerId, version, kycState }) => ({
      customer_id: customerId,
      version,
      kyc_state: kycState,
      updated_at: updatedAt,
    })),
  )
}
