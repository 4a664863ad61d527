import {
  date,
  decimal,
  id,
  input,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { FeeFrequencyEnum, FeeTriggerEnum, WaiverKindEnum } from './fee.ts'

const ProductFeeTierInput = input(
  'ProductFeeTierInput',
  'A tier of a fee, priced by either `amount` or `percent`. The tier that contains the basis ' +
    'sets the price of the whole basis.',
  {
    upTo: money(
      'The upper bound of the tier, inclusive. Bounds must ascend from tier to tier; the ' +
        'last tier has none.',
    ).orNull(),
    amount: money('The fee as a fixed amount.').orNull(),
    percent: decimal('The fee as a percentage of the basis, from 0 to 100.').orNull(),
  },
)
type ProductFeeTierInput = TypeOf<typeof ProductFeeTierInput>

export const ProductFeeWaiverInput = input(
  'ProductFeeWaiverInput',
  'A condition under which a fee is waived. Exactly the fields of its kind must be sent.',
  {
    kind: oneOf(WaiverKindEnum, 'The condition that waives the fee.'),
    minimumBalance: money(
      'The minimum balance at the end of the fee period. Required for `MINIMUM_BALANCE`.',
    ).orNull(),
    segment: label(
      'The customer segment. Letter case is ignored. Required for `CUSTOMER_SEGMENT`.',
    ).orNull(),
    months: integer(
      'The age of the account, in months, below which the fee is waived, from 1 to 1,200. ' +
        'Required for `ACCOUNT_AGE`.',
    ).orNull(),
    campaignCode: id('The ID of the campaign. Required for `CAMPAIGN`.').orNull(),
    from: date('The first day of the campaign. Required for `CAMPAIGN`.').orNull(),
    to: date('The last day of the campaign, not before `from`. Required for `CAMPAIGN`.').orNull(),
  },
)
export type ProductFeeWaiverInput = TypeOf<typeof ProductFeeWaiverInput>

export const ProductFeeInput = input(
  'ProductFeeInput',
  'A fee of a product, with exactly one of `amount`, `percent` and `tiers`. All amounts ' +
    'must be in one currency of the product and must not be negative.',
  {
    code: label('The code of the fee, unique within the product version.'),
    name: label('The name of the fee.').orNull(),
    frequency: oneOf(FeeFrequencyEnum, 'How often the fee is charged.'),
    amount: money(
      'The fee as a fixed amount. For the frequency `PER_EVENT`, the amount per payment.',
    ).orNull(),
    percent: decimal(
      'The fee as a percentage, from 0 to 100, of the basis: the quoted amount, the account ' +
        'balance or the total of the payments charged.',
    ).orNull(),
    tiers: list(
      object(ProductFeeTierInput),
      'The tiers of the fee, in ascending order of `upTo`.',
    ).orNull(),
    minimum: money('The minimum charge. It must not exceed `maximum`.').orNull(),
    maximum: money('The maximum charge.').orNull(),
    waivers: list(
      object(ProductFeeWaiverInput),
      'The conditions under which the fee is waived. The first condition that is met applies.',
    ).orNull(),
    trigger: oneOf(
      FeeTriggerEnum,
      'What happens when the fee is charged. Required for the frequency `ON_EVENT`, and not ' +
        'allowed for any other.',
    ).orNull(),
    thirdParty: label(
      'The third party on whose behalf the bank charges the fee, such as `notary`: 1 to 40 lower-case ' +
        'letters, digits and hyphens. What is charged is not income but owed to the third party. ' +
        'Only allowed for the frequencies `ON_EVENT` and `ON_REQUEST`.',
    ).orNull(),
  },
)
export type ProductFeeInput = TypeOf<typeof ProductFeeInput>
