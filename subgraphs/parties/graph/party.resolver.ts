import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { connectionOf, label, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import { createRecord } from '../../../kernel/writing/records.ts'
import * as domain from '../domain/party.ts'
import { requireSettled } from '../domain/settled.ts'
import { Agreement } from '../model/agreement.ts'
import { Customer } from '../model/customer.ts'
import { Party, partyStates } from '../model/party.ts'
import { CreatePartyInput, UpdatePartyInput } from '../model/party-inputs.ts'
import { agreementSortKey, listAgreements } from '../store/agreement.ts'
import { loadCustomersOf } from '../store/customer.ts'
import { findOpenAccountsAndFacilities } from '../store/open-business.ts'
import { listParties, loadParty, openRecordsOf, partyKind, partyTable } from '../store/party.ts'
import { ownersOf } from '../store/rows.ts'
import { agreementStatusDescription, agreementStatusOf } from './agreement.resolver.ts'

const change = changeOf(partyKind)

export const PartyOperations = resolverOf({
  queries: {
    party: lookup(Party, {
      description: 'Returns one party.',
      scope: 'parties:read',
      find: async (context, partyId) => {
        const party = await loadParty(context, partyId)
        return requireVisible(context, party, ownersOf, 'PARTY_NOT_FOUND', partyId)
      },
    }),
    me: operation({
      description:
        'Returns the party on whose behalf the caller acts; null for a caller that acts for ' +
        'no party.',
      scope: 'parties:read',
      returns: Party,
      args: {},
      resolve(context) {
        const { partyId } = context.caller
        return partyId === null ? null : loadParty(context, partyId)
      },
    }),
    parties: listing(Party, {
      description: 'Returns parties in order of creation.',
      scope: 'parties:read',
      filters: {
        search: label(
          'Returns only parties whose name starts with these words, in any order and letter case ' +
            '(such as `ada love`), or that have exactly this address.',
        ).orNull(),
      },
      list: (context, { search }, after, take) =>
        listParties(context, search?.trim() || null, after, take),
      sortKey: partyTable.sortKey,
    }),
  },
  mutations: {
    createParty: operation({
      description: 'Creates a person or an organization.',
      scope: 'parties:write',
      isForBankOnly: true,
      returns: Party,
      args: { input: object(CreatePartyInput, 'The party to create.') },
      resolve: (context, { input }, name) =>
        createRecord(context, partyKind, name, input, input.partyId, (stamp) => ({
          record: domain.newParty(input, { ...stamp, partyId: stamp.id }),
        })),
    }),
    updateParty: operation({
      description: 'Changes the name, language or time zone of a party.',
      scope: 'parties:write',
      returns: Party,
      args: { input: object(UpdatePartyInput, 'The changes to make.') },
      resolve: (context, { input }, name) =>
        change(context, name, input, input.partyId, 'parties.party.updated', (party) =>
          domain.changeParty(party, input),
        ),
    }),
    ...transitionsOf(partyStates, change, {
      async recordDeath(deceased, { context, now, args }) {
        domain.requireDateOfDeath(deceased, args['diedOn'], dateOf(now))
        // What the party orders or grants at the same time must be earlier than its death, so the time
        // is taken after the fact was read to which such records refer.
        await readHeldFacts(context, [`party/${deceased.partyId}`])
        return { ...deceased, deathRecordedAt: context.now() }
      },
      async closeParty(closed, { context }) {
        const { partyId } = closed
        requireSettled(partyId, [
          ...(await openRecordsOf(context, partyId)),
          ...(await findOpenAccountsAndFacilities(context, 'party', partyId)),
        ])
        return closed
      },
    }),
  },
})

@Resolver(() => Party)
export class PartyResolver {
  @FieldResolver(() => String, {
    description: 'The full name of the person or the name of the organization.',
  })
  displayName(@Root() party: Party): string {
    return domain.displayName(party)
  }

  @Requires('parties:read')
  @FieldResolver(() => [Customer], {
    nullable: true,
    description:
      'The customer relationships of the party; null if they are not visible to the caller.',
  })
  customers(@Root() { partyId }: Party, @Ctx() context: Context): Promise<Customer[] | null> {
    return loadCustomersOf(context, partyId)
  }

  @Requires('agreements:read')
  @FieldResolver(() => connectionOf(Agreement), {
    nullable: true,
    description:
      'The agreements of the party in order of creation; null if they are not visible to the ' +
      'caller.',
  })
  agreements(
    @Root() { partyId }: Party,
    @Arg('status', () => String, { nullable: true, description: agreementStatusDescription })
    status: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Agreement>> {
    const filter = { partyId, status: agreementStatusOf(status) }
    return readPage(
      context,
      'agreements',
      filter,
      { first, after },
      (from, take) => listAgreements(context, filter, from, take),
      agreementSortKey,
    )
  }
}
