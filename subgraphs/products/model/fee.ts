import {
  date,
  decimal,
  enumeration,
  id,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const FeeFrequencyEnum = enumeration('FeeFrequency', 'How often a fee is charged.', {
  upfront: 'Once, when the account is opened or the loan is paid out.',
  monthly: 'Once a month.',
  quarterly: 'Once a quarter.',
  yearly: 'Once a year.',
  'per-event': 'Once a month, for each payment that the account made in the month.',
  'per-late-installment':
    'Once for each late installment of a loan. A percentage is charged on the installment.',
  'on-event': 'Each time `trigger` happens on the account. A percentage is charged on its amount.',
  'on-request': 'When an employee charges it, for a service.',
})

export const FeeTriggerEnum = enumeration(
  'FeeTrigger',
  'What happens on an account when a fee is charged.',
  {
    'payment-sent': 'A payment was sent to another bank.',
    'payment-returned': 'The other bank returned a payment.',
    'standing-order-missed': 'A payment of a standing order could not be made and was skipped.',
  },
)
export type FeeTriggerEnum = TypeOf<typeof FeeTriggerEnum>

export const WaiverKindEnum = enumeration(
  'FeeWaiverKind',
  'The condition under which a fee is waived.',
  {
    'minimum-balance':
      'The account balance is at least `minimumBalance` at the end of the fee period.',
    'customer-segment': 'The customer belongs to `segment`.',
    'account-age': 'The account is less than `months` months old when the fee period begins.',
    campaign: 'The fee period begins during the campaign, on a day from `from` to `to`.',
  },
)

export const ProductFeeTier = shape(
  'ProductFeeTier',
  'A tier of a fee. The tier that contains the basis of the fee (see `ProductFee`) sets the ' +
    'price of the whole basis.',
  {
    upTo: money('The upper bound of the tier, inclusive; null for the last tier.').orNull(),
    amount: money('The fee as a fixed amount; null if the tier is priced by percentage.').orNull(),
    percent: decimal(
      'The fee as a percentage of the basis, from 0 to 100; null if the tier is priced by amount.',
    ).orNull(),
  },
)
export type ProductFeeTier = TypeOf<typeof ProductFeeTier>

export const ProductFeeWaiver = shape(
  'ProductFeeWaiver',
  'A condition under which a fee is waived. Only the fields of its kind are set.',
  {
    kind: oneOf(WaiverKindEnum, 'The condition that waives the fee.'),
    minimumBalance: money(
      'The minimum balance at the end of the fee period; null unless the kind is ' +
        '`MINIMUM_BALANCE`.',
    ).orNull(),
    segment: label(
      'The customer segment; null unless the kind is `CUSTOMER_SEGMENT`. Letter case is ignored.',
    ).orNull(),
    months: integer(
      'The age of the account, in months, below which the fee is waived; null unless the kind is ' +
        '`ACCOUNT_AGE`.',
    ).orNull(),
    campaignCode: id('The ID of the campaign; null unless the kind is `CAMPAIGN`.').orNull(),
    from: date('The first day of the campaign; null unless the kind is `CAMPAIGN`.').orNull(),
    to: date('The last day of the campaign; null unless the kind is `CAMPAIGN`.').orNull(),
  },
)
export type ProductFeeWaiver = TypeOf<typeof ProductFeeWaiver>

export const ProductFee = shape(
  'ProductFee',
  'A fee of a product, priced in one of three ways: a fixed amount, a percentage of the ' +
    'basis, or tiers. The basis is the quoted amount, the account balance or the total of ' +
    'the payments charged.',
  {
    code: label('The code of the fee, unique within the product version.'),
    name: label('The name of the fee; null if none was given.').orNull(),
    frequency: oneOf(FeeFrequencyEnum, 'How often the fee is charged.'),
    amount: money(
      'The fee as a fixed amount. For the frequency `PER_EVENT`, the amount per payment. Null if ' +
        'the fee is priced otherwise.',
    ).orNull(),
    percent: decimal(
      'The fee as a percentage of the basis, from 0 to 100; null if the fee is priced otherwise.',
    ).orNull(),
    tiers: list(
      object(ProductFeeTier),
      'The tiers of the fee, in ascending order of `upTo`; empty if the fee is priced otherwise.',
    ),
    minimum: money('The minimum charge; null if there is none.').orNull(),
    maximum: money('The maximum charge; null if there is none.').orNull(),
    waivers: list(
      object(ProductFeeWaiver),
      'The conditions under which the fee is waived. The first condition that is met applies.',
    ),
    trigger: oneOf(
      FeeTriggerEnum,
      'What happens when the fee is charged; null unless the frequency is `ON_EVENT`.',
    ).orNull(),
    thirdParty: label(
      'The third party on whose behalf the bank charges the fee; null if the fee is income of the ' +
        'bank.',
    ).orNull(),
  },
)
export type ProductFee = TypeOf<typeof ProductFee>
