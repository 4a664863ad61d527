import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { maturityOf } from '../../../kernel/domain/fixed-terms.ts'
import { id, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { openDeposit } from '../commands/open-deposit.ts'
import { Arrangement } from '../model/arrangement.ts'
import { DepositOpening, OpenDepositInput } from '../model/deposit-opening.ts'
import { loadArrangement } from '../store/arrangement.ts'
import { depositOpeningTable, loadDepositOpeningOf } from '../store/deposit-opening.ts'

export const DepositOpeningOperations = resolverOf({
  queries: {
    depositOpening: lookup(DepositOpening, {
      description:
        'Returns how a deposit was opened. Not available to delegated users; theirs are in the field ' +
        '`depositOpening` of their accounts.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: depositOpeningTable.find,
    }),
    depositOpenings: listing(DepositOpening, {
      description:
        'Lists how deposits were opened, the oldest first. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        customerId: id('Returns only openings for this customer.').orNull(),
        productId: id('Returns only openings under this product.').orNull(),
      },
      list: depositOpeningTable.list,
      sortKey: depositOpeningTable.sortKey,
    }),
  },
  mutations: {
    openDeposit: operation({
      description:
        'Opens a savings account or a term deposit under the terms of a product version, which the ' +
        'customer accepts. The money comes from another account of the customer and is moved at once. ' +
        'Customers can open the products in `depositOffers`. If the account from which the money comes ' +
        'has a signing rule that asks for further signatures, the request is rejected with ' +
        '`SIGNATURES_REQUIRED`. A request that moves money also requires the scope `postings:write`.',
      scope: 'accounts:write',
      returns: DepositOpening,
      args: { input: object(OpenDepositInput, 'The deposit to open.') },
      resolve: (context, { input }) => openDeposit(context, input),
    }),
  },
})

@Resolver(() => DepositOpening)
export class DepositOpeningResolver {
  @FieldResolver(() => Arrangement, { nullable: true, description: 'The account that was opened.' })
  account(@Root() { arrangementId }: DepositOpening, @Ctx() context: Context) {
    return loadArrangement(context, arrangementId)
  }

  @FieldResolver(() => MoneyType, {
    description: 'The money with which the account began; zero if it was opened empty.',
  })
  amount(@Root() { amountMinor, currency }: DepositOpening): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => LocalDateScalar, {
    nullable: true,
    description: 'The day on which the agreed term ends; null for a savings account.',
  })
  maturesOn(@Root() { createdAt, months }: DepositOpening): LocalDate | null {
    return months === null ? null : maturityOf(dateOf(createdAt), months)
  }
}

@Resolver(() => Arrangement)
export class ArrangementDepositOpeningResolver {
  @FieldResolver(() => DepositOpening, {
    nullable: true,
    description:
      'How the account was opened as a deposit, with the terms that were accepted; null if it was ' +
      'opened otherwise.',
  })
  depositOpening(@Root() { arrangementId }: Arrangement, @Ctx() context: Context) {
    return loadDepositOpeningOf(context, arrangementId)
  }
}
