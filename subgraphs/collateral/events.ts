import { CollateralStatus, Lapse } from './model/enumerations.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import {
  amountMinor,
  currency,
  date,
  boolean,
  id,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'

const collateralData = record({
  collateralId: id,
  collateralType: text,
  status: oneOf(CollateralStatus.values),
  owners: listOf(id),
  currency: orNull(currency),
  marketValueMinor: orNull(amountMinor),
  valuationDate: orNull(date),
  lendableMinor: amountMinor,
  allocations: listOf(record({ facilityId: id, rank: integer, allocatedMinor: amountMinor })),
  lapsed: listOf(oneOf(Lapse.values)),
})

const collateralEvents = declareEvents(
  {
    'collateral.collateral.created': 'Collateral was created.',
    'collateral.collateral.updated': 'The descriptive properties of collateral changed.',
    'collateral.collateral.valued': 'A valuation of collateral was recorded.',
    'collateral.collateral.perfected': 'The perfection of a security interest was recorded.',
    'collateral.collateral.insured': 'The insurance of collateral was recorded.',
    'collateral.collateral.allocated':
      'Collateral was allocated to a facility, or the allocation changed.',
    'collateral.collateral.deallocated': 'The allocation of collateral to a facility was removed.',
    'collateral.collateral.impaired':
      'Collateral was marked as impaired. It no longer counts as coverage.',
    'collateral.collateral.restored': 'Impaired collateral was restored.',
    'collateral.collateral.release-requested': 'The release of collateral was requested.',
    'collateral.collateral.release-withdrawn': 'The request to release collateral was withdrawn.',
    'collateral.collateral.released': 'Collateral was released to its owners.',
    'collateral.collateral.liquidation-started': 'The liquidation of collateral started.',
    'collateral.collateral.liquidated': 'Collateral was sold, and the proceeds were recorded.',
    'collateral.collateral.rejected': 'Proposed or valued collateral was rejected.',
    'collateral.collateral.perfection-lapsed':
      'The perfection of a security interest expired without renewal.',
    'collateral.collateral.insurance-lapsed':
      'The insurance of collateral expired without renewal.',
    'collateral.collateral.revaluation-due': 'A revaluation of collateral is due.',
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
  isShort: boolean,
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

/** The event type of each kind of lapse. */
export const lapseEvents: Readonly<Record<Lapse, CollateralEvent>> = {
  perfection: 'collateral.collateral.perfection-lapsed',
  insurance: 'collateral.collateral.insurance-lapsed',
  revaluation: 'collateral.collateral.revaluation-due',
}
