import { IdentifierScheme, CollateralStatus, Lapse } from './enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import type { Allocation } from '../domain/allocation.ts'
import type { Owner } from '../domain/owner.ts'
import type { Valuation } from '../domain/valuation.ts'
import {
  date,
  decimal,
  entity,
  id,
  instant,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const Party = entity('Party', 'partyId', undefined, {
  partyId: id(),
})
export type Party = TypeOf<typeof Party>

export const CollateralOwner = shape(
  'CollateralOwner',
  'An owner of collateral, with the share owned.',
  {
    partyId: id('The ID of the party that owns the share.'),
    sharePct: decimal(
      'The share owned, as a percentage greater than 0 and at most 100. The shares of all ' +
        'owners add up to at most 100.',
    ),
    party: object(Party, 'The party that owns the share.').orNull(),
  },
)
export type CollateralOwner = TypeOf<typeof CollateralOwner>

export const Identifier = shape(
  'CollateralIdentifier',
  'An identifier of collateral in an external register or system.',
  {
    scheme: oneOf(
      IdentifierScheme,
      'The numbering system to which the identifier belongs, such as `VIN` or `ISIN`.',
    ),
    value: label('The identifier, as it was entered.'),
  },
)
export type Identifier = TypeOf<typeof Identifier>

export const Perfection = shape(
  'CollateralPerfection',
  'The perfection of the security interest, which makes it enforceable against third parties.',
  {
    registry: label('The register or method of perfection, such as a land register or possession.'),
    reference: label('The reference of the registration; null if there is none.').orNull(),
    perfectedOn: date('The date on which the security interest was perfected.'),
    expiresOn: date(
      'The last day on which the perfection is valid; null if it does not expire.',
    ).orNull(),
  },
)
export type Perfection = TypeOf<typeof Perfection>

export const Insurance = shape('CollateralInsurance', 'The insurance of collateral.', {
  insurer: label('The name of the insurer.'),
  policyNumber: label('The number of the policy; null if not recorded.').orNull(),
  expiresOn: date('The last day of the policy.'),
})
export type Insurance = TypeOf<typeof Insurance>

/** The argument with the reason for a change of the status. */
const reason = (description: string) => text(description).orNull().named('reason')

export const Collateral = entity('Collateral', 'collateralId', 'An asset that secures lending.', {
  collateralId: id('The ID of the collateral, such as `col_…`.'),
  collateralType: label(
    'The type of the collateral, such as `real-estate`, `vehicle` or `securities`. Any other ' +
      'text is allowed.',
  ),
  description: text('A description of the asset; null if none was given.').orNull(),
  status: oneOf(CollateralStatus, 'The lifecycle status of the collateral.'),
  statusReason: text('The reason for the last status change; null if none was given.').orNull(),
  identifiers: list(
    object(Identifier),
    'The identifiers of the collateral in external registers and systems.',
  ),
  haircutPct: decimal('The haircut deducted from the market value, as a percentage from 0 to 100.'),
  perfection: object(
    Perfection,
    'The perfection of the security interest; null if no perfection is recorded.',
  ).orNull(),
  insurance: object(
    Insurance,
    'The insurance of the collateral; null if none is recorded.',
  ).orNull(),
  lapsed: list(oneOf(Lapse), 'The items that have lapsed and have not been renewed.'),
  createdAt: instant('When the collateral was recorded, in UTC.'),
  updatedAt: instant('When the collateral was last changed, in UTC.'),
  owners: stored<readonly Owner[]>(),
  /** The currency of all amounts; null until the first amount is recorded. */
  currency: stored<string | null>(),
  /** The total of the claims that rank ahead of the bank's lien. */
  priorLiensMinor: stored<bigint>(),
  /** The valuation with the latest date; null if no valuation was recorded. */
  valuation: stored<Valuation | null>(),
  /** The number of valuations recorded. */
  valuations: stored<number>(),
  allocations: stored<readonly Allocation[]>(),
  /** The proceeds of the liquidation; null until they are recorded. */
  proceedsMinor: stored<bigint | null>(),
  /** The date of the next lapse to report; null if there is none. */
  nextLapseOn: stored<LocalDate | null>(),
  contentHash: stored<string>(),
  version: stored<number>(),
})
export type Collateral = TypeOf<typeof Collateral>

/**
 * The changes of the status of collateral. The other transitions are made by a valuation, a
 * perfection and the record of a liquidation.
 */
export const collateralStates = stateMachine(
  Collateral,
  'status',
  {
    impairCollateral: {
      description:
        'Marks active collateral as impaired. Impaired collateral is excluded from coverage.',
      scope: 'collateral:write',
      from: ['active'],
      to: 'impaired',
      event: [
        'collateral.collateral.impaired',
        'Collateral was marked as impaired. It no longer counts as coverage.',
      ],
      args: { statusReason: reason('Why the collateral is impaired.') },
    },
    restoreCollateral: {
      description: 'Restores impaired collateral, which then counts as coverage again.',
      scope: 'collateral:write',
      from: ['impaired'],
      to: 'active',
      event: ['collateral.collateral.restored', 'Impaired collateral was restored.'],
      args: { statusReason: reason('Why the collateral is restored.') },
    },
    requestCollateralRelease: {
      description:
        'Requests the release of collateral. The collateral counts as coverage until it is released.',
      scope: 'collateral:write',
      from: ['active', 'impaired'],
      to: 'release-pending',
      event: [
        'collateral.collateral.release-requested',
        'The release of collateral was requested.',
      ],
      args: { statusReason: reason('Why the release is requested.') },
    },
    withdrawCollateralRelease: {
      description:
        'Withdraws the request to release collateral. The collateral becomes active, even if it ' +
        'was impaired before the request.',
      scope: 'collateral:write',
      from: ['release-pending'],
      to: 'active',
      event: [
        'collateral.collateral.release-withdrawn',
        'The request to release collateral was withdrawn.',
      ],
      args: { statusReason: reason('Why the request is withdrawn.') },
    },
    releaseCollateral: {
      description:
        'Releases collateral after a release request. The mutation fails if it would reduce the ' +
        'coverage of a facility to less than the facility requires.',
      scope: 'collateral:write',
      from: ['release-pending'],
      to: 'released',
      event: ['collateral.collateral.released', 'Collateral was released to its owners.'],
      args: { statusReason: reason('Why the collateral is released.') },
      set: () => ({ allocations: [] }),
    },
    liquidateCollateral: {
      description:
        'Starts the sale of active or impaired collateral. From then on, the collateral no longer ' +
        'counts as coverage.',
      scope: 'collateral:write',
      needsPerson: true,
      from: ['active', 'impaired'],
      to: 'liquidation',
      event: [
        'collateral.collateral.liquidation-started',
        'The liquidation of collateral started.',
      ],
      args: { statusReason: reason('Why the collateral is sold.') },
    },
    rejectCollateral: {
      description: 'Rejects collateral that is proposed or valued.',
      scope: 'collateral:write',
      from: ['proposed', 'valued'],
      to: 'rejected',
      event: ['collateral.collateral.rejected', 'Proposed or valued collateral was rejected.'],
      args: { statusReason: reason('Why the collateral is rejected.') },
      set: () => ({ allocations: [] }),
    },
  },
  { proposed: ['valued'], valued: ['active'], liquidation: ['liquidated'] },
)
