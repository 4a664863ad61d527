import { CampaignStatus } from './enumerations.ts'
import {
  connectionOf,
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  label,
  list,
  oneOf,
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
  },
)

export const CampaignConnection = connectionOf(Campaign)

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
