import { ParameterType } from './enumerations.ts'
import {
  currency,
  date,
  decimal,
  id,
  input,
  integer,
  label,
  list,
  object,
  oneOf,
  text,
  type TypeOf,
  versionLabel,
} from '../../../kernel/domain/model.ts'
import { ProductDepositInterestInput } from './deposit-interest.ts'
import { ProductOverdraftInput } from './overdraft.ts'
import { ProductRateResetInput } from './rate-reset.ts'
import { ProductFeeInput } from './fee-inputs.ts'

const ProductParameterInput = input(
  'ProductParameterInput',
  'A parameter whose value is chosen for each arrangement of the product, with its range.',
  {
    name: label('The name of the parameter, unique within the product version.'),
    type: oneOf(ParameterType, 'The data type of the parameter.'),
    minimum: decimal(
      'The lowest allowed number, inclusive. Only allowed for numeric types.',
    ).orNull(),
    maximum: decimal(
      'The highest allowed number, inclusive. Only allowed for numeric types.',
    ).orNull(),
    default: label(
      'The default value. It must have the type of the parameter and be within its range.',
    ).orNull(),
  },
)
type ProductParameterInput = TypeOf<typeof ProductParameterInput>

const ProductInterestInput = input(
  'ProductInterestInput',
  'The interest rate of a product, which is the sum of a base rate and a margin.',
  {
    basePct: decimal('The base rate, in percent per year.'),
    marginPct: decimal(
      'The margin added to the base rate, in percentage points per year. Defaults to 0.',
    ).orNull(),
    referenceRate: label(
      'The ID of the reference rate from which the base rate was set. With `reset`, a reference ' +
        'rate with this ID must exist.',
    ).orNull(),
    reset: object(
      ProductRateResetInput,
      'How the rate of a loan follows the reference rate. If omitted, the rate that was agreed at ' +
        'opening does not change. Only allowed for loans and credit lines.',
    ).orNull(),
  },
)
type ProductInterestInput = TypeOf<typeof ProductInterestInput>

export const CreateProductInput = input('CreateProductInput', 'The product version to create.', {
  productId: id(
    'The ID of the product: an existing product, to which a version is added, or a new product.',
  ),
  name: label('The name of the product.'),
  productClass: label(
    'The class of the product. Arrangements can be opened for `current-account`, ' +
      '`savings-account`, `term-deposit`, `consumer-loan`, `mortgage`, `overdraft`, ' +
      '`revolving-credit` and `sme-facility`. Products of any other class are only listed in the ' +
      'catalog.',
  ),
  status: label(
    'The initial state, in any letter case: `draft` or `active`. An active version supersedes ' +
      'the previous active version.',
  ),
  version: versionLabel('The label of the version: a year and a month, such as `2026.10`.'),
  description: text('A description of the product.').orNull(),
  currencies: list(
    currency(),
    'The currencies in which the product is offered, each at most once. The first currency is ' +
      'the default. If omitted, the product is offered in EUR.',
  ).orNull(),
  parameters: list(
    object(ProductParameterInput),
    'The parameters whose values are chosen for each arrangement of the product.',
  ).orNull(),
  fees: list(object(ProductFeeInput), 'The fees of the product.').orNull(),
  interest: object(
    ProductInterestInput,
    'The interest rate of the product. If omitted, the product bears no interest.',
  ).orNull(),
  depositInterest: object(
    ProductDepositInterestInput,
    'The interest that the product pays on the balances of its accounts. If omitted, accounts ' +
      'earn no interest. Only allowed for current accounts, savings accounts and term deposits.',
  ).orNull(),
  overdraft: object(
    ProductOverdraftInput,
    'The terms on which accounts can be overdrawn. If omitted, overdrafts of accounts under the ' +
      'version bear no interest. Only allowed for current accounts.',
  ).orNull(),
  effectiveFrom: date(
    'The first day on which arrangements can be opened under the version. If omitted, there is ' +
      'no first day.',
  ).orNull(),
  effectiveTo: date(
    'The last day on which arrangements can be opened under the version, not before ' +
      '`effectiveFrom`. If omitted, there is no last day.',
  ).orNull(),
  maxPerCustomer: integer(
    'The maximum number of arrangements of the product that a customer can have at the same ' +
      'time, at least 1. If omitted, there is no maximum.',
  ).orNull(),
})
export type CreateProductInput = TypeOf<typeof CreateProductInput>
