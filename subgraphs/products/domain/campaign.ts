import type { Campaign } from '../model/campaign.ts'
import { Decimal } from 'decimal.js'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

/** The benefits of a campaign, and the customers and days to which they apply. */
export type CampaignTerms = Omit<Campaign, keyof Versioned | 'campaignId' | 'status'>

export interface CampaignRequest extends CampaignTerms {
  status?: string | null
}

/**
 * Returns a new campaign. Throws INVALID_INITIAL_STATUS, INVALID_DATE_RANGE, and VALIDATION_FAILED
 * for a campaign without products or without a benefit.
 */
export function newCampaign(
  request: CampaignRequest,
  head: Versioned & { campaignId: string },
): Campaign {
  const { validFrom, validTo, discountPct, waivedFees, productIds } = request
  const status = initialState(request.status, ['draft', 'active'] as const, 'draft')
  if (validTo < validFrom)
    throw fieldProblem(
      'INVALID_DATE_RANGE',
      '/validTo',
      `The last day, ${validTo}, must not be before the first day, ${validFrom}.`,
    )
  if (productIds.length === 0)
    throw fieldProblem(
      'VALIDATION_FAILED',
      '/productIds',
      'A campaign must name at least one product.',
    )
  if (discountPct === null && waivedFees.length === 0) {
    throw fieldProblem(
      'VALIDATION_FAILED',
      '/discountPct',
      'A campaign must give a discount, waive a fee, or both.',
    )
  }
  if (discountPct !== null && !new Decimal(discountPct).gt(0)) {
    throw fieldProblem('VALIDATION_FAILED', '/discountPct', 'The discount must be greater than 0.')
  }
  return { ...request, ...head, status }
}

/**
 * Checks that the campaign applies to a product and a customer segment on a day. Throws
 * CAMPAIGN_NOT_APPLICABLE; the detail gives the reason.
 */
export function requireApplicable(
  campaign: Campaign,
  { productId, segment, day: on }: { productId: string; segment: string | null; day: LocalDate },
): void {
  const { status, productIds, segments, validFrom, validTo } = campaign
  const matchesSegment =
    segments.length === 0 || segments.some((each) => each.toLowerCase() === segment?.toLowerCase())
  const reason =
    status !== 'active'
      ? `The campaign is ${status}.`
      : on < validFrom || on > validTo
        ? `The campaign applies from ${validFrom} to ${validTo}.`
        : !productIds.includes(productId)
          ? `The campaign applies to ${productIds.join(', ')}.`
          : matchesSegment
            ? null
            : `The campaign applies to customers of the segments ${segments.join(', ')}.`
  if (reason) throw fieldProblem('CAMPAIGN_NOT_APPLICABLE', '/campaignId', reason)
}

type CampaignProblemCode = 'INVALID_DATE_RANGE' | 'VALIDATION_FAILED' | 'CAMPAIGN_NOT_APPLICABLE'

function fieldProblem(code: CampaignProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
