import { ParameterType, ProductStatus } from './enumerations.ts'
import { ProductRateReset } from './rate-reset.ts'
import type { DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import type { OverdraftTerms } from '../../../kernel/domain/overdraft.ts'
import type { Fee } from '../../../kernel/domain/fee.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  currency,
  date,
  decimal,
  entity,
  id,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ProductParameter = shape(
  'ProductParameter',
  'A product parameter with its allowed range. The value is chosen for each arrangement of the ' +
    'product.',
  {
    name: label('The name of the parameter, unique within the product version.'),
    type: oneOf(ParameterType, 'The data type of the parameter.'),
    minimum: decimal(
      'The lowest allowed number, inclusive; null if there is no lower bound.',
    ).orNull(),
    maximum: decimal(
      'The highest allowed number, inclusive; null if there is no upper bound.',
    ).orNull(),
    default: label('The default value; null if there is none.').orNull(),
  },
)
export type ProductParameter = TypeOf<typeof ProductParameter>

export const ProductInterest = shape(
  'ProductInterest',
  'The interest rate of a product, which is the sum of a base rate and a margin.',
  {
    basePct: decimal('The base rate, in percent per year.'),
    marginPct: decimal('The margin added to the base rate, in percentage points per year.'),
    referenceRate: label(
      'The ID of the reference rate from which the base rate was set; null if there is none.',
    ).orNull(),
    reset: object(
      ProductRateReset,
      'How the rate of a loan follows the reference rate; null if the agreed rate does not change.',
    ).orNull(),
  },
)
export type ProductInterest = TypeOf<typeof ProductInterest>

export const Product = entity(
  'Product',
  'productId version',
  'A version of a product. The content of a version never changes; only its status changes.',
  {
    productId: id('The ID of the product, shared by all of its versions.').inEvents(),
    version: label('The label of the version: a year and a month, such as `2026.10`.').inEvents(),
    name: label('The name of the product.').inEvents(),
    productClass: label(
      'The class of the product, such as `current-account`. It determines how the arrangements ' +
        'of the product behave.',
    ).inEvents(),
    status: oneOf(ProductStatus, 'The current lifecycle state of the version.').inEvents(),
    description: text('A description of the product; null if none was given.').orNull(),
    currencies: list(
      currency(),
      'The currencies in which the product is offered, as ISO 4217 codes. The first currency is ' +
        'the default.',
    ).inEvents(),
    parameters: list(
      object(ProductParameter),
      'The parameters whose values are chosen for each arrangement of the product.',
    ),
    interest: object(
      ProductInterest,
      'The interest rate of a credit product; null if the product bears no interest. The interest ' +
        'that accounts earn is in `depositInterest`.',
    ).orNull(),
    effectiveFrom: date(
      'The first day on which arrangements can be opened under the version; null if there is no ' +
        'first day.',
    )
      .orNull()
      .inEvents(),
    effectiveTo: date(
      'The last day on which arrangements can be opened under the version; null if there is no ' +
        'last day.',
    )
      .orNull()
      .inEvents(),
    maxPerCustomer: integer(
      'The maximum number of arrangements of the product that a customer can have at the same ' +
        'time; null if there is no maximum.',
    ).orNull(),
    createdAt: instant('When the version was created, in UTC.'),
    updatedAt: instant('When the status of the version last changed, in UTC.'),
    fees: stored<readonly Fee[]>(),
    depositInterest: stored<DepositInterest | null>(),
    overdraft: stored<OverdraftTerms | null>(),
    contentHash: stored<string>(),
    rowVersion: stored<number>(),
  },
)
export type Product = TypeOf<typeof Product>

export const productStates = stateMachine(
  Product,
  'status',
  {
    activateProduct: {
      description: 'Puts a draft version on sale. It supersedes the previous active version.',
      scope: 'products:write',
      from: ['draft'],
      to: 'active',
      event: ['products.product.version-activated', 'A product version was put on offer.'],
      isForDelegatedUsers: true,
    },
    suspendProduct: {
      description: 'Temporarily takes an active version off sale.',
      scope: 'products:write',
      from: ['active'],
      to: 'suspended',
      event: ['products.product.suspended', 'A product version was suspended.'],
      isForDelegatedUsers: true,
    },
    resumeProduct: {
      description:
        'Puts a suspended version back on sale. Rejected while another version of the product is ' +
        'active.',
      scope: 'products:write',
      from: ['suspended'],
      to: 'active',
      event: ['products.product.resumed', 'A suspended product version was resumed.'],
      isForDelegatedUsers: true,
    },
    retireProduct: {
      description:
        'Permanently takes an active, suspended or superseded version off sale. Existing ' +
        'arrangements are not affected.',
      scope: 'products:write',
      from: ['active', 'suspended', 'superseded'],
      to: 'retired',
      event: ['products.product.retired', 'A product version was retired.'],
      isForDelegatedUsers: true,
    },
    withdrawProduct: {
      description: 'Discards a draft version.',
      scope: 'products:write',
      from: ['draft'],
      to: 'withdrawn',
      event: ['products.product.withdrawn', 'A draft product version was withdrawn.'],
      isForDelegatedUsers: true,
    },
  },
  { active: ['superseded'] },
)
