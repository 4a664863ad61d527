import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import {
  CollateralContentResolver,
  CollateralMovesResolver,
} from './graph/collateral-acts.resolver.ts'
import {
  CollateralResolver,
  FacilityCollateralsResolver,
  PartyCollateralsResolver,
} from './graph/collateral.resolver.ts'
import { loadCollateral } from './store/collateral.ts'
import { watchCoverage, watchLapses } from './workers.ts'

/** Collateral. */
export const collateral: Subgraph = {
  name: 'collateral',
  resolvers: [
    CollateralResolver,
    CollateralContentResolver,
    CollateralMovesResolver,
    PartyCollateralsResolver,
    FacilityCollateralsResolver,
  ],
  types: [],
  references: {
    Collateral: ({ collateralId }: { collateralId: string }, context: Context) => {
      requireScope(context.caller, 'lending:read')
      return loadCollateral(context, collateralId)
    },
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
    Facility: ({ facilityId }: { facilityId: string }) => ({ facilityId }),
  },
  workers: [watchLapses, watchCoverage],
}
