import { enumeration, id, string, type TypeOf } from '../../../kernel/domain/model.ts'

export const GeneralLedgerDimension = enumeration(
  'GeneralLedgerDimension',
  'A dimension by which reports of the general ledger are divided.',
  {
    product: 'The products of accounts and loans.',
    segment: 'The market segments of customers, in lower case.',
  },
)
export type GeneralLedgerDimension = TypeOf<typeof GeneralLedgerDimension>

/** The members that name the product or the segment of a report. */
export const dimensionMembers = {
  productId: id(
    'The product of the amounts. Null in a report that is not by product, and for amounts that belong to no product.',
  ).orNull(),
  segment: string(
    'The customer segment of the amounts, in lower case. Null in a report that is not by segment, and for amounts that belong to no segment.',
  ).orNull(),
}
