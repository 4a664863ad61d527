import { tableOf } from '../../../kernel/writing/table.ts'
import type { Customer } from '../model/customer.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { customerEvents, type CustomerEvent } from '../events.ts'
import { dateColumn, ownersOf } from './rows.ts'

type CustomerRow = Prisma.CustomerGetPayload<object>

function fromRow(row: CustomerRow): Customer {
  return {
    ...row,
    status: row.status as Customer['status'],
    kycState: row.kycState as Customer['kycState'],
    kycExpiresOn: dateColumn(row.kycExpiresOn),
  }
}

export const customerTable = tableOf<Customer, CustomerRow>(
  'parties.customer',
  'customerId',
  ({ db }) => db.customer,
  fromRow,
)

export const customerKind: RecordKind<Customer, CustomerEvent> = {
  ...customerTable,
  ...customerEvents,
  id: 'customer',
  notFound: 'CUSTOMER_NOT_FOUND',
  created: 'parties.customer.created',
  ownersOf,
  isPublished: true,
}

/** Loads customers by ID. Those that do not exist or are not visible to the caller are null. */
export const loadCustomer = loader<string, Customer>(async (context, customerIds) => {
  const customers = await customerTable.loadMany(context, customerIds)
  return customers.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/**
 * Loads the customer relationships of parties, oldest first; empty for a party that is not visible
 * to the caller.
 */
export const loadCustomersOf = loader<string, Customer[]>(async (context, partyIds) => {
  const visiblePartyIds = partyIds.filter((partyId) => maySee(context.caller, [partyId]))
  const customers = await customerTable.findMany(context, {
    where: { partyId: { in: visiblePartyIds } },
    orderBy: [{ createdAt: 'asc' }, { customerId: 'asc' }],
  })
  return partyIds.map((id) => customers.filter(({ partyId }) => partyId === id))
})

/** Returns customers whose passed identity check had its last day before `today`. */
export function findLapsedKyc(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<Customer[]> {
  return customerTable.findMany(context, {
    where: { kycState: 'passed', kycExpiresOn: { lt: new Date(today) }, status: { not: 'closed' } },
    orderBy: { kycExpiresOn: 'asc' },
    take,
  })
}

/**
 * Returns the write that saves expired identity checks. `version` of each customer is the version
 * on which the decision was based.
 */
export function writeExpiredKyc(customers: readonly Customer[], updatedAt: Date): Write {
  return updateMany(
    'parties.customer',
    'customer_id',
    customers.map(({ customerId, version, kycState }) => ({
      customer_id: customerId,
      version,
      kyc_state: kycState,
      updated_at: updatedAt,
    })),
  )
}
