import type { PriceComponent } from '../model/pricing-quote.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { PricedFee, PricingQuote } from '../domain/quote.ts'
import { decimalColumn } from './rows.ts'

type QuoteRow = Prisma.PricingQuoteGetPayload<object>
type FeeInJson = Omit<PricedFee, 'amountMinor'> & { amountMinor: string }

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
  return insert('products.pricing_quote', {
    pricing_quote_id: quote.pricingQuoteId,
    product_id: quote.productId,
    product_version: quote.productVersion,
    customer_id: quote.customerId,
    party_id: quote.partyId,
    currency: quote.currency,
    amount_minor: quote.amountMinor,
    term_months: quote.termMonths,
    rule_version: quote.ruleVersion,
    components: quote.components,
    rate_pct: quote.ratePct,
    fees: quote.fees.map((fee) => ({ ...fee, amountMinor: fee.amountMinor.toString() })),
    installment_minor: quote.installmentMinor,
    total_payable_minor: quote.totalPayableMinor,
    aprc_pct: quote.aprcPct,
    expires_at: quote.expiresAt,
    content_hash: quote.contentHash,
    created_at: quote.createdAt,
  })
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
