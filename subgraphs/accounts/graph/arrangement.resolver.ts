import { requireBank, requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { id, label, object } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { textFilter, withTextFilter } from '../../../kernel/graph/text-filter.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { changeArrangement } from '../commands/arrangement.ts'
import { openAccount } from '../commands/open-account.ts'
import {
  Arrangement,
  arrangementId,
  arrangementStates,
  OpenAccountArrangementInput,
} from '../model/arrangement.ts'
import { ArrangementState } from '../model/enumerations.ts'
import { Customer, Party, ProductStub } from '../model/references.ts'
import {
  listArrangements,
  loadArrangement,
  loadArrangementsOfCustomer,
  loadArrangementsOfParty,
} from '../store/arrangement.ts'

/**
 * The maximum page size. It is higher than the usual 200 for clients that read all accounts of a
 * customer in one request.
 */
const maxArrangements = 1000

export const ArrangementOperations = resolverOf({
  queries: {
    accountArrangement: operation({
      description: 'Returns an account.',
      scope: 'accounts:read',
      returns: Arrangement,
      args: { arrangementId },
      resolve: async (context, args) =>
        requireFound(
          await loadArrangement(context, args.arrangementId),
          'ARRANGEMENT_NOT_FOUND',
          args.arrangementId,
        ),
    }),
    accountArrangements: withTextFilter(
      listing(Arrangement, {
        description: 'Lists accounts in the order in which they were opened.',
        scope: 'accounts:read',
        filters: {
          customerId: id('Returns only accounts of this customer.').orNull(),
          productId: id('Returns only accounts under this product.').orNull(),
          state: textFilter('Returns only accounts in this state', ArrangementState),
          accountNumber: label(
            'Returns only the account with this IBAN, with or without spaces.',
          ).orNull(),
        },
        maxPageSize: maxArrangements,
        list: listArrangements,
        sortKey: (arrangement) => [arrangement.openedAt.toISOString(), arrangement.arrangementId],
      }),
      'state',
      ArrangementState,
    ),
  },
  mutations: {
    openAccountArrangement: operation({
      description: 'Opens an account for a customer.',
      scope: 'accounts:write',
      returns: Arrangement,
      args: { input: object(OpenAccountArrangementInput, 'The account to open.') },
      async resolve(context, { input }) {
        const { overdraftLimit, ...request } = input
        if (!overdraftLimit) return openAccount(context, request)
        const { amount, currency } = overdraftLimit
        const amountMinor = parseAmount(amount, currency, '/overdraftLimit/amount')
        return openAccount(context, { ...request, overdraftLimit: { amountMinor, currency } })
      },
    }),
    ...transitionsOf(arrangementStates, changeArrangement, {
      requestAccountArrangementClosure(requested, { before, context }) {
        // A closure request makes a dormant account debitable again. Only the bank may do that.
        if (before.state === 'dormant') requireBank(context)
        return requested
      },
    }),
  },
})

@Resolver(() => Arrangement)
export class ArrangementResolver {
  @FieldResolver(() => MoneyType, {
    description: 'The amount by which the account can be overdrawn; zero if it has no overdraft.',
  })
  overdraftLimit(@Root() { overdraftLimitMinor, currency }: Arrangement): MoneyType {
    return moneyOut({ amountMinor: overdraftLimitMinor, currency })
  }

  @FieldResolver(() => Customer, {
    nullable: true,
    description: 'The customer who holds the account.',
  })
  customer(@Root() { customerId }: Arrangement): Customer {
    return { customerId }
  }

  @FieldResolver(() => Party, { nullable: true, description: "The customer's party." })
  party(@Root() { partyId }: Arrangement): Party {
    return { partyId }
  }

  @FieldResolver(() => ProductStub, {
    nullable: true,
    description: 'The version of the product under which the account was opened.',
  })
  product(@Root() { productId, productVersion }: Arrangement): ProductStub {
    return { productId, version: productVersion }
  }
}

const accountsField = {
  nullable: true,
  description: 'The accounts in the order in which they were opened.',
}

@Resolver(() => Customer)
export class CustomerAccountsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => [Arrangement], accountsField)
  accounts(@Root() { customerId }: Customer, @Ctx() context: Context) {
    return loadArrangementsOfCustomer(context, customerId)
  }
}

@Resolver(() => Party)
export class PartyAccountsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => [Arrangement], accountsField)
  accounts(@Root() { partyId }: Party, @Ctx() context: Context) {
    return loadArrangementsOfParty(context, partyId)
  }
}
