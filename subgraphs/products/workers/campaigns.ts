import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { changeCampaign } from '../commands/campaign.ts'
import { findOverdueCampaigns } from '../store/campaign.ts'

/** Ends active campaigns on the day after `validTo`. */
export const endCampaigns: Worker = {
  name: 'products.end-campaigns',
  followsClock: true,
  purpose: 'Ends active campaigns on the day after their last day.',
  everyMs: 60_000,
  async run(context) {
    const overdueCampaigns = await findOverdueCampaigns(context, dateOf(context.now()), 50)
    for (const { campaignId } of overdueCampaigns) {
      await changeCampaign(context, 'products.end-campaign', campaignId, 'ended')
    }
    return overdueCampaigns.length
  },
}
