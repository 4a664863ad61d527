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
    'collateral.collateral.created': 'The bank was offered something that secures a loan.',
    'collateral.collateral.updated': 'What is known of a collateral changed.',
    'collateral.collateral.valued': 'A collateral was valued, for the first time or again.',
    'collateral.collateral.perfected': 'The right to a collateral is good against everybody.',
    'collateral.collateral.insured': 'A collateral is insured, for the first time or again.',
    'collateral.collateral.allocated': 'A collateral secures a facility, or another part of it.',
    'collateral.collateral.deallocated': 'A collateral secures a facility no more.',
    'collateral.collateral.impaired': 'Something is wrong with a collateral; it covers nothing.',
    'collateral.collateral.restored': 'A collateral is sound again.',
    'collateral.collateral.release-requested': 'A collateral is to be given back.',
    'collateral.collateral.release-withdrawn': 'A collateral is kept after all.',
    'collateral.collateral.released': 'A collateral was given back.',
    'collateral.collateral.liquidation-started':
      'A collateral is being sold to pay what it secures.',
    'collateral.collateral.liquidated': 'A collateral was sold.',
    'collateral.collateral.rejected': 'The bank does not take a collateral.',
    'collateral.collateral.perfection-lapsed': 'The right to a collateral ran out unrenewed.',
    'collateral.collateral.insurance-lapsed': 'The insurance of a collateral ran out unrenewed.',
    'collateral.collateral.revaluation-due': 'A collateral has to be valued again.',
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
    'collateral.collateral.margin-call': 'What secures a facility is less than it has to be.',
    'collateral.collateral.margin-call-met': 'What secures a facility is enough again.',
  },
  coverageData,
)
export type CoverageEvent = keyof typeof coverageEvents

/** What is told when something ran out. */
export const lapseEvents: Readonly<Record<Lapse, CollateralEvent>> = {
  perfection: 'collateral.collateral.perfection-lapsed',
  insurance: 'collateral.collateral.insurance-lapsed',
  revaluation: 'collateral.collateral.revaluation-due',
}
