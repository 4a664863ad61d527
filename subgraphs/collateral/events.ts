import { CollateralStatus, Lapse } from './model/enumerations.ts'
import { Collateral, collateralStates } from './model/collateral.ts'
import { Facility } from './model/coverage.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
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

declareSubject('collateral', Collateral)
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
    'collateral.collateral.liquidated': 'Collateral was sold, and the proceeds were recorded.',
    'collateral.collateral.perfection-lapsed':
      'The perfection of a security interest expired without renewal.',
    'collateral.collateral.insurance-lapsed':
      'The insurance of collateral expired without renewal.',
    'collateral.collateral.revaluation-due': 'A revaluation of collateral is due.',
    ...eventsOf(collateralStates),
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

declareSubject('collateral-coverage', Facility)
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
