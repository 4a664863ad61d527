import { dateOf } from '../../../kernel/domain/dates.ts'
import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { parseAmount, type Money } from '../../../kernel/domain/money.ts'
import { overdraftOn } from '../../../kernel/domain/overdraft.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType, type MoneyInput } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { changeOverdraft, decideOverdraft, proposeOverdraft } from '../commands/overdraft.ts'
import { Arrangement } from '../model/arrangement.ts'
import { OverdraftState } from '../model/enumerations.ts'
import {
  Overdraft,
  OverdraftFloatingRate,
  overdraftStates,
  ProposeOverdraftInput,
} from '../model/overdraft.ts'
import { loadOverdraftsOf, overdraftTable } from '../store/overdraft.ts'

export const OverdraftOperations = resolverOf({
  queries: {
    overdraft: lookup(Overdraft, {
      description: 'Returns an overdraft. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: overdraftTable.find,
    }),
    overdrafts: listing(Overdraft, {
      description:
        'Lists overdrafts in the order in which they were proposed. Not available to delegated ' +
        'users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        arrangementId: id('Returns only overdrafts of this account.').orNull(),
        state: oneOf(OverdraftState, 'Returns only overdrafts in this state.').orNull(),
      },
      list: overdraftTable.list,
      sortKey: overdraftTable.sortKey,
    }),
  },
  mutations: {
    proposeOverdraft: operation({
      description:
        'Proposes an overdraft for an account, or another limit for one, which another person has ' +
        'to approve. Not available to delegated users.',
      scope: 'accounts:write',
      returns: Overdraft,
      args: { input: object(ProposeOverdraftInput, 'The overdraft to propose.') },
      resolve: (context, { input }) =>
        proposeOverdraft(context, {
          overdraftId: input.overdraftId ?? null,
          arrangementId: input.arrangementId,
          limit: moneyIn(input.limit, '/limit'),
          annualRatePct: input.annualRatePct ?? null,
          unarrangedRatePct: input.unarrangedRatePct ?? null,
          interestFree: input.interestFreeAmount
            ? moneyIn(input.interestFreeAmount, '/interestFreeAmount')
            : null,
          floatingRate: input.floatingRate
            ? {
                referenceRateId: input.floatingRate.referenceRateId,
                resets: input.floatingRate.resets ?? 'daily',
                lookbackDays: input.floatingRate.lookbackDays ?? 0,
                minimumRatePct: input.floatingRate.minimumRatePct ?? '0',
                maximumRatePct: input.floatingRate.maximumRatePct ?? null,
              }
            : null,
          validFrom: input.validFrom ?? null,
          validTo: input.validTo ?? null,
          reason: input.reason,
        }),
    }),
    ...transitionsOf(overdraftStates, changeOverdraft, {
      approveOverdraft: decideOverdraft,
      rejectOverdraft: decideOverdraft,
    }),
  },
})

function moneyIn({ amount, currency }: MoneyInput, pointer: string): Money {
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}

@Resolver(() => Overdraft)
export class OverdraftResolver {
  @FieldResolver(() => MoneyType, {
    description: 'The amount by which the account can be overdrawn; zero withdraws an overdraft.',
  })
  limit(@Root() { limitMinor, currency }: Overdraft): MoneyType {
    return moneyOut({ amountMinor: limitMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The amount that can be overdrawn without interest.',
  })
  interestFreeAmount(@Root() { interestFreeMinor, currency }: Overdraft): MoneyType {
    return moneyOut({ amountMinor: interestFreeMinor, currency })
  }

  @FieldResolver(() => OverdraftFloatingRate, {
    nullable: true,
    description: 'The reference rate to which the two rates are added; null if they are fixed.',
  })
  floatingRate(@Root() { floatingRate }: Overdraft): OverdraftFloatingRate | null {
    return floatingRate
  }
}

@Resolver(() => Arrangement)
export class ArrangementOverdraftsResolver {
  @FieldResolver(() => Overdraft, {
    nullable: true,
    description:
      'The overdraft that applies today; null if there is none. An account can have an ' +
      '`overdraftLimit` without an overdraft: then it bears no interest.',
  })
  async overdraft(
    @Root() { arrangementId }: Arrangement,
    @Ctx() context: Context,
  ): Promise<Overdraft | null> {
    const approved = (await loadOverdraftsOf(context, arrangementId))!
    return overdraftOn(approved, dateOf(context.now()))
  }

  @FieldResolver(() => [Overdraft], {
    description:
      'The approved overdrafts that have not ended, with those that begin later, in the order of ' +
      'their first day.',
  })
  async overdrafts(
    @Root() { arrangementId }: Arrangement,
    @Ctx() context: Context,
  ): Promise<Overdraft[]> {
    const today = dateOf(context.now())
    const approved = (await loadOverdraftsOf(context, arrangementId))!
    return approved
      .filter(({ validTo }) => validTo === null || validTo >= today)
      .sort((one, other) =>
        one.validFrom === other.validFrom ? 0 : one.validFrom < other.validFrom ? -1 : 1,
      )
  }
}
