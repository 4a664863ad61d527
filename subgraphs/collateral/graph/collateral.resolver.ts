import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, label, oneOf } from '../../../kernel/domain/model.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, resolverOf } from '../../../kernel/graph/operations.ts'
import { allocatedMinorByFacility, lendableMinor } from '../domain/collateral.ts'
import { unmetRequirements } from '../domain/requirements.ts'
import { isCovering } from '../domain/states.ts'
import type { Valuation } from '../domain/valuation.ts'
import { Collateral, CollateralOwner, Party } from '../model/collateral.ts'
import { CollateralLink, Facility } from '../model/coverage.ts'
import { CollateralRequirement, CollateralStatus } from '../model/enumerations.ts'
import { CollateralValuation } from '../model/valuation.ts'
import {
  collateralTable,
  listCollaterals,
  listValuations,
  loadCollateral,
  ownersOf,
  type CollateralFilter,
} from '../store/collateral.ts'

export const CollateralQueries = resolverOf({
  queries: {
    collateral: lookup(Collateral, {
      description: 'Returns collateral by its ID.',
      scope: 'lending:read',
      async find(context, collateralId) {
        const found = await loadCollateral(context, collateralId)
        return requireVisible(context, found, ownersOf, 'COLLATERAL_NOT_FOUND', collateralId)
      },
    }),
    collaterals: listing(Collateral, {
      description:
        'Returns collateral records in the order in which they were created. Delegated users get ' +
        'only collateral in which they own a share.',
      scope: 'lending:read',
      filters: {
        partyId: id('Returns only collateral in which this party owns a share.').orNull(),
        facilityId: id('Returns only collateral that is allocated to this facility.').orNull(),
        status: oneOf(CollateralStatus, 'Returns only collateral with this status.').orNull(),
        collateralType: label('Returns only collateral of this type.').orNull(),
      },
      list: listCollaterals,
      sortKey: collateralTable.sortKey,
    }),
  },
})

@Resolver(() => Collateral)
export class CollateralResolver {
  @FieldResolver(() => [CollateralRequirement], {
    description:
      'What must be supplied before the collateral counts as coverage; empty if nothing is ' +
      'missing, and in a final status.',
  })
  missing(@Root() collateral: Collateral): CollateralRequirement[] {
    return unmetRequirements(collateral)
  }

  @FieldResolver(() => [CollateralOwner], {
    description: 'The owners of the collateral and their shares.',
  })
  owners(@Root() { owners }: Collateral): CollateralOwner[] {
    return owners.map((owner) => ({ ...owner, party: { partyId: owner.partyId } }))
  }

  @FieldResolver(() => CollateralValuation, {
    nullable: true,
    description:
      'The applicable valuation, which is the one with the latest date; null if there is none.',
  })
  valuation(@Root() { valuation }: Collateral): CollateralValuation | null {
    return valuation && valuationOut(valuation)
  }

  @Requires('lending:read')
  @FieldResolver(() => connectionOf(CollateralValuation), {
    description: 'All valuations, in the order in which they were recorded.',
  })
  valuations(
    @Root() { collateralId }: Collateral,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<CollateralValuation>> {
    return readPage(
      context,
      'collateralValuations',
      { collateralId },
      { first, after },
      async (cursor, take) =>
        (await listValuations(context, collateralId, cursor, take)).map(valuationOut),
      ({ number }) => [String(number)],
    )
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      "The total of the claims that rank ahead of the bank's lien; null if the currency of the " +
      'collateral is not known yet.',
  })
  priorLiens(@Root() { priorLiensMinor, currency }: Collateral): MoneyType | null {
    return moneyIn(currency, priorLiensMinor)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The market value less the haircut and prior liens, at least 0; null if the currency of ' +
      'the collateral is not known yet.',
  })
  lendableValue(@Root() collateral: Collateral): MoneyType | null {
    return moneyIn(collateral.currency, lendableMinor(collateral))
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The part of the lendable value that is allocated to facilities; null if the currency of ' +
      'the collateral is not known yet.',
  })
  allocatedValue(@Root() collateral: Collateral): MoneyType | null {
    return moneyIn(collateral.currency, totalAllocated(collateral))
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The part of the lendable value that is not allocated; null if the currency of the ' +
      'collateral is not known yet.',
  })
  freeValue(@Root() collateral: Collateral): MoneyType | null {
    return moneyIn(collateral.currency, lendableMinor(collateral) - totalAllocated(collateral))
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The proceeds of selling the collateral; null if no proceeds are recorded.',
  })
  proceeds(@Root() { proceedsMinor, currency }: Collateral): MoneyType | null {
    return proceedsMinor === null ? null : moneyIn(currency, proceedsMinor)
  }

  @FieldResolver(() => [CollateralLink], {
    description: 'The allocations of the collateral to facilities, by rank.',
  })
  links(@Root() collateral: Collateral): CollateralLink[] {
    const allocated = allocatedMinorByFacility(collateral)
    const currency = collateral.currency!
    return collateral.allocations
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ facilityId, rank, amountMinor, pct }) => ({
        facilityId,
        facility: { facilityId },
        rank,
        amount: amountMinor === null ? null : moneyIn(currency, amountMinor),
        pct,
        allocated: moneyOut({ amountMinor: allocated.get(facilityId)!, currency }),
        isCovering: isCovering(collateral.status),
      }))
  }
}

const totalAllocated = (collateral: Collateral) =>
  [...allocatedMinorByFacility(collateral).values()].reduce((sum, each) => sum + each, 0n)

const moneyIn = (currency: string | null, amountMinor: bigint): MoneyType | null =>
  currency === null ? null : moneyOut({ amountMinor, currency })

function valuationOut(valuation: Valuation): CollateralValuation {
  const { currency, marketValueMinor, forcedSaleValueMinor, ...rest } = valuation
  const money = (amountMinor: bigint): Money => ({ amountMinor, currency })
  return {
    ...rest,
    marketValue: moneyOut(money(marketValueMinor)),
    forcedSaleValue: forcedSaleValueMinor === null ? null : moneyOut(money(forcedSaleValueMinor)),
  }
}

@Resolver(() => Party)
export class PartyCollateralsResolver {
  @Requires('lending:read')
  @FieldResolver(() => connectionOf(Collateral), {
    nullable: true,
    description:
      'The collateral in which the party owns a share, in the order in which it was recorded.',
  })
  collaterals(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Collateral>> {
    return collateralPage(context, { partyId }, { first, after })
  }
}

@Resolver(() => Facility)
export class FacilityCollateralsResolver {
  @Requires('lending:read')
  @FieldResolver(() => connectionOf(Collateral), {
    nullable: true,
    description:
      'The collateral allocated to the facility, in the order in which it was recorded. ' +
      'Delegated users get only collateral in which they own a share.',
  })
  collaterals(
    @Root() { facilityId }: Facility,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Collateral>> {
    return collateralPage(context, { facilityId }, { first, after })
  }
}

/** Returns one page of the collateral that the caller may read. */
function collateralPage(
  context: Context,
  request: Partial<CollateralFilter>,
  page: PageRequest,
): Promise<Page<Collateral>> {
  const filter = { partyId: null, facilityId: null, status: null, collateralType: null, ...request }
  return readPage(
    context,
    'collaterals',
    filter,
    page,
    (after, take) => listCollaterals(context, filter, after, take),
    collateralTable.sortKey,
  )
}
