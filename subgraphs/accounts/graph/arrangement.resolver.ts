import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import { filterDescription, filterValue } from '../../_kernel/domain/filter-value.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import { openAccount } from '../change.ts'
import { arrangementStates, type Arrangement } from '../domain/arrangement.ts'
import {
  listArrangements,
  loadArrangement,
  loadArrangementsOfCustomer,
  loadArrangementsOfParty,
} from '../store.ts'
import {
  AccountArrangement,
  AccountArrangementConnection,
  OpenAccountArrangementInput,
} from './arrangement.types.ts'
import { Customer, Party, ProductStub } from './stubs.types.ts'

/** Who lists everything at once gets this many. */
const mostArrangements = 1000

@Resolver(() => AccountArrangement)
export class ArrangementResolver {
  @Requires('accounts:read')
  @Query(() => AccountArrangement, { nullable: true, description: 'One account.' })
  async accountArrangement(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    const arrangement = await loadArrangement(context, arrangementId)
    if (arrangement) return arrangement
    throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  }

  @Requires('accounts:read')
  @Query(() => AccountArrangementConnection, {
    description: 'Accounts in the order they were opened, at most 1,000 at a time.',
  })
  accountArrangements(
    @Arg('customerId', () => ID, { nullable: true }) customerId: string | null,
    @Arg('productId', () => ID, { nullable: true }) productId: string | null,
    @Arg('state', () => String, {
      nullable: true,
      description: filterDescription('Only accounts in this state', arrangementStates),
    })
    state: string | null,
    @Arg('accountNumber', () => LabelScalar, {
      nullable: true,
      description: 'An IBAN, with or without spaces.',
    })
    accountNumber: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Arrangement>> {
    const filter = {
      customerId: customerId ?? null,
      productId: productId ?? null,
      state: filterValue(state, arrangementStates, '/state'),
      accountNumber: accountNumber ?? null,
    }
    return readPage(
      context,
      'accountArrangements',
      filter,
      { first, after },
      (from, take) => listArrangements(context, filter, from, take),
      (arrangement) => [arrangement.openedAt.toISOString(), arrangement.arrangementId],
      mostArrangements,
    )
  }

  @Requires('accounts:write')
  @Mutation(() => AccountArrangement, { description: 'Opens an account of a customer.' })
  openAccountArrangement(
    @Arg('input', () => OpenAccountArrangementInput) input: OpenAccountArrangementInput,
    @Ctx() context: Context,
  ): Promise<Arrangement> {
    const { overdraftLimit, ...asked } = input
    if (!overdraftLimit) return openAccount(context, asked)
    const { amount, currency } = overdraftLimit
    const amountMinor = parseAmount(amount, currency, '/overdraftLimit/amount')
    return openAccount(context, { ...asked, overdraftLimit: { amountMinor, currency } })
  }

  @FieldResolver(() => MoneyType)
  overdraftLimit(@Root() { overdraftLimitMinor, currency }: Arrangement): MoneyType {
    return moneyOut({ amountMinor: overdraftLimitMinor, currency })
  }

  @FieldResolver(() => Customer, { nullable: true })
  customer(@Root() { customerId }: Arrangement): Customer {
    return { customerId }
  }

  @FieldResolver(() => Party, { nullable: true })
  party(@Root() { partyId }: Arrangement): Party {
    return { partyId }
  }

  @FieldResolver(() => ProductStub, { nullable: true })
  product(@Root() { productId, productVersion }: Arrangement): ProductStub {
    return { productId, version: productVersion }
  }
}

const accounts = { nullable: true, description: 'Their accounts, in the order they were opened.' }

@Resolver(() => Customer)
export class CustomerAccountsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => [AccountArrangement], accounts)
  accounts(@Root() { customerId }: Customer, @Ctx() context: Context) {
    return loadArrangementsOfCustomer(context, customerId)
  }
}

@Resolver(() => Party)
export class PartyAccountsResolver {
  @Requires('accounts:read')
  @FieldResolver(() => [AccountArrangement], accounts)
  accounts(@Root() { partyId }: Party, @Ctx() context: Context) {
    return loadArrangementsOfParty(context, partyId)
  }
}
