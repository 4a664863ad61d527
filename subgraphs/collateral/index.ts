import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import {
  CollateralContentMutations,
  CollateralStatusMutations,
} from './graph/collateral-mutations.ts'
import {
  CollateralQueries,
  CollateralResolver,
  FacilityCollateralsResolver,
  PartyCollateralsResolver,
} from './graph/collateral.resolver.ts'
import { FacilityCoverageResolver } from './graph/coverage.resolver.ts'
import { loadCollateral } from './store/collateral.ts'
import { watchCoverage, watchLapses } from './workers/coverage.ts'

/** The collateral subgraph: collateral, valuations and coverage. */
export const collateral: Subgraph = {
  name: 'collateral',
  resolvers: [
    CollateralQueries,
    CollateralResolver,
    CollateralContentMutations,
    CollateralStatusMutations,
    PartyCollateralsResolver,
    FacilityCollateralsResolver,
    FacilityCoverageResolver,
  ],
  types: [],
  references: {
    Collateral: referenceTo('lending:read', 'collateralId', loadCollateral),
    Party: referenceByKey('partyId'),
    Facility: referenceByKey('facilityId'),
  },
  workers: [watchLapses, watchCoverage],
}
