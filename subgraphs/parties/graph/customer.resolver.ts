import { Customer, CreateCustomerInput } from '../model/customer.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { requireVisible, Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { findOpenAccountsAndFacilities } from '../store/open-business.ts'
import { LocalDateScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { change, create, ownersOf } from '../commands/party.ts'
import * as domain from '../domain/customer.ts'
import { requireActive } from '../domain/party.ts'
import type { CustomerEvent } from '../events.ts'
import { customerKind, loadCustomer } from '../store/customer.ts'
import { findParty, holdParty, loadParty } from '../store/party.ts'
import { Party } from '../model/party.ts'

@Resolver(() => Customer)
export class CustomerResolver {
  @Requires('parties:read')
  @Query(() => Customer, { description: 'Returns one customer.' })
  async customer(
    @Arg('customerId', () => ID, { description: 'The ID of the customer.' })
    customerId: string,
    @Ctx() context: Context,
  ) {
    const customer = await loadCustomer(context, customerId)
    return requireVisible(context, customer, ownersOf, 'CUSTOMER_NOT_FOUND', customerId)
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description: 'Creates a customer in the state `PROSPECT` for an active party.',
  })
  createCustomer(
    @Arg('input', () => CreateCustomerInput, { description: 'The customer to create.' })
    input: CreateCustomerInput,
    @Ctx() context: Context,
  ): Promise<Customer> {
    requireBank(context)
    const { customerId, partyId } = input
    return create(context, customerKind, 'createCustomer', input, customerId, async (stamp) => {
      const party = await findParty(context, partyId)
      if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
      requireActive(party)
      const record = domain.newCustomer(input, { ...stamp, customerId: stamp.id })
      return { record, guards: [holdParty(partyId)] }
    })
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description:
      'Starts an identity check of a customer who has never been checked, who failed the last ' +
      'check, or whose last check has expired.',
  })
  startKyc(
    @Arg('customerId', () => ID, { description: 'The ID of the customer to check.' })
    customerId: string,
    @Ctx() context: Context,
  ) {
    const event = 'parties.customer.kyc-started'
    return changeCustomer(context, 'startKyc', { customerId }, event, domain.startKyc)
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description: 'Records that a customer passed the identity check in progress.',
  })
  passKyc(
    @Arg('customerId', () => ID, { description: 'The ID of the customer.' })
    customerId: string,
    @Arg('expiresOn', () => LocalDateScalar, {
      description: 'The last day on which the check is valid. It must be after today.',
    })
    expiresOn: string,
    @Ctx() context: Context,
  ) {
    const input = { customerId, expiresOn }
    return changeCustomer(
      context,
      'passKyc',
      input,
      'parties.customer.kyc-passed',
      (customer, today) => domain.passKyc(customer, expiresOn, today),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description: 'Records that a customer failed the identity check in progress.',
  })
  failKyc(
    @Arg('customerId', () => ID, { description: 'The ID of the customer.' })
    customerId: string,
    @Arg('reason', () => TextScalar, {
      description: 'The reason why the check failed, stored as `kycReason`.',
    })
    reason: string,
    @Ctx() context: Context,
  ) {
    const input = { customerId, reason }
    return changeCustomer(context, 'failKyc', input, 'parties.customer.kyc-failed', (customer) =>
      domain.failKyc(customer, reason),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description:
      'Activates a prospect. Rejected with `KYC_INCOMPLETE` unless the prospect has a valid ' +
      'identity check.',
  })
  activateCustomer(
    @Arg('customerId', () => ID, { description: 'The ID of the prospect.' })
    customerId: string,
    @Ctx() context: Context,
  ) {
    const event = 'parties.customer.activated'
    return changeCustomer(
      context,
      'activateCustomer',
      { customerId },
      event,
      domain.activateCustomer,
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description: 'Suspends an active customer, who can then not do new business until reactivated.',
  })
  suspendCustomer(
    @Arg('customerId', () => ID, { description: 'The ID of the active customer.' })
    customerId: string,
    @Arg('reason', () => TextScalar, {
      description: 'The reason for the suspension, stored as `statusReason`.',
    })
    reason: string,
    @Ctx() context: Context,
  ) {
    const input = { customerId, reason }
    return changeCustomer(
      context,
      'suspendCustomer',
      input,
      'parties.customer.suspended',
      (customer) => domain.suspendCustomer(customer, reason),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description:
      'Lifts the suspension of a customer. Rejected with `KYC_INCOMPLETE` unless the ' +
      'customer has a valid identity check.',
  })
  reactivateCustomer(
    @Arg('customerId', () => ID, { description: 'The ID of the suspended customer.' })
    customerId: string,
    @Ctx() context: Context,
  ) {
    const event = 'parties.customer.activated'
    return changeCustomer(
      context,
      'reactivateCustomer',
      { customerId },
      event,
      domain.reactivateCustomer,
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description:
      'Ends a customer relationship permanently. Rejected with `RELATION_NOT_SETTLED` while ' +
      'the customer has an open account or facility.',
  })
  closeCustomer(
    @Arg('customerId', () => ID, { description: 'The ID of the customer.' })
    customerId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'The reason for the closure, stored as `statusReason`.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ) {
    const input = { customerId, reason }
    return changeCustomer(
      context,
      'closeCustomer',
      input,
      'parties.customer.closed',
      async (customer) =>
        domain.closeCustomer(
          customer,
          reason ?? null,
          await findOpenAccountsAndFacilities(context, 'customer', customerId),
        ),
    )
  }

  @Requires('parties:read')
  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party that is the customer; null if the party is not visible to the caller.',
  })
  party(@Root() { partyId }: Customer, @Ctx() context: Context) {
    return loadParty(context, partyId)
  }
}

/** Changes one customer. Delegated users are rejected: only the bank may change customers. */
async function changeCustomer(
  context: Context,
  operation: string,
  input: { customerId: string },
  event: CustomerEvent,
  decide: (customer: Customer, today: string) => Customer | Promise<Customer>,
): Promise<Customer> {
  requireBank(context)
  return change(context, customerKind, operation, input, input.customerId, event, decide)
}
