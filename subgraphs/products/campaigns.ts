import { requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { readHeldFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, versioned } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import {
  moveCampaign,
  newCampaign,
  requireApplicable,
  type Campaign,
  type CampaignAsked,
  type CampaignStatus,
} from './domain/campaign.ts'
import { campaignKind, findOver } from './store/campaign.ts'
import { findLine } from './store/product.ts'

/**
 * Creates a campaign. Repeating the same id and content returns the existing campaign.
 * Rejects with RESOURCE_EXISTS, PRODUCT_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and as `newCampaign`.
 */
export function createCampaign(
  context: Context,
  asked: CampaignAsked & { campaignId?: string | null },
): Promise<Campaign> {
  requireBank(context)
  const { campaignId, ...terms } = asked
  return createRecord(context, campaignKind, 'createCampaign', asked, campaignId, async (made) => {
    const record = newCampaign(terms, { ...versioned(made), campaignId: made.id })
    for (const [at, productId] of record.productIds.entries()) {
      const line = await findLine(context, productId)
      if (!line) throw missingReference('PRODUCT_NOT_FOUND', productId, `/productIds/${at}`)
    }
    return { record }
  })
}

/**
 * Changes the status of a campaign. Rejects with CAMPAIGN_NOT_FOUND, INVALID_STATE_TRANSITION,
 * NOT_FOR_DELEGATED_USERS.
 */
export function changeCampaign(
  context: Context,
  operation: string,
  campaignId: string,
  to: Exclude<CampaignStatus, 'draft'>,
): Promise<Campaign> {
  requireBank(context)
  const event = to === 'active' ? 'activated' : to
  return changeRecord(
    context,
    campaignKind,
    operation,
    { campaignId },
    campaignId,
    `products.campaign.${event}`,
    (before) => ({ record: moveCampaign(before, to) }),
  )
}

/**
 * The product and the customer for which a campaign must apply; null for a price that applies to
 * everyone.
 */
interface Meant {
  productId: string
  customerId: string | null
}

/**
 * The discount of a campaign on the rate of a product, and its source in the quote; empty when the
 * campaign only waives fees.
 * Rejects with CAMPAIGN_NOT_FOUND as an error of the request body, CAMPAIGN_NOT_APPLICABLE.
 */
export async function discountOf(
  context: Context,
  campaignId: string,
  { productId, customerId }: Meant,
) {
  const campaign = await campaignKind.find(context, campaignId)
  if (!campaign) throw missingReference('CAMPAIGN_NOT_FOUND', campaignId, '/campaignId')
  const [fact] = customerId ? await readHeldFacts(context, [`customer/${customerId}`]) : [null]
  const segment = (fact?.['segment'] as string | null | undefined) ?? null
  requireApplicable(campaign, { productId, segment, on: dateOf(context.now()) })
  const { discountPct } = campaign
  return discountPct === null ? {} : { discountPct, discountReason: `campaign/${campaignId}` }
}

/** Ends active campaigns on the day after `validTo`. */
export const endCampaigns: Worker = {
  name: 'products.end-campaigns',
  followsClock: true,
  purpose: 'Ends active campaigns on the day after their last day.',
  everyMs: 60_000,
  async run(context) {
    const over = await findOver(context, dateOf(context.now()), 50)
    for (const { campaignId } of over) {
      await changeCampaign(context, 'products.end-campaign', campaignId, 'ended')
    }
    return over.length
  },
}
