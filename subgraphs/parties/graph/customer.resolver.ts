import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import {
  changeOf,
  transitionsOf,
  type Change,
  type Decide,
} from '../../../kernel/graph/transitions.ts'
import { createRecord } from '../../../kernel/writing/records.ts'
import { requireActiveParty } from '../commands/active-party.ts'
import {
  newCustomer,
  requireExpiryAfter,
  requireNotClosed,
  requireValidKyc,
} from '../domain/customer.ts'
import { requireSettled } from '../domain/settled.ts'
import type { CustomerEvent } from '../events.ts'
import { CreateCustomerInput, Customer, customerStates, kycStates } from '../model/customer.ts'
import { Party } from '../model/party.ts'
import { customerKind, loadCustomer } from '../store/customer.ts'
import { findOpenAccountsAndFacilities } from '../store/open-business.ts'
import { loadParty } from '../store/party.ts'
import { ownersOf } from '../store/rows.ts'

const change = changeOf(customerKind)

/** Changes the identity check of a customer. It cannot change after the customer was closed. */
const changeKyc: Change<Customer, CustomerEvent> = (
  context,
  operationName,
  input,
  customerId,
  event,
  decide,
) =>
  change(context, operationName, input, customerId, event, (before, now) => {
    requireNotClosed(before)
    return decide(before, now)
  })

/** A customer becomes active only with a valid identity check. */
const activate: Decide<Customer> = (activated, { now }) => {
  requireValidKyc(activated, dateOf(now))
  return activated
}

export const CustomerOperations = resolverOf({
  queries: {
    customer: lookup(Customer, {
      description: 'Returns one customer.',
      scope: 'parties:read',
      find: async (context, customerId) => {
        const customer = await loadCustomer(context, customerId)
        return requireVisible(context, customer, ownersOf, 'CUSTOMER_NOT_FOUND', customerId)
      },
    }),
  },
  mutations: {
    createCustomer: operation({
      description: 'Creates a customer in the state `PROSPECT` for an active party.',
      scope: 'parties:write',
      isForBankOnly: true,
      returns: Customer,
      args: { input: object(CreateCustomerInput, 'The customer to create.') },
      resolve: (context, { input }, name) =>
        createRecord(context, customerKind, name, input, input.customerId, async (stamp) => ({
          writes: [await requireActiveParty(context, input.partyId)],
          record: newCustomer(input, { ...stamp, customerId: stamp.id }),
        })),
    }),
    ...transitionsOf(kycStates, changeKyc, {
      passKyc(passed, { now, args }) {
        requireExpiryAfter(dateOf(now), args['kycExpiresOn'])
        return passed
      },
    }),
    ...transitionsOf(customerStates, change, {
      activateCustomer: activate,
      reactivateCustomer: activate,
      async closeCustomer(closed, { context }) {
        const { customerId } = closed
        const errors = await findOpenAccountsAndFacilities(context, 'customer', customerId)
        requireSettled(customerId, errors)
        return closed
      },
    }),
  },
})

@Resolver(() => Customer)
export class CustomerResolver {
  @Requires('parties:read')
  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party that is the customer; null if the party is not visible to the caller.',
  })
  party(@Root() { partyId }: Customer, @Ctx() context: Context) {
    return loadParty(context, partyId)
  }
}
