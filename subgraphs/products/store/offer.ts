import type { OfferStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { offerAt } from '../domain/offer.ts'
import type { ProductOffer, StoredHeadline } from '../model/offer.ts'
import { moneyFromJson, type MoneyInJson } from './rows.ts'

type OfferRow = Prisma.ProductOfferGetPayload<object>
type HeadlineInJson = Omit<StoredHeadline, 'minAmount' | 'maxAmount'> & {
  minAmount: MoneyInJson | null
  maxAmount: MoneyInJson | null
}

function fromRow(row: OfferRow): ProductOffer {
  const headline = row.headline as unknown as HeadlineInJson
  const { minAmount, maxAmount } = headline
  return {
    ...row,
    status: row.status as OfferStatus,
    headline: {
      ...headline,
      minAmount: minAmount && moneyFromJson(minAmount),
      maxAmount: maxAmount && moneyFromJson(maxAmount),
    },
  }
}

const table = 'products.product_offer'

/** The stored offers, without a visibility check. See `loadOffer` and `listOffers`. */
export const offerTable = tableOf<ProductOffer, OfferRow>(
  table,
  'offerId',
  ({ db }) => db.productOffer,
  fromRow,
)

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
  const found = await offerTable.loadMany(context, offerIds)
  const now = context.now()
  return found.map((stored) => {
    const offer = stored && offerAt(stored, now)
    return offer && maySeeOffer(context, offer) ? offer : null
  })
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
  { status, ...filter }: OfferFilter,
  after: string[] | null,
  take: number,
): Promise<ProductOffer[]> {
  const now = context.now()
  const where = { ...filter, AND: [visibleWhere(context), statusWhere(status, now)] }
  const offers = await offerTable.list(context, where, after, take)
  return offers.map((offer) => offerAt(offer, now))
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
export function findOverdueOffers(
  context: Context,
  now: Date,
  take: number,
): Promise<ProductOffer[]> {
  return offerTable.findMany(context, {
    where: { status: 'active', validTo: { lte: now } },
    orderBy: { validTo: 'asc' },
    take,
  })
}
