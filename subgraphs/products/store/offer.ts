import type { OfferStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { insert, update, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { offerAt, type OfferHeadline, type ProductOffer } from '../domain/offer.ts'
import { moneyFromJson, moneyToJson, type MoneyInJson } from './rows.ts'

const table = 'products.product_offer'

type OfferRow = Prisma.ProductOfferGetPayload<object>
type HeadlineInJson = Omit<OfferHeadline, 'minAmount' | 'maxAmount'> & {
  minAmount: MoneyInJson | null
  maxAmount: MoneyInJson | null
}

function fromRow(row: OfferRow): ProductOffer {
  const headline = row.headline as unknown as HeadlineInJson
  const { minAmount, maxAmount } = headline
  return {
    ...row,
    status: row.status as ProductOffer['status'],
    headline: {
      ...headline,
      minAmount: minAmount && moneyFromJson(minAmount),
      maxAmount: maxAmount && moneyFromJson(maxAmount),
    },
  }
}

export function insertOffer(offer: ProductOffer): Write {
  const { minAmount, maxAmount } = offer.headline
  return insert(table, {
    offer_id: offer.offerId,
    product_id: offer.productId,
    product_version: offer.productVersion,
    pricing_quote_id: offer.pricingQuoteId,
    customer_id: offer.customerId,
    party_id: offer.partyId,
    status: offer.status,
    channel: offer.channel,
    headline: {
      ...offer.headline,
      minAmount: minAmount && moneyToJson(minAmount),
      maxAmount: maxAmount && moneyToJson(maxAmount),
    },
    valid_from: offer.validFrom,
    valid_to: offer.validTo,
    content_hash: offer.contentHash,
    version: offer.version,
    created_at: offer.createdAt,
    updated_at: offer.updatedAt,
  })
}

/** Returns the write that updates the status of an offer if it still has the expected version. */
export function updateOffer(
  { offerId, status, updatedAt }: ProductOffer,
  expectedVersion: number,
): Write {
  return update(table, { offer_id: offerId }, expectedVersion, { status, updated_at: updatedAt })
}

/**
 * Returns the write that marks offers as expired if each still has the version that was read.
 */
export function writeExpiredOffers(offers: readonly ProductOffer[], updatedAt: Date): Write {
  const rows = offers.map(({ offerId, version }) => ({
    offer_id: offerId,
    version,
    status: 'expired',
    updated_at: updatedAt,
  }))
  return updateMany(table, 'offer_id', rows)
}

/** Reads an offer as it is stored, without a visibility check; null if it does not exist. */
export async function findOffer(context: Context, offerId: string): Promise<ProductOffer | null> {
  const row = await context.db.productOffer.findUnique({ where: { offerId } })
  return row && fromRow(row)
}

/**
 * Returns whether the caller may see an offer. A delegated user may see offers made to their party
 * or to everyone, except drafts.
 */
export function maySeeOffer(context: Context, { partyId, status }: ProductOffer): boolean {
  if (context.caller.partyId === null) return true
  return status !== 'draft' && (partyId === null || maySee(context.caller, [partyId]))
}

/**
 * Loads offers by ID, with their effective status. Those that do not exist or are not visible to
 * the caller are null.
 */
export const loadOffer = loader<string, ProductOffer>(async (context, offerIds) => {
  const rows = await context.db.productOffer.findMany({ where: { offerId: { in: [...offerIds] } } })
  const now = context.now()
  const visibleOffers = rows
    .map((row) => offerAt(fromRow(row), now))
    .filter((offer) => maySeeOffer(context, offer))
  return inOrder(offerIds, visibleOffers, ({ offerId }) => offerId)
})

export interface OfferFilter {
  productId: string | null
  customerId: string | null
  status: OfferStatus | null
  channel: string | null
}

/** Lists the offers that are visible to the caller, in the order in which they were created. */
export async function listOffers(
  context: Context,
  filter: OfferFilter,
  after: string[] | null,
  take: number,
): Promise<ProductOffer[]> {
  const now = context.now()
  const { status } = filter
  const rows = await context.db.productOffer.findMany({
    where: {
      AND: [
        visibleWhere(context),
        statusWhere(status, now),
        afterTimeAndId('createdAt', 'offerId', after),
      ],
      ...(filter.productId !== null && { productId: filter.productId }),
      ...(filter.customerId !== null && { customerId: filter.customerId }),
      ...(filter.channel !== null && { channel: filter.channel }),
    },
    orderBy: [{ createdAt: 'asc' }, { offerId: 'asc' }],
    take,
  })
  return rows.map((row) => offerAt(fromRow(row), now))
}

function visibleWhere({ caller: { partyId } }: Context): Prisma.ProductOfferWhereInput {
  if (partyId === null) return {}
  return { OR: [{ partyId }, { partyId: null }], status: { not: 'draft' } }
}

/**
 * Returns the filter for an effective status. An active offer past `validTo` counts as expired even
 * before the worker records it.
 */
function statusWhere(status: OfferStatus | null, now: Date): Prisma.ProductOfferWhereInput {
  if (status === null) return {}
  if (status === 'active') return { status, validTo: { gt: now } }
  if (status !== 'expired') return { status }
  return { OR: [{ status }, { status: 'active', validTo: { lte: now } }] }
}

/** Finds offers that are stored as active although `validTo` has passed. */
export async function findOverdueOffers(
  context: Context,
  now: Date,
  take: number,
): Promise<ProductOffer[]> {
  const rows = await context.db.productOffer.findMany({
    where: { status: 'active', validTo: { lte: now } },
    orderBy: { validTo: 'asc' },
    take,
  })
  return rows.map(fromRow)
}
