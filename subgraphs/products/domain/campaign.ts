import { Decimal } from 'decimal.js'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const campaignStatuses = ['draft', 'active', 'ended', 'withdrawn'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

export const campaignMoves: Transitions<CampaignStatus> = {
  draft: ['active', 'withdrawn'],
  active: ['ended', 'withdrawn'],
  ended: [],
  withdrawn: [],
}

/** The benefits of a campaign, and the customers and days to which it applies. */
export interface CampaignTerms {
  name: string
  description: string | null
  productIds: readonly string[]
  /** Customer segments, compared without regard to letter case. Empty means all customers. */
  segments: readonly string[]
  /** The first and the last day. */
  validFrom: LocalDate
  validTo: LocalDate
  /** Subtracted from the rate, in percentage points per year. */
  discountPct: string | null
  /** Codes of fees that are not charged for periods that begin on a day of the campaign. */
  waivedFees: readonly string[]
}

export interface Campaign extends CampaignTerms, Versioned {
  campaignId: string
  status: CampaignStatus
}

export interface CampaignAsked extends CampaignTerms {
  status?: string | null
}

/**
 * A new campaign. Rejects with INVALID_INITIAL_STATUS, INVALID_DATE_RANGE, and
 * with VALIDATION_FAILED a campaign without products or without benefits.
 */
export function newCampaign(
  asked: CampaignAsked,
  head: Versioned & { campaignId: string },
): Campaign {
  const { validFrom, validTo, discountPct, waivedFees, productIds } = asked
  const status = initialState(asked.status, ['draft', 'active'] as const, 'draft')
  if (validTo < validFrom)
    throw refuse(
      'INVALID_DATE_RANGE',
      '/validTo',
      `The last day, ${validTo}, must not be before the first day, ${validFrom}.`,
    )
  if (productIds.length === 0)
    throw refuse('VALIDATION_FAILED', '/productIds', 'A campaign must name at least one product.')
  if (discountPct === null && waivedFees.length === 0) {
    throw refuse(
      'VALIDATION_FAILED',
      '/discountPct',
      'A campaign must give a discount, waive a fee, or both.',
    )
  }
  if (discountPct !== null && !new Decimal(discountPct).gt(0)) {
    throw refuse('VALIDATION_FAILED', '/discountPct', 'The discount must be greater than 0.')
  }
  return { ...asked, ...head, status }
}

/** Changes the status of a campaign. Rejects with INVALID_STATE_TRANSITION. */
export function moveCampaign(campaign: Campaign, to: CampaignStatus): Campaign {
  requireMove(campaignMoves, campaign.status, to, campaign.campaignId)
  return { ...campaign, status: to }
}

/**
 * Checks that the campaign applies to a product and a customer segment on a day. Rejects with
 * CAMPAIGN_NOT_APPLICABLE; the detail gives the reason.
 */
export function requireApplicable(
  campaign: Campaign,
  { productId, segment, on }: { productId: string; segment: string | null; on: LocalDate },
): void {
  const { status, productIds, segments, validFrom, validTo } = campaign
  const isMeant =
    segments.length === 0 || segments.some((each) => each.toLowerCase() === segment?.toLowerCase())
  const fault =
    status !== 'active'
      ? `The campaign is ${status}.`
      : on < validFrom || on > validTo
        ? `The campaign applies from ${validFrom} to ${validTo}.`
        : !productIds.includes(productId)
          ? `The campaign applies to ${productIds.join(', ')}.`
          : isMeant
            ? null
            : `The campaign applies to customers of the segments ${segments.join(', ')}.`
  if (fault) throw refuse('CAMPAIGN_NOT_APPLICABLE', '/campaignId', fault)
}

type Code = 'INVALID_DATE_RANGE' | 'VALIDATION_FAILED' | 'CAMPAIGN_NOT_APPLICABLE'

function refuse(code: Code, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
