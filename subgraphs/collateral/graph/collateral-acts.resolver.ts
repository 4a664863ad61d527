import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { MoneyInput } from '../../_kernel/graph/money.types.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import * as commands from '../collateral-commands.ts'
import type { Collateral as Domain } from '../domain/collateral.ts'
import {
  AllocateCollateralInput,
  CreateCollateralInput,
  InsureCollateralInput,
  PerfectCollateralInput,
  UpdateCollateralInput,
  ValueCollateralInput,
} from './collateral.inputs.ts'
import { Collateral } from './collateral.types.ts'

const reasonArg = { nullable: true, description: 'Why.' } as const

/** What is said of a collateral. */
@Resolver(() => Collateral)
export class CollateralContentResolver {
  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Records a collateral.' })
  createCollateral(
    @Arg('input', () => CreateCollateralInput) input: CreateCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.createCollateral(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Says more of a collateral.' })
  updateCollateral(
    @Arg('input', () => UpdateCollateralInput) input: UpdateCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.update(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Values a collateral. The valuation of the latest day counts; all are kept.',
  })
  valueCollateral(
    @Arg('input', () => ValueCollateralInput) input: ValueCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.value(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Makes the right of the bank good against everybody; what was valued counts.',
  })
  perfectCollateral(
    @Arg('input', () => PerfectCollateralInput) input: PerfectCollateralInput,
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
  @Mutation(() => Collateral, { description: 'Records the insurance of a collateral.' })
  insureCollateral(
    @Arg('input', () => InsureCollateralInput) input: InsureCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { collateralId, insurer, policyNumber, expiresOn } = input
    const insurance = { insurer, policyNumber: policyNumber ?? null, expiresOn }
    return commands.insure(context, { collateralId, ...insurance })
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Lets a collateral secure a facility.' })
  allocateCollateral(
    @Arg('input', () => AllocateCollateralInput) input: AllocateCollateralInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.allocate(context, input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Takes a collateral away from a facility that has enough without it.',
  })
  deallocateCollateral(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('facilityId', () => ID) facilityId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.deallocate(context, { collateralId, facilityId })
  }
}

/** What moves a collateral through its states. */
@Resolver(() => Collateral)
export class CollateralMovesResolver {
  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Something is wrong with it: it covers nothing.' })
  impairCollateral(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'impairCollateral', 'impair', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'It is sound again and covers what it is allocated to.',
  })
  restoreCollateral(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'restoreCollateral', 'restore', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'It is to be given back; until it is, it covers.' })
  requestCollateralRelease(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'requestCollateralRelease', 'requestRelease', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'It is kept after all.' })
  withdrawCollateralRelease(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'withdrawCollateralRelease', 'withdrawRelease', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Gives it back, where its facilities have enough without it.',
  })
  releaseCollateral(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'releaseCollateral', 'release', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, {
    description: 'Sells it to pay what it secures; it covers nothing more.',
  })
  liquidateCollateral(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'liquidateCollateral', 'liquidate', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'The bank does not take it.' })
  rejectCollateral(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('reason', () => TextScalar, reasonArg) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { collateralId, reason: reason ?? null }
    return commands.move(context, 'rejectCollateral', 'reject', input)
  }

  @Requires('collateral:write')
  @Mutation(() => Collateral, { description: 'Records what selling it brought.' })
  recordLiquidation(
    @Arg('collateralId', () => ID) collateralId: string,
    @Arg('proceeds', () => MoneyInput) proceeds: MoneyInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.recordLiquidation(context, { collateralId, proceeds })
  }
}
