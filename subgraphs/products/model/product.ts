import { ParameterType, ProductStatus } from './enumerations.ts'
import {
  connectionOf,
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
      'The name of the reference rate from which the base rate was set; null if there is none.',
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
      'The interest rate of the product; null if the product bears no interest.',
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
  },
)

export const ProductConnection = connectionOf(Product)
