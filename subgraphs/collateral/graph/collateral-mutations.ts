import { dateOf } from '../../../kernel/domain/dates.ts'
import { id, money, object } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import * as commands from '../commands/collateral.ts'
import {
  AllocateCollateralInput,
  CreateCollateralInput,
  InsureCollateralInput,
  PerfectCollateralInput,
  UpdateCollateralInput,
  ValueCollateralInput,
} from '../model/collateral-inputs.ts'
import { Collateral, collateralStates } from '../model/collateral.ts'

const write = { scope: 'collateral:write', returns: Collateral } as const
const collateralId = id('The ID of the collateral.')

/** Mutations that change the data of collateral. */
export const CollateralContentMutations = resolverOf({
  mutations: {
    createCollateral: operation({
      ...write,
      description: 'Creates a collateral record.',
      args: { input: object(CreateCollateralInput, 'The collateral to create.') },
      resolve: (context, { input }) => commands.createCollateral(context, input),
    }),
    updateCollateral: operation({
      ...write,
      description:
        'Updates the description, owners, identifiers, haircut or prior liens of collateral.',
      args: { input: object(UpdateCollateralInput, 'The changes to the collateral.') },
      resolve: (context, { input }) => commands.update(context, input),
    }),
    valueCollateral: operation({
      ...write,
      description: 'Records a valuation of collateral. The valuation with the latest date applies.',
      args: { input: object(ValueCollateralInput, 'The valuation to record.') },
      resolve: (context, { input }) => commands.value(context, input),
    }),
    perfectCollateral: operation({
      ...write,
      description:
        'Records the perfection of the security interest in collateral. Collateral with the status ' +
        '`VALUED` becomes `ACTIVE`.',
      args: { input: object(PerfectCollateralInput, 'The perfection to record.') },
      resolve: (
        context,
        { input: { collateralId, registry, reference, perfectedOn, expiresOn } },
      ) =>
        commands.perfect(context, {
          collateralId,
          registry,
          reference: reference ?? null,
          perfectedOn: perfectedOn ?? dateOf(context.now()),
          expiresOn: expiresOn ?? null,
        }),
    }),
    insureCollateral: operation({
      ...write,
      description: 'Records the insurance of collateral, replacing any earlier insurance.',
      args: { input: object(InsureCollateralInput, 'The insurance to record.') },
      resolve(context, { input: { collateralId, insurer, policyNumber, expiresOn } }) {
        const insurance = { insurer, policyNumber: policyNumber ?? null, expiresOn }
        return commands.insure(context, { collateralId, ...insurance })
      },
    }),
    allocateCollateral: operation({
      ...write,
      description:
        'Allocates valued or active collateral to a facility. If the collateral has no owner, the ' +
        'borrower of the facility becomes the owner. The mutation fails if the allocations would ' +
        'exceed the lendable value, or if it would reduce the coverage of a facility to less than ' +
        'the facility requires.',
      args: { input: object(AllocateCollateralInput, 'The allocation to make.') },
      resolve: (context, { input }) => commands.allocate(context, input),
    }),
    deallocateCollateral: operation({
      ...write,
      description:
        'Removes the allocation of collateral to a facility. The mutation fails if it would reduce ' +
        'the coverage of the facility to less than the facility requires.',
      args: { collateralId, facilityId: id('The ID of the facility.') },
      resolve: (context, args) => commands.deallocate(context, args),
    }),
  },
})

/** Mutations that change the status of collateral. */
export const CollateralStatusMutations = resolverOf({
  mutations: {
    ...transitionsOf(collateralStates, commands.changeStatus),
    recordLiquidation: operation({
      ...write,
      description: 'Records the proceeds of selling collateral in liquidation.',
      args: { collateralId, proceeds: money('The proceeds of the sale. Must not be negative.') },
      resolve: (context, args) => commands.recordLiquidation(context, args),
    }),
  },
})
