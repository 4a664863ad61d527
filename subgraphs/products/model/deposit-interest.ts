import {
  date,
  decimal,
  enumeration,
  id,
  input,
  list,
  money,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { ProductFixedTerms, ProductFixedTermsInput } from './fixed-terms.ts'

export const DepositDayCountEnum = enumeration(
  'DepositDayCount',
  'The day count convention of deposit interest, by the 2006 ISDA Definitions, section 4.16.',
  {
    'act-365': 'Actual/365 (Fixed), section 4.16 (d): actual days, divided by 365.',
    'act-360': 'Actual/360, section 4.16 (e): actual days, divided by 360.',
    'act-act':
      'Actual/Actual (ISDA), section 4.16 (b): actual days, each divided by the 365 or 366 days ' +
      'of its calendar year.',
    'thirty-360-us': '30/360 (bond basis), section 4.16 (f).',
    'thirty-e-360': '30E/360 (Eurobond basis), section 4.16 (g).',
  },
)

export const TierMethodEnum = enumeration(
  'InterestTierMethod',
  'How the tiers of an interest rate apply to a balance.',
  {
    band: 'Each slice of the balance earns the rate of its own tier.',
    'whole-balance': 'The whole balance earns the rate of the tier that contains it.',
  },
)

export const CapitalizationEnum = enumeration(
  'InterestCapitalizationFrequency',
  'When accrued interest is paid.',
  {
    monthly: 'On the first day of each month, for the month before.',
    quarterly: 'On the first day of each calendar quarter, for the quarter before.',
    annually: 'On January 1, for the year before.',
    'at-maturity': 'Once, when the account is closed.',
  },
)

export const ProductDepositInterestTier = shape(
  'ProductDepositInterestTier',
  'A tier of an interest rate.',
  {
    upTo: money('The upper bound of the tier, inclusive; null for the last tier.').orNull(),
    annualRatePct: decimal(
      'The interest rate, in percent per year, or what is added to the reference rate. A negative ' +
        'rate is charged to the customer.',
    ),
  },
)
export type ProductDepositInterestTier = TypeOf<typeof ProductDepositInterestTier>

export const ProductFloatingDepositRate = shape(
  'ProductFloatingDepositRate',
  'How the rates of deposits follow a reference rate. Each day earns with the last fixing that was ' +
    'recorded by its end.',
  {
    referenceRateId: id('The ID of the reference rate.'),
    minimumRatePct: decimal(
      'The lowest rate of a tier, in percent per year; null if there is none.',
    ).orNull(),
    maximumRatePct: decimal(
      'The highest rate of a tier, in percent per year; null if there is none.',
    ).orNull(),
  },
)
export type ProductFloatingDepositRate = TypeOf<typeof ProductFloatingDepositRate>

export const ProductDepositInterest = shape(
  'ProductDepositInterest',
  'The interest that a product version pays on the balances of its accounts.',
  {
    tierMethod: oneOf(TierMethodEnum, 'How the tiers apply to a balance.'),
    tiers: list(
      object(ProductDepositInterestTier),
      'The tiers, in ascending order of `upTo`. A single tier is one rate for every balance.',
    ),
    floatingRate: object(
      ProductFloatingDepositRate,
      'The reference rate to which the rates of the tiers are added; null if they are fixed.',
    ).orNull(),
    dayCount: oneOf(DepositDayCountEnum, 'How the days of an interest period are counted.'),
    minimumBalance: money(
      'The balance below which nothing is earned; null if every positive balance earns interest.',
    ).orNull(),
    capitalization: oneOf(CapitalizationEnum, 'When accrued interest is paid.'),
    withholdingTaxPct: decimal(
      'The percentage of paid interest that is withheld as tax, from 0 to 100.',
    ),
    fixedTerms: object(
      ProductFixedTerms,
      'The terms for which money can be deposited at a fixed rate; null if there are none. The ' +
        'tiers apply to money that is not deposited for a term.',
    ).orNull(),
    existingAccountsFrom: date(
      'The first day on which the terms also apply to accounts that were opened under earlier ' +
        'versions; null if they apply only to accounts that are opened under this version.',
    ).orNull(),
  },
)
export type ProductDepositInterest = TypeOf<typeof ProductDepositInterest>

const ProductDepositInterestTierInput = input(
  'ProductDepositInterestTierInput',
  'A tier of an interest rate.',
  {
    upTo: money(
      'The upper bound of the tier, inclusive. Bounds must ascend from tier to tier; the last ' +
        'tier has none.',
    ).orNull(),
    annualRatePct: decimal(
      'The interest rate in percent per year or, with `floatingRate`, what is added to the reference ' +
        'rate, from -100 to 100 with at most 6 decimals. A negative rate is charged to the customer.',
    ),
  },
)

const ProductFloatingDepositRateInput = input(
  'ProductFloatingDepositRateInput',
  'How the rates of deposits follow a reference rate.',
  {
    referenceRateId: id(
      'The ID of the reference rate. It must have a fixing for today or an earlier day.',
    ),
    minimumRatePct: decimal(
      'The lowest rate of a tier, in percent per year, from -100 to 100 with at most 6 decimals. If ' +
        'omitted, there is none, and a negative rate is charged to the customer.',
    ).orNull(),
    maximumRatePct: decimal(
      'The highest rate of a tier, in percent per year, from -100 to 100 with at most 6 decimals and ' +
        'not below the lowest. If omitted, there is none.',
    ).orNull(),
  },
)

export const ProductDepositInterestInput = input(
  'ProductDepositInterestInput',
  'The interest that a product version pays on the balances of its accounts. If a bound or a ' +
    'minimum balance is given, the product must have exactly its currency.',
  {
    tierMethod: oneOf(
      TierMethodEnum,
      'How the tiers apply to a balance. Defaults to `BAND`.',
    ).orNull(),
    tiers: list(
      object(ProductDepositInterestTierInput),
      'The tiers, in ascending order of `upTo`. A single tier is one rate for every balance.',
    ),
    floatingRate: object(
      ProductFloatingDepositRateInput,
      'The reference rate to which the rates of the tiers are added. If omitted, they are fixed.',
    ).orNull(),
    dayCount: oneOf(
      DepositDayCountEnum,
      'How the days of an interest period are counted. Defaults to `ACT_365`.',
    ).orNull(),
    minimumBalance: money(
      'The balance below which nothing is earned. If omitted, every positive balance earns ' +
        'interest.',
    ).orNull(),
    capitalization: oneOf(CapitalizationEnum, 'When accrued interest is paid.'),
    withholdingTaxPct: decimal(
      'The percentage of paid interest that is withheld as tax, from 0 to 100. Defaults to 0.',
    ).orNull(),
    fixedTerms: object(
      ProductFixedTermsInput,
      'The terms for which money can be deposited at a fixed rate. If omitted, there are none.',
    ).orNull(),
    existingAccountsFrom: date(
      'The first day on which the terms also apply to accounts that were opened under earlier ' +
        'versions. It must not be before the day on which the version becomes active. If omitted, ' +
        'the terms apply only to accounts that are opened under this version.',
    ).orNull(),
  },
)
export type ProductDepositInterestInput = TypeOf<typeof ProductDepositInterestInput>
