import type { Campaign } from '../model/campaign.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { newCampaign, requireApplicable, type CampaignRequest } from '../domain/campaign.ts'
import { campaignKind } from '../store/campaign.ts'
import { findProductVersions } from '../store/product.ts'

/**
 * Creates a campaign. Repeating the request with the same ID and content returns the existing
 * campaign.
 * Throws RESOURCE_EXISTS, PRODUCT_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and whatever `newCampaign`
 * throws.
 */
export function createCampaign(
  context: Context,
  request: CampaignRequest & { campaignId?: string | null },
): Promise<Campaign> {
  requireBank(context)
  const { campaignId, ...terms } = request
  return createRecord(
    context,
    campaignKind,
    'createCampaign',
    request,
    campaignId,
    async (stamp) => {
      const record = newCampaign(terms, { ...versioned(stamp), campaignId: stamp.id })
      for (const [index, productId] of record.productIds.entries()) {
        const product = await findProductVersions(context, productId)
        if (!product) throw missingReference('PRODUCT_NOT_FOUND', productId, `/productIds/${index}`)
      }
      return { record }
    },
  )
}

/**
 * The product and the customer to which a campaign must apply. `customerId` is null for a price
 * that applies to everyone.
 */
interface CampaignTarget {
  productId: string
  customerId: string | null
}

/**
 * Returns the rate discount that a campaign gives on a product, and the reason to show in the
 * quote. Returns an empty object if the campaign only waives fees.
 * Throws CAMPAIGN_NOT_FOUND with a pointer to `campaignId`, and CAMPAIGN_NOT_APPLICABLE.
 */
export async function discountOf(
  context: Context,
  campaignId: string,
  { productId, customerId }: CampaignTarget,
) {
  const campaign = await campaignKind.find(context, campaignId)
  if (!campaign) throw missingReference('CAMPAIGN_NOT_FOUND', campaignId, '/campaignId')
  const [fact] = customerId ? await readHeldFacts(context, [`customer/${customerId}`]) : [null]
  const segment = (fact?.['segment'] as string | null | undefined) ?? null
  requireApplicable(campaign, { productId, segment, day: dateOf(context.now()) })
  const { discountPct } = campaign
  return discountPct === null ? {} : { discountPct, discountReason: `campaign/${campaignId}` }
}
