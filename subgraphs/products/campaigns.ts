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
 * Makes a campaign. The same id with the same content answers the one that is there.
 * Refuses with RESOURCE_EXISTS, PRODUCT_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and as `newCampaign`.
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

/** Moves a campaign. Refuses with CAMPAIGN_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS. */
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

/** A customer a price is for, as far as campaigns are meant for some and not for others. */
interface Meant {
  productId: string
  customerId: string | null
}

/**
 * The discount that a campaign gives on the rate of a product, and its name in the price; none when it
 * only waives fees.
 * Refuses with CAMPAIGN_NOT_FOUND as a fault of the body, CAMPAIGN_NOT_APPLICABLE.
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

/** Ends campaigns on the day after their last. */
export const endCampaigns: Worker = {
  name: 'products.end-campaigns',
  followsClock: true,
  purpose: 'Ends campaigns on the day after their last.',
  everyMs: 60_000,
  async run(context) {
    const over = await findOver(context, dateOf(context.now()), 50)
    for (const { campaignId } of over) {
      await changeCampaign(context, 'products.end-campaign', campaignId, 'ended')
    }
    return over.length
  },
}
