import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const CollateralStatus = enumeration(
  'CollateralStatus',
  'The lifecycle status of collateral.',
  {
    proposed: 'The collateral was offered and has no valuation yet.',
    valued:
      'The collateral has a valuation, but the security interest is not perfected yet. The ' +
      'collateral does not count as coverage.',
    active: 'The collateral counts as coverage.',
    impaired:
      'The collateral has a known defect and is excluded from coverage until it is restored.',
    'release-pending': 'A release was requested; the collateral still counts as coverage.',
    released: 'The collateral was returned to its owners. This status is final.',
    liquidation: 'The collateral is being sold and no longer counts as coverage.',
    liquidated: 'The collateral was sold and its proceeds are recorded. This status is final.',
    rejected: 'The bank declined the collateral. This status is final.',
  },
)
export type CollateralStatus = TypeOf<typeof CollateralStatus>

export const IdentifierScheme = enumeration(
  'CollateralIdentifierScheme',
  'The numbering system to which an identifier belongs. To prevent pledging the same asset ' +
    'twice, only one collateral record can have an identifier, not counting records in a final ' +
    'status. `ISIN` and `OTHER` are exceptions.',
  {
    'cadastral-number': 'The parcel number of a property in the cadaster.',
    'title-number': 'The number of a property in the land register.',
    vin: 'A vehicle identification number (ISO 3779).',
    'serial-number': "The manufacturer's serial number of a piece of equipment.",
    'policy-number': 'The number of an insurance policy.',
    'account-number': 'The number of a pledged account.',
    isin:
      'An International Securities Identification Number (ISO 6166). Several collateral records ' +
      'can have the same one.',
    other: 'Any other identifier. Several collateral records can have the same one.',
  },
)
export type IdentifierScheme = TypeOf<typeof IdentifierScheme>

export const Lapse = enumeration(
  'CollateralLapse',
  'Something that has lapsed and must be renewed.',
  {
    perfection: 'The perfection of the security interest expired.',
    insurance: 'The insurance policy expired.',
    revaluation: 'A revaluation is due.',
  },
)
export type Lapse = TypeOf<typeof Lapse>

export const CollateralRequirement = enumeration(
  'CollateralRequirement',
  'Something that must be supplied before collateral counts as coverage.',
  {
    owner:
      'An owner. Set it with `updateCollateral`; otherwise the borrower of the first facility to ' +
      'which the collateral is allocated becomes its owner.',
    valuation: 'A valuation. Record it with `valueCollateral`.',
    perfection:
      'The perfection of the security interest, which activates the collateral. Record it with ' +
      '`perfectCollateral`, after a valuation.',
    allocation:
      'An allocation to a facility. Make it with `allocateCollateral`, after a valuation.',
  },
)
export type CollateralRequirement = TypeOf<typeof CollateralRequirement>

export const ValuationMethod = enumeration(
  'ValuationMethod',
  'The method by which collateral was valued.',
  {
    appraisal: 'An appraiser assessed the collateral.',
    index: 'An earlier value was adjusted with a price index.',
    'purchase-price': 'The price paid for the collateral.',
    'market-price': 'The price quoted on a market.',
    'self-declared': "The owner's own statement.",
  },
)
export type ValuationMethod = TypeOf<typeof ValuationMethod>
