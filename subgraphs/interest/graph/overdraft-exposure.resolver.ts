import { Requires } from '../../../kernel/authorization/auth.ts'
import { id, integer } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { overdrafts } from '../commands/book.ts'
import { loadVisiblePosition } from '../commands/load-inputs.ts'
import { exposureOf, isExposed } from '../domain/exposure.ts'
import type { InterestPosition } from '../domain/position.ts'
import { OverdraftExposure, OverdraftExposurePosition } from '../model/overdraft-exposure.ts'
import { AccountArrangementStub } from '../model/references.ts'
import { listExposed, readExposedThrough } from '../store/exposure.ts'

/** Queries over all accounts. They are not available to delegated users. */
export const OverdraftExposureOperations = resolverOf({
  queries: {
    overdraftExposures: listing(OverdraftExposure, {
      description:
        'Lists the accounts that are overdrawn or have an overdraft limit, in the order of their ' +
        'IDs. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        arrangementId: id('Returns only the exposure of this account.').orNull(),
        minDaysPastDue: integer(
          'Returns only accounts that are at least this number of days past due.',
        ).orNull(),
      },
      list: async (context, filter, after, take) =>
        (await listExposed(context, filter, after?.[0] ?? null, take)).map(exposureOut),
      sortKey: ({ arrangementId }) => [arrangementId],
    }),
    overdraftExposurePosition: operation({
      description:
        'Returns how far the overdraft exposures of all accounts are derived. Not available to ' +
        'delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      returns: OverdraftExposurePosition,
      args: {},
      resolve: async (context) => ({ derivedThrough: await readExposedThrough(context) }),
    }),
  },
})

@Resolver(() => AccountArrangementStub)
export class ArrangementOverdraftExposureResolver {
  @Requires('accounts:read')
  @FieldResolver(() => OverdraftExposure, {
    nullable: true,
    description:
      'What the customer owes by an overdraft, and since when, at the end of the last day that was ' +
      'processed; null if the account was neither overdrawn nor had a limit.',
  })
  async overdraftExposure(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<OverdraftExposure | null> {
    const position = await loadVisiblePosition(context, overdrafts, arrangementId)
    return position && isExposed(position) && !position.isEnded ? exposureOut(position) : null
  }
}

@Resolver(() => OverdraftExposure)
export class OverdraftExposureResolver {
  @FieldResolver(() => AccountArrangementStub, { nullable: true, description: 'The account.' })
  arrangement(@Root() { arrangementId }: OverdraftExposure): AccountArrangementStub {
    return { arrangementId }
  }
}

function exposureOut(position: InterestPosition): OverdraftExposure {
  const { arrangementId, currency } = position
  const exposure = exposureOf(position)
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    arrangementId,
    asOf: exposure.asOf,
    overdrawn: money(exposure.overdrawnMinor),
    accruedInterest: money(exposure.interestMinor),
    limit: money(exposure.limitMinor),
    beyondLimit: money(exposure.beyondLimitMinor),
    undrawn: money(exposure.undrawnMinor),
    overdrawnSince: exposure.overdrawnSince,
    beyondLimitSince: exposure.beyondLimitSince,
    daysPastDue: exposure.daysPastDue,
  }
}
