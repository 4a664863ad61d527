import type { PriceComponent, PricingQuote, StoredFee } from '../model/pricing-quote.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { decimalColumn } from './rows.ts'

type QuoteRow = Prisma.PricingQuoteGetPayload<object>
type FeeInJson = Omit<StoredFee, 'amountMinor'> & { amountMinor: string }

function fromRow(row: QuoteRow): PricingQuote {
  const fees = row.fees as unknown as FeeInJson[]
  return {
    ...row,
    components: row.components as unknown as PriceComponent[],
    ratePct: decimalColumn(row.ratePct),
    fees: fees.map((fee) => ({ ...fee, amountMinor: BigInt(fee.amountMinor) })),
    aprcPct: decimalColumn(row.aprcPct),
  }
}

export function insertQuote(quote: PricingQuote): Write {
  return insert('products.pricing_quote', columnsOf(quote))
}

/** Reads a quote without a visibility check; null if it does not exist. */
export async function findQuote(context: Context, id: string): Promise<PricingQuote | null> {
  const row = await context.db.pricingQuote.findUnique({ where: { pricingQuoteId: id } })
  return row && fromRow(row)
}

/** Loads quotes by ID. Those that do not exist or are not visible to the caller are null. */
export const loadQuote = loader<string, PricingQuote>(async (context, ids) => {
  const rows = await context.db.pricingQuote.findMany({
    where: { pricingQuoteId: { in: [...ids] } },
  })
  const visibleRows = rows.filter(
    ({ partyId }) => partyId === null || maySee(context.caller, [partyId]),
  )
  return inOrder(ids, visibleRows.map(fromRow), ({ pricingQuoteId }) => pricingQuoteId)
})
