import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireVisible, Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { missingReference } from '../../_kernel/domain/problem.ts'
import { openBusinessOfCustomer } from '../../_kernel/lifecycle.ts'
import { LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import { change, create, ownersOf } from '../change.ts'
import * as domain from '../domain/customer.ts'
import { requireActive } from '../domain/party.ts'
import type { CustomerEvent } from '../events.ts'
import { customerKind, loadCustomer } from '../store/customer.ts'
import { findParty, holdParty, loadParty } from '../store/party.ts'
import { CreateCustomerInput, Customer } from './customer.types.ts'
import { Party } from './party.types.ts'

@Resolver(() => Customer)
export class CustomerResolver {
  @Requires('parties:read')
  @Query(() => Customer, { description: 'One customer.' })
  async customer(@Arg('customerId', () => ID) customerId: string, @Ctx() context: Context) {
    const customer = await loadCustomer(context, customerId)
    return requireVisible(context, customer, ownersOf, 'CUSTOMER_NOT_FOUND', customerId)
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'Makes an active party a prospective customer.' })
  createCustomer(
    @Arg('input', () => CreateCustomerInput) input: CreateCustomerInput,
    @Ctx() context: Context,
  ): Promise<domain.Customer> {
    requireBank(context)
    const { customerId, partyId } = input
    return create(context, customerKind, 'createCustomer', input, customerId, async (made) => {
      const party = await findParty(context, partyId)
      if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
      requireActive(party)
      const record = domain.newCustomer(input, { ...made, customerId: made.id })
      return { record, guards: [holdParty(partyId)] }
    })
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'Begins to check who a customer is.' })
  startKyc(@Arg('customerId', () => ID) customerId: string, @Ctx() context: Context) {
    const event = 'parties.customer.kyc-started'
    return changed(context, 'startKyc', { customerId }, event, domain.startKyc)
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'The check was passed; it is good until `expiresOn`.' })
  passKyc(
    @Arg('customerId', () => ID) customerId: string,
    @Arg('expiresOn', () => LocalDateScalar) expiresOn: string,
    @Ctx() context: Context,
  ) {
    const input = { customerId, expiresOn }
    return changed(context, 'passKyc', input, 'parties.customer.kyc-passed', (customer, today) =>
      domain.passKyc(customer, expiresOn, today),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'The check was not passed.' })
  failKyc(
    @Arg('customerId', () => ID) customerId: string,
    @Arg('reason', () => TextScalar) reason: string,
    @Ctx() context: Context,
  ) {
    const input = { customerId, reason }
    return changed(context, 'failKyc', input, 'parties.customer.kyc-failed', (customer) =>
      domain.failKyc(customer, reason),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'Makes a prospect a customer, once its check is good.' })
  activateCustomer(@Arg('customerId', () => ID) customerId: string, @Ctx() context: Context) {
    const event = 'parties.customer.activated'
    return changed(context, 'activateCustomer', { customerId }, event, domain.activateCustomer)
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'Stops new business with a customer for a while.' })
  suspendCustomer(
    @Arg('customerId', () => ID) customerId: string,
    @Arg('reason', () => TextScalar) reason: string,
    @Ctx() context: Context,
  ) {
    const input = { customerId, reason }
    return changed(context, 'suspendCustomer', input, 'parties.customer.suspended', (customer) =>
      domain.suspendCustomer(customer, reason),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Customer, { description: 'Takes a suspended customer back.' })
  reactivateCustomer(@Arg('customerId', () => ID) customerId: string, @Ctx() context: Context) {
    const event = 'parties.customer.activated'
    return changed(context, 'reactivateCustomer', { customerId }, event, domain.reactivateCustomer)
  }

  @Requires('parties:write')
  @Mutation(() => Customer, {
    description:
      'Ends a customer relation for good. Rejected while the customer has an open account or facility.',
  })
  closeCustomer(
    @Arg('customerId', () => ID) customerId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ) {
    const input = { customerId, reason }
    return changed(context, 'closeCustomer', input, 'parties.customer.closed', async (customer) =>
      domain.closeCustomer(
        customer,
        reason ?? null,
        await openBusinessOfCustomer(context, customerId),
      ),
    )
  }

  @Requires('parties:read')
  @FieldResolver(() => Party, { nullable: true })
  party(@Root() { partyId }: domain.Customer, @Ctx() context: Context) {
    return loadParty(context, partyId)
  }
}

/** Every change of a customer is the bank's to decide. */
async function changed(
  context: Context,
  operation: string,
  input: { customerId: string },
  event: CustomerEvent,
  decide: (customer: domain.Customer, today: string) => domain.Customer | Promise<domain.Customer>,
): Promise<domain.Customer> {
  requireBank(context)
  return change(context, customerKind, operation, input, input.customerId, event, decide)
}
