import {
  Arrangement,
  AccountArrangementConnection,
  OpenAccountArrangementInput,
} from '../model/arrangement.ts'
import { ArrangementState } from '../model/enumerations.ts'
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
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { openAccount } from '../commands/arrangement.ts'
import {
  listArrangements,
  loadArrangement,
  loadArrangementsOfCustomer,
  loadArrangementsOfParty,
} from '../store/arrangement.ts'
import { Customer, Party, ProductStub } from '../model/references.ts'

/**
 * The maximum page size. It is higher than the usual 200 for clients that read all accounts of a
 * customer in one request.
 */
const maxArrangements = 1000

@Resolver(() => Arrangement)
export class ArrangementResolver {
  @Requires('accounts:read')
  @Query(() => Arrangement, { nullable: true, description: 'Returns an account.' })
  async accountArrangement(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    const arrangement = await loadArrangement(context, arrangementId)
    if (arrangement) return arrangement
    throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  }

  @Requires('accounts:read')
  @Query(() => AccountArrangementConnection, {
    description: 'Lists accounts in the order in which they were opened.',
  })
  accountArrangements(
    @Arg('customerId', () => ID, {
      nullable: true,
      description: 'Returns only accounts of this customer.',
    })
    customerId: string | null,
    @Arg('productId', () => ID, {
      nullable: true,
      description: 'Returns only accounts under this product.',
    })
    productId: string | null,
    @Arg('state', () => String, {
      nullable: true,
      description: filterDescription(
        'Returns only accounts in this state',
        ArrangementState.values,
      ),
    })
    state: string | null,
    @Arg('accountNumber', () => LabelScalar, {
      nullable: true,
      description: 'Returns only the account with this IBAN, with or without spaces.',
    })
    accountNumber: string | null,
    @FirstArg(maxArrangements) first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Arrangement>> {
    const filter = {
      customerId: customerId ?? null,
      productId: productId ?? null,
      state: filterValue(state, ArrangementState.values, '/state'),
      accountNumber: accountNumber ?? null,
    }
    return readPage(
      context,
      'accountArrangements',
      filter,
      { first, after },
      (from, take) => listArrangements(context, filter, from, take),
      (arrangement) => [arrangement.openedAt.toISOString(), arrangement.arrangementId],
      maxArrangements,
    )
  }

  @Requires('accounts:write')
  @Mutation(() => Arrangement, { description: 'Opens an account for a customer.' })
  openAccountArrangement(
    @Arg('input', () => OpenAccountArrangementInput, { description: 'The account to open.' })
    input: OpenAccountArrangementInput,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    const { overdraftLimit, ...request } = input
    if (!overdraftLimit) return openAccount(context, request)
    const { amount, currency } = overdraftLimit
    const amountMinor = parseAmount(amount, currency, '/overdraftLimit/amount')
    return openAccount(context, { ...request, overdraftLimit: { amountMinor, currency } })
  }

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
