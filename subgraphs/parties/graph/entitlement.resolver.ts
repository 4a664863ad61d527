import { requireVisible, Requires } from '../../../kernel/authorization/auth.ts'
import { id, object, oneOf, string } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import {
  addAccountHolder,
  decideRemoval,
  requireHolder,
  requireNoHolder,
} from '../commands/account-holder.ts'
import { changeEntitlement, explainEntitlement, grantEntitlement } from '../commands/entitlement.ts'
import { filterResource } from '../domain/entitlement.ts'
import {
  AccountHolder,
  AccountStub,
  AddAccountHolderInput,
  Entitlement,
  EntitlementExplanation,
  EntitlementRightEnum,
  entitlementStates,
  GrantEntitlementInput,
} from '../model/entitlement.ts'
import { EntitlementStatus } from '../model/enumerations.ts'
import {
  entitlementSortKey,
  listEntitlements,
  loadEntitlement,
  loadHolders,
  ownersOfEntitlement,
} from '../store/entitlement.ts'
import { loadParty } from '../store/party.ts'

export const EntitlementOperations = resolverOf({
  queries: {
    entitlement: lookup(Entitlement, {
      description: 'Returns one entitlement.',
      scope: 'parties:read',
      find: async (context, entitlementId) => {
        const found = await loadEntitlement(context, entitlementId)
        const code = 'ENTITLEMENT_NOT_FOUND'
        return requireVisible(context, found, ownersOfEntitlement, code, entitlementId)
      },
    }),
    entitlements: listing(Entitlement, {
      description:
        'Returns entitlements in the order in which they were granted. All filters must match.',
      scope: 'parties:read',
      filters: {
        partyId: id('Returns only entitlements that this party granted or received.').orNull(),
        resource: string(
          'Returns only entitlements to this record: `arrangement/<id>` or `agreement/<id>`.',
        ).orNull(),
        status: oneOf(EntitlementStatus, 'Returns only entitlements in this state.').orNull(),
      },
      list: async (context, filter, after, take) =>
        listEntitlements(
          context,
          { ...filter, resource: filterResource(filter.resource) },
          after,
          take,
        ),
      sortKey: entitlementSortKey,
    }),
    explainEntitlement: operation({
      description:
        'Explains whether a party has a right to an account or an agreement, and which rule ' +
        'decides it.',
      scope: 'parties:read',
      returns: EntitlementExplanation,
      args: {
        partyId: id('The ID of the party whose access is evaluated.'),
        resource: string('The record to be accessed: `arrangement/<id>` or `agreement/<id>`.'),
        right: oneOf(EntitlementRightEnum, 'The right that the party needs.'),
      },
      resolve: (context, { partyId, resource, right }) =>
        explainEntitlement(context, partyId, resource, right),
    }),
  },
  mutations: {
    grantEntitlement: operation({
      description:
        'Grants a party a right to an account or an agreement of another party, effective ' +
        'immediately. A customer who has a passkey grants `TRANSFER` and `MANAGE` only within five ' +
        'minutes after a log-in with it.',
      scope: 'parties:write',
      returns: Entitlement,
      args: { input: object(GrantEntitlementInput, 'The entitlement to grant.') },
      async resolve(context, { input }) {
        const { limit, validTo = null, ...request } = input
        const limitMoney = limit && {
          amountMinor: parseAmount(limit.amount, limit.currency, '/limit/amount'),
          currency: limit.currency,
        }
        return grantEntitlement(context, { ...request, limit: limitMoney ?? null, validTo })
      },
    }),
    addAccountHolder: operation({
      description:
        'Adds a joint holder to an account, effective immediately. A holder sees the account and ' +
        'pays from it today; only the customer creates standing orders and payments for a later ' +
        'day. Not available to delegated users.',
      scope: 'parties:write',
      needsPerson: true,
      returns: Entitlement,
      args: { input: object(AddAccountHolderInput, 'The joint holder to add.') },
      resolve: (context, { input }) => addAccountHolder(context, input),
    }),
    ...transitionsOf(entitlementStates, changeEntitlement, {
      revokeEntitlement: requireNoHolder,
      proposeAccountHolderRemoval: requireHolder,
      rejectAccountHolderRemoval: requireHolder,
      approveAccountHolderRemoval: decideRemoval,
    }),
  },
})

@Resolver(() => Entitlement)
export class EntitlementResolver {
  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The maximum amount of a single transfer; null if there is no limit.',
  })
  limit(@Root() { limitMinor, limitCurrency }: Entitlement): MoneyType | null {
    if (limitMinor === null) return null
    return moneyOut({ amountMinor: limitMinor, currency: limitCurrency! })
  }
}

@Resolver(() => AccountStub)
export class AccountHoldersResolver {
  @Requires('parties:read')
  @FieldResolver(() => [AccountHolder], {
    description:
      'The joint holders of the account, next to its customer, in the order in which they were ' +
      'added.',
  })
  async holders(
    @Root() { arrangementId }: AccountStub,
    @Ctx() context: Context,
  ): Promise<AccountHolder[]> {
    const holders = (await loadHolders(context, arrangementId))!
    const partyIds = holders.map(({ granteePartyId }) => granteePartyId)
    const parties = await Promise.all(partyIds.map((partyId) => loadParty(context, partyId)))
    return holders.map(({ entitlementId, granteePartyId, createdAt }, index) => ({
      entitlementId,
      partyId: granteePartyId,
      party: parties[index]!,
      since: createdAt,
    }))
  }
}
