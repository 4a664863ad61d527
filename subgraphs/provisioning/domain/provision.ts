import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { ImpairmentStage, ProvisioningSegment, StageReason } from '../model/enumerations.ts'
import type { SegmentRisk } from '../model/provisioning-table.ts'
import type { Provision } from '../model/provision.ts'
import { expectedCreditLoss, type CreditLoss, type Exposure } from './credit-loss.ts'
import { formatPercent, parsePercent } from './percent.ts'
import { decideStage, type StagingInputs } from './staging.ts'

/** A facility as its expected credit loss is computed from it. */
export interface RiskFacility
  extends
    Exposure,
    Pick<StagingInputs, 'daysPastDue' | 'hasOpenHardshipRequest' | 'reliefThrough'> {
  facilityId: string
  partyId: string
  segment: ProvisioningSegment
  currency: string
}

/** The result for one facility, or for the management overlay of a segment. */
export interface Assessment extends Omit<CreditLoss, 'lgd'> {
  provisionId: string
  facilityId: string | null
  partyId: string | null
  segment: ProvisioningSegment
  currency: string
  stage: ImpairmentStage | null
  reasons: StageReason[]
  stageSince: LocalDate
  improvingSince: LocalDate | null
  daysPastDue: number
  /** In percent. */
  pdPct: string
  lgdPct: string
}

/**
 * Decides the stage of a facility and computes its loss allowance. `previous` is its provision so
 * far, and `override` the lowest stage that an employee has set; null if there is none.
 */
export function assessFacility(
  facility: RiskFacility,
  risk: SegmentRisk,
  previous: Provision | null,
  override: ImpairmentStage | null,
  asOf: LocalDate,
): Assessment {
  const { facilityId, partyId, segment, currency, daysPastDue } = facility
  const before =
    previous?.stage == null
      ? null
      : { stage: previous.stage, improvingSince: previous.improvingSince }
  const staging = decideStage({ ...facility, asOf, override, previous: before }, risk)
  const { stage, reasons, improvingSince } = staging
  const rates = risk.stages.find((each) => each.stage === stage)!
  const { lgd, ...loss } = expectedCreditLoss(facility, {
    pd: parsePercent(rates.pdPct)!,
    lgd: parsePercent(rates.lgdPct)!,
    securedLgd: parsePercent(rates.securedLgdPct)!,
    creditConversion: parsePercent(risk.creditConversionPct)!,
    overlay: parsePercent(risk.overlayPct)!,
  })
  return {
    ...loss,
    provisionId: facilityId,
    facilityId,
    partyId,
    segment,
    currency,
    stage,
    reasons,
    stageSince: previous?.stage === stage ? previous.stageSince : asOf,
    improvingSince,
    daysPastDue,
    pdPct: rates.pdPct,
    lgdPct: formatPercent(lgd),
  }
}

/** Returns the ID of the provision that holds the overlay of a segment. No client can choose it. */
const overlayId = (segment: ProvisioningSegment, currency: string): string =>
  `overlay/${segment}/${currency}`

/**
 * Returns the overlays of segments that are amounts. An overlay that is held and no longer in the
 * table becomes zero.
 */
export function assessOverlays(
  risks: readonly SegmentRisk[],
  held: readonly Provision[],
  asOf: LocalDate,
): Assessment[] {
  const amounts = new Map(
    held.map(({ segment, currency, provisionId }) => [
      provisionId,
      { segment, currency, allowanceMinor: 0n },
    ]),
  )
  for (const { segment, overlayAmount } of risks) {
    if (!overlayAmount) continue
    const { currency } = overlayAmount
    const allowanceMinor = parseAmount(overlayAmount.amount, currency)
    amounts.set(overlayId(segment, currency), { segment, currency, allowanceMinor })
  }
  return [...amounts].map(([provisionId, { segment, currency, allowanceMinor }]) => ({
    provisionId,
    facilityId: null,
    partyId: null,
    segment,
    currency,
    stage: null,
    reasons: [],
    stageSince: held.find((each) => each.provisionId === provisionId)?.stageSince ?? asOf,
    improvingSince: null,
    daysPastDue: 0,
    pdPct: '0',
    lgdPct: '0',
    exposureMinor: 0n,
    expectedLossMinor: 0n,
    allowanceMinor,
  }))
}

/**
 * Divides the allowance of a facility that no longer has an exposure: the part up to the amount that
 * was charged off is used (IFRS 9, 5.4.4), and the rest is released.
 */
export function endAllowance(
  allowanceMinor: bigint,
  chargedOffMinor: bigint,
): { usedMinor: bigint; releasedMinor: bigint } {
  const usedMinor = allowanceMinor < chargedOffMinor ? allowanceMinor : chargedOffMinor
  return { usedMinor, releasedMinor: allowanceMinor - usedMinor }
}
