import { type Agreement as DomainAgreement, AgreementConnection } from '../model/agreement.ts'
import { type Customer as DomainCustomer, Customer } from '../model/customer.ts'
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
import { findOpenAccountsAndFacilities } from '../store/open-business.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { change, create, ownersOf } from '../commands/party.ts'
import * as domain from '../domain/party.ts'
import type { PartyEvent } from '../events.ts'
import { loadCustomersOf } from '../store/customer.ts'
import { listParties, loadParty, openRecordsOf, partyKind } from '../store/party.ts'
import { agreementPage, agreementStatusFilter } from './agreement.resolver.ts'
import { CreatePartyInput, UpdatePartyInput } from '../model/party-inputs.ts'
import { Party, PartyConnection } from '../model/party.ts'

@Resolver(() => Party)
export class PartyResolver {
  @Requires('parties:read')
  @Query(() => Party, { description: 'Returns one party.' })
  async party(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Ctx() context: Context,
  ) {
    const party = await loadParty(context, partyId)
    return requireVisible(context, party, ownersOf, 'PARTY_NOT_FOUND', partyId)
  }

  @Requires('parties:read')
  @Query(() => Party, {
    nullable: true,
    description:
      'Returns the party on whose behalf the caller acts; null for a caller that acts for ' +
      'no party.',
  })
  me(@Ctx() context: Context): Promise<domain.Party | null> | null {
    const { partyId } = context.caller
    return partyId === null ? null : loadParty(context, partyId)
  }

  @Requires('parties:read')
  @Query(() => PartyConnection, { description: 'Returns parties in order of creation.' })
  parties(
    @Arg('search', () => LabelScalar, {
      nullable: true,
      description:
        'Returns only parties whose name starts with these words, in any order and letter case ' +
        '(such as `ada love`), or that have exactly this address.',
    })
    search: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.Party>> {
    return readPage(
      context,
      'parties',
      { search: search ?? null },
      { first, after },
      (afterKey, take) => listParties(context, search?.trim() || null, afterKey, take),
      ({ createdAt, partyId }) => [createdAt.toISOString(), partyId],
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Creates a person or an organization.' })
  createParty(
    @Arg('input', () => CreatePartyInput, { description: 'The party to create.' })
    input: CreatePartyInput,
    @Ctx() context: Context,
  ): Promise<domain.Party> {
    requireBank(context)
    return create(context, partyKind, 'createParty', input, input.partyId, async (stamp) => ({
      record: domain.newParty(input, { ...stamp, partyId: stamp.id }),
    }))
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Changes the name, language or time zone of a party.' })
  updateParty(
    @Arg('input', () => UpdatePartyInput, { description: 'The changes to make.' })
    input: UpdatePartyInput,
    @Ctx() context: Context,
  ) {
    return changeParty(context, 'updateParty', input, 'parties.party.updated', (party) =>
      domain.changeParty(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Records that a person has died. From then on, new credit, drawdowns, accounts and ' +
      'transfers of the person are rejected. A case for the estate is opened.',
  })
  recordDeath(
    @Arg('partyId', () => ID, { description: 'The ID of the person.' }) partyId: string,
    @Arg('diedOn', () => LocalDateScalar, {
      description: 'The date of death, not in the future and not before the date of birth.',
    })
    diedOn: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const input = { partyId, diedOn }
    return changeParty(
      context,
      'recordDeath',
      input,
      'parties.party.deceased',
      (party, _today, now) => domain.recordDeath(party, diedOn, now),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Ends the relationship with a party permanently. Rejected with `RELATION_NOT_SETTLED` ' +
      'while the party has an open customer relationship, agreement, account or facility.',
  })
  closeParty(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    return changeParty(context, 'closeParty', { partyId }, 'parties.party.closed', async (party) =>
      domain.closeParty(party, [
        ...(await openRecordsOf(context, partyId)),
        ...(await findOpenAccountsAndFacilities(context, 'party', partyId)),
      ]),
    )
  }

  @FieldResolver(() => String, {
    description: 'The full name of the person or the name of the organization.',
  })
  displayName(@Root() party: domain.Party): string {
    return domain.displayName(party)
  }

  @Requires('parties:read')
  @FieldResolver(() => [Customer], {
    nullable: true,
    description:
      'The customer relationships of the party; null if they are not visible to the caller.',
  })
  customers(@Root() { partyId }: domain.Party, @Ctx() context: Context) {
    return loadCustomersOf(context, partyId) as Promise<DomainCustomer[]>
  }

  @Requires('agreements:read')
  @FieldResolver(() => AgreementConnection, {
    nullable: true,
    description:
      'The agreements of the party in order of creation; null if they are not visible to the ' +
      'caller.',
  })
  agreements(
    @Root() { partyId }: domain.Party,
    @Arg('status', () => String, agreementStatusFilter) status: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainAgreement>> {
    return agreementPage(context, { partyId, status }, { first, after })
  }
}

/** Changes one party that is visible to the caller, and emits the event. */
export function changeParty(
  context: Context,
  operation: string,
  input: { partyId: string },
  event: PartyEvent,
  decide: (party: domain.Party, today: string, now: Date) => domain.Party | Promise<domain.Party>,
): Promise<domain.Party> {
  return change(context, partyKind, operation, input, input.partyId, event, decide)
}
