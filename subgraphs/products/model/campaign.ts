import { CampaignStatus } from './enumerations.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  label,
  list,
  oneOf,
  stored,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const Campaign = entity(
  'Campaign',
  'campaignId',
  'A time-limited promotion of products: a discount on the interest rate, waived fees, ' +
    'or both.',
  {
    campaignId: id('The ID of the campaign.').inEvents(),
    name: label('The name of the campaign.').inEvents(),
    description: text('A description of the campaign; null if none was given.').orNull(),
    status: oneOf(CampaignStatus, 'The current lifecycle state of the campaign.').inEvents(),
    productIds: list(id(), 'The IDs of the products to which the campaign applies.').inEvents(),
    segments: list(
      label(),
      'The customer segments to which the campaign applies; empty if it applies to all ' +
        'customers. Letter case is ignored.',
    ).inEvents(),
    validFrom: date('The first day of the campaign.').inEvents(),
    validTo: date('The last day of the campaign.').inEvents(),
    discountPct: decimal(
      'The discount on the interest rate, in percentage points per year; null if the campaign ' +
        'gives none.',
    )
      .orNull()
      .inEvents(),
    waivedFees: list(
      label(),
      'The codes of the fees that are not charged for fee periods that begin on a day of ' +
        'the campaign.',
    ).inEvents(),
    createdAt: instant('When the campaign was created, in UTC.'),
    updatedAt: instant('When the campaign last changed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Campaign = TypeOf<typeof Campaign>

export const campaignStates = stateMachine(Campaign, 'status', {
  activateCampaign: {
    description: 'Activates a draft campaign. It applies from its first day on.',
    scope: 'products:write',
    from: ['draft'],
    to: 'active',
    event: [
      'products.campaign.activated',
      'A campaign was activated. It applies from its first to its last day.',
    ],
  },
  endCampaign: {
    description:
      'Ends an active campaign before its last day. Discounts and waivers that were already ' +
      'granted are kept.',
    scope: 'products:write',
    from: ['active'],
    to: 'ended',
    event: [
      'products.campaign.ended',
      'A campaign ended. Discounts and waivers already granted are kept.',
    ],
  },
  withdrawCampaign: {
    description:
      'Withdraws a draft or active campaign. It no longer applies and is no longer visible ' +
      'to customers.',
    scope: 'products:write',
    from: ['draft', 'active'],
    to: 'withdrawn',
    event: ['products.campaign.withdrawn', 'A campaign was withdrawn by the bank.'],
  },
})

export const CreateCampaignInput = input(
  'CreateCampaignInput',
  'The campaign to create. It must give a discount, waive a fee, or both.',
  {
    campaignId: id(
      'The ID of the new campaign; generated if omitted. A repeated request with the same ID and ' +
        'content returns the existing campaign.',
    ).orNull(),
    name: label('The name of the campaign.'),
    description: text('A description of the campaign.').orNull(),
    status: label(
      'The initial state, in any letter case: `draft`, which is the default, or `active`.',
    ).orNull(),
    productIds: list(id(), 'The IDs of the products to which the campaign applies, at least one.'),
    segments: list(
      label(),
      'The customer segments to which the campaign applies. Letter case is ignored. If omitted ' +
        'or empty, the campaign applies to all customers.',
    ).orNull(),
    validFrom: date('The first day of the campaign.'),
    validTo: date('The last day of the campaign. It must not be before `validFrom`.'),
    discountPct: decimal(
      'The discount on the interest rate, in percentage points per year, greater than 0.',
    ).orNull(),
    waivedFees: list(
      label(),
      'The codes of the fees that are not charged for fee periods that begin on a day of ' +
        'the campaign.',
    ).orNull(),
  },
)
export type CreateCampaignInput = TypeOf<typeof CreateCampaignInput>
