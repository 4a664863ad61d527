import { Arg, Ctx, ID, Mutation, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { MoneyInput } from '../../../kernel/graph/money.types.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import * as commands from '../commands/collateral.ts'
import type { Collateral as Domain } from '../domain/collateral.ts'
import {
  AllocateCollateralInput,
  CreateCollateralInput,
  InsureCollateralInput,
  PerfectCollateralInput,
  UpdateCollateralInput,
  ValueCollateralInput,
} from '../model/collateral-inputs.ts'
import { Collateral } from '../model/collateral.ts'

/** Mutations that change the data of collateral. */
@Resolver(() => Collateral)
export class CollateralContentResolver {
  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Creates a collateral record.' })
  createCollateral(
    @Arg('input', () => CreateCollateralInput, { description: 'The collateral to create.' })
    input: CreateCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.createCollateral(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Updates the description, owners, identifiers, haircut or prior liens of collateral.',
  })
  updateCollateral(
    @Arg('input', () => UpdateCollateralInput, { description: 'The changes to the collateral.' })
    input: UpdateCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.update(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Records a valuation of collateral. The valuation with the latest date applies.',
  })
  valueCollateral(
    @Arg('input', () => ValueCollateralInput, { description: 'The valuation to record.' })
    input: ValueCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.value(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Records the perfection of the security interest in collateral. Collateral with the status ' +
      '`VALUED` becomes `ACTIVE`.',
  })
  perfectCollateral(
    @Arg('input', () => PerfectCollateralInput, { description: 'The perfection to record.' })
    input: PerfectCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { collateralId, registry, reference, perfectedOn, expiresOn } = input
    return commands.perfect(context, {
      collateralId,
      registry,
      reference: reference ?? null,
      perfectedOn: perfectedOn ?? dateOf(context.now()),
      expiresOn: expiresOn ?? null,
    })
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Records the insurance of collateral, replacing any earlier insurance.',
  })
  insureCollateral(
    @Arg('input', () => InsureCollateralInput, { description: 'The insurance to record.' })
    input: InsureCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { collateralId, insurer, policyNumber, expiresOn } = input
    const insurance = { insurer, policyNumber: policyNumber ?? null, expiresOn }
    return commands.insure(context, { collateralId, ...insurance })
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Allocates valued or active collateral to a facility. If the collateral has no owner, the ' +
      'borrower of the facility becomes the owner. The mutation fails if the allocations would ' +
      'exceed the lendable value, or if it would reduce the coverage of a facility to less than ' +
      'the facility requires.',
  })
  allocateCollateral(
    @Arg('input', () => AllocateCollateralInput, { description: 'The allocation to make.' })
    input: AllocateCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.allocate(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Removes the allocation of collateral to a facility. The mutation fails if it would reduce ' +
      'the coverage of the facility to less than the facility requires.',
  })
  deallocateCollateral(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('facilityId', () => ID, { description: 'The ID of the facility.' }) facilityId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.deallocate(context, { collateralId, facilityId })
  }
}

/** Mutations that change the status of collateral. */
@Resolver(() => Collateral)
export class CollateralLifecycleResolver {
  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Marks active collateral as impaired. Impaired collateral is excluded from coverage.',
  })
  impairCollateral(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the collateral is impaired.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'impairCollateral', 'impair', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Restores impaired collateral, which then counts as coverage again.',
  })
  restoreCollateral(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the collateral is restored.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'restoreCollateral', 'restore', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Requests the release of collateral. The collateral counts as coverage until it is released.',
  })
  requestCollateralRelease(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the release is requested.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'requestCollateralRelease', 'requestRelease', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Withdraws the request to release collateral. The collateral becomes active, even if it ' +
      'was impaired before the request.',
  })
  withdrawCollateralRelease(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the request is withdrawn.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'withdrawCollateralRelease', 'withdrawRelease', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Releases collateral after a release request. The mutation fails if it would reduce the ' +
      'coverage of a facility to less than the facility requires.',
  })
  releaseCollateral(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the collateral is released.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'releaseCollateral', 'release', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description:
      'Starts the sale of active or impaired collateral. From then on, the collateral no longer ' +
      'counts as coverage.',
  })
  liquidateCollateral(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, { nullable: true, description: 'Why the collateral is sold.' })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'liquidateCollateral', 'liquidate', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Rejects collateral that is proposed or valued.' })
  rejectCollateral(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the collateral is rejected.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.transition(context, 'rejectCollateral', 'reject', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Records the proceeds of selling collateral in liquidation.',
  })
  recordLiquidation(
    @Arg('collateralId', () => ID, { description: 'The ID of the collateral.' })
    collateralId: string,
    @Arg('proceeds', () => MoneyInput, {
      description: 'The proceeds of the sale. Must not be negative.',
    })
    proceeds: MoneyInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.recordLiquidation(context, { collateralId, proceeds })
  }
}
