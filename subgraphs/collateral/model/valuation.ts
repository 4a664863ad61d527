import { ValuationMethod } from './enumerations.ts'
import {
  date,
  instant,
  integer,
  label,
  money,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const CollateralValuation = shape(
  'CollateralValuation',
  'A valuation of collateral. Valuations are never changed.',
  {
    number: integer(
      'The sequence number of the valuation, in the order of recording, starting at 1.',
    ),
    marketValue: money('The market value, before the haircut and prior liens.'),
    forcedSaleValue: money(
      'The value expected in a forced sale, at most the market value; null if it was not assessed.',
    ).orNull(),
    valuationDate: date('The date as of which the value was determined.'),
    method: oneOf(ValuationMethod, 'The method by which the value was determined.'),
    valuer: label(
      'The person or company that determined the value; null if not recorded.',
    ).orNull(),
    source: label(
      'The source of the value, such as a report or price feed; null if not recorded.',
    ).orNull(),
    nextRevaluationDue: date(
      'The date on which the next valuation is due; null if none is scheduled.',
    ).orNull(),
    recordedAt: instant('When the valuation was recorded, in UTC.'),
  },
)
export type CollateralValuation = TypeOf<typeof CollateralValuation>
