import { declareEvents } from '../_kernel/events.ts'
import {
  amountMinor,
  currency,
  day,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  whole,
} from '../_kernel/event-data.ts'
import { lapses, type Lapse } from './domain/lapse.ts'
import { collateralStatuses } from './domain/states.ts'

const collateralData = record({
  collateralId: id,
  collateralType: text,
  status: oneOf(collateralStatuses),
  owners: listOf(id),
  currency: orNull(currency),
  marketValueMinor: orNull(amountMinor),
  valuationDate: orNull(day),
  lendableMinor: amountMinor,
  allocations: listOf(record({ facilityId: id, rank: whole, allocatedMinor: amountMinor })),
  lapsed: listOf(oneOf(lapses)),
})

const collateralEvents = declareEvents(
  {
    'collateral.collateral.created': 'A collateral was created.',
    'collateral.collateral.updated': 'The descriptive properties of a collateral changed.',
    'collateral.collateral.valued': 'A valuation of a collateral was recorded.',
    'collateral.collateral.perfected': 'The perfection of a security interest was recorded.',
    'collateral.collateral.insured': 'The insurance of a collateral was recorded.',
    'collateral.collateral.allocated':
      'A collateral was allocated to a facility, or the allocation changed.',
    'collateral.collateral.deallocated':
      'The allocation of a collateral to a facility was removed.',
    'collateral.collateral.impaired':
      'A collateral was marked as impaired and is excluded from coverage.',
    'collateral.collateral.restored': 'An impaired collateral was restored.',
    'collateral.collateral.release-requested': 'The release of a collateral was requested.',
    'collateral.collateral.release-withdrawn': 'The release request of a collateral was withdrawn.',
    'collateral.collateral.released': 'A collateral was released to its owners.',
    'collateral.collateral.liquidation-started': 'The sale of a collateral started.',
    'collateral.collateral.liquidated': 'A collateral was sold and its proceeds were recorded.',
    'collateral.collateral.rejected': 'A collateral was rejected.',
    'collateral.collateral.perfection-lapsed':
      'The perfection of a security interest expired without renewal.',
    'collateral.collateral.insurance-lapsed':
      'The insurance of a collateral expired without renewal.',
    'collateral.collateral.revaluation-due': 'A revaluation of a collateral is due.',
  },
  collateralData,
)
export type CollateralEvent = keyof typeof collateralEvents

const coverageData = record({
  facilityId: id,
  currency,
  allocatedMinor: amountMinor,
  requiredMinor: amountMinor,
  collateralIds: listOf(id),
  isShort: flag,
})

const coverageEvents = declareEvents(
  {
    'collateral.collateral.margin-call':
      'The coverage of a facility fell below the required amount.',
    'collateral.collateral.margin-call-met':
      'The coverage of a facility reached the required amount again.',
  },
  coverageData,
)
export type CoverageEvent = keyof typeof coverageEvents

/** The event of each lapse. */
export const lapseEvents: Readonly<Record<Lapse, CollateralEvent>> = {
  perfection: 'collateral.collateral.perfection-lapsed',
  insurance: 'collateral.collateral.insurance-lapsed',
  revaluation: 'collateral.collateral.revaluation-due',
}
