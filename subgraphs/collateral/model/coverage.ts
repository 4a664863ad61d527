import {
  boolean,
  decimal,
  entity,
  id,
  integer,
  money,
  object,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const Facility = entity('Facility', 'facilityId', undefined, {
  facilityId: id(),
})
export type Facility = TypeOf<typeof Facility>

export const CollateralLink = shape(
  'CollateralLink',
  'The allocation of collateral to a facility.',
  {
    facilityId: id('The ID of the secured facility.'),
    facility: object(
      Facility,
      'The secured facility; null if the facility is not visible to the caller.',
    ).orNull(),
    rank: integer(
      'The rank of the allocation, from 1 to 99. Lower ranks are satisfied first; allocations ' +
        'of the same rank share pro rata.',
    ),
    amount: money('The requested amount; null if a percentage was requested.').orNull(),
    pct: decimal(
      'The requested part of the lendable value, as a percentage; null if an amount was requested.',
    ).orNull(),
    allocated: money(
      'The amount that actually secures the facility, given the lendable value and the ranks of ' +
        'all allocations.',
    ),
    isCovering: boolean(
      'Whether the allocation counts as coverage, which it does while the collateral is active ' +
        'or its release is pending.',
    ),
  },
)
export type CollateralLink = TypeOf<typeof CollateralLink>

export const FacilityCoverage = shape(
  'FacilityCoverage',
  'The collateral coverage of a facility.',
  {
    allocated: money('The amount secured by collateral that counts as coverage.'),
    required: money('The coverage required for the outstanding balance.'),
    shortfall: money(
      'The required coverage that is not allocated; 0 if the facility is sufficiently covered.',
    ),
  },
)
