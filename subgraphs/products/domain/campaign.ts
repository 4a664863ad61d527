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

/** What customers get, for whom and when. */
export interface CampaignTerms {
  name: string
  description: string | null
  productIds: readonly string[]
  /** Segments of customers, compared without case; none: everybody. */
  segments: readonly string[]
  /** The first and the last day. */
  validFrom: LocalDate
  validTo: LocalDate
  /** Taken off the rate of a price, in percent points a year. */
  discountPct: string | null
  /** Codes of fees that are not charged for periods that begin on one of its days. */
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
 * A campaign as it was asked for. Refuses with INVALID_INITIAL_STATUS, INVALID_DATE_RANGE, and
 * with VALIDATION_FAILED one for no product, or that gives nothing.
 */
export function newCampaign(
  asked: CampaignAsked,
  head: Versioned & { campaignId: string },
): Campaign {
  const { validFrom, validTo, discountPct, waivedFees, productIds } = asked
  const status = initialState(asked.status, ['draft', 'active'] as const, 'draft')
  if (validTo < validFrom)
    throw refuse('INVALID_DATE_RANGE', '/validTo', 'It ends before it begins.')
  if (productIds.length === 0) throw refuse('VALIDATION_FAILED', '/productIds', 'At least one.')
  if (discountPct === null && waivedFees.length === 0) {
    throw refuse('VALIDATION_FAILED', '/discountPct', 'It gives a discount, waives a fee, or both.')
  }
  if (discountPct !== null && !new Decimal(discountPct).gt(0)) {
    throw refuse('VALIDATION_FAILED', '/discountPct', 'More than 0.')
  }
  return { ...asked, ...head, status }
}

/** Refuses with INVALID_STATE_TRANSITION. */
export function moveCampaign(campaign: Campaign, to: CampaignStatus): Campaign {
  requireMove(campaignMoves, campaign.status, to, campaign.campaignId)
  return { ...campaign, status: to }
}

/** Promises that a customer of a segment gets it for a product on a day. Refuses with CAMPAIGN_NOT_APPLICABLE, saying why not. */
export function requireApplicable(
  campaign: Campaign,
  { productId, segment, on }: { productId: string; segment: string | null; on: LocalDate },
): void {
  const { status, productIds, segments, validFrom, validTo } = campaign
  const isMeant =
    segments.length === 0 || segments.some((each) => each.toLowerCase() === segment?.toLowerCase())
  const fault =
    status !== 'active'
      ? `It is ${status}.`
      : on < validFrom || on > validTo
        ? `It is from ${validFrom} to ${validTo}.`
        : !productIds.includes(productId)
          ? `It is for ${productIds.join(', ')}.`
          : isMeant
            ? null
            : `It is for customers of ${segments.join(', ')}.`
  if (fault) throw refuse('CAMPAIGN_NOT_APPLICABLE', '/campaignId', fault)
}

type Code = 'INVALID_DATE_RANGE' | 'VALIDATION_FAILED' | 'CAMPAIGN_NOT_APPLICABLE'

function refuse(code: Code, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
