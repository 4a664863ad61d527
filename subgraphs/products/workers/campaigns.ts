import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { changeState } from '../../../kernel/domain/state-machine.ts'
import { changeRecord } from '../../../kernel/writing/records.ts'
import { campaignStates } from '../model/campaign.ts'
import { campaignKind, findOverdueCampaigns } from '../store/campaign.ts'

/** Ends active campaigns on the day after `validTo`. */
export const endCampaigns: Worker = {
  name: 'products.end-campaigns',
  nightlyPhase: 'validity',
  followsClock: true,
  purpose: 'Ends active campaigns on the day after their last day.',
  everyMs: 60_000,
  async run(context) {
    const overdueCampaigns = await findOverdueCampaigns(context, dateOf(context.now()), 50)
    for (const { campaignId } of overdueCampaigns) {
      await changeRecord(
        context,
        campaignKind,
        'products.end-campaign',
        { campaignId },
        campaignId,
        'products.campaign.ended',
        (before) => ({ record: changeState(campaignStates, 'endCampaign', before) }),
      )
    }
    return overdueCampaigns.length
  },
}
