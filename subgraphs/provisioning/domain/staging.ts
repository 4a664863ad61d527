import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { ImpairmentStage, StageReason } from '../model/enumerations.ts'

const stages: readonly ImpairmentStage[] = ['stage-1', 'stage-2', 'stage-3']
const rankOf = (stage: ImpairmentStage): number => stages.indexOf(stage)
const worseOf = (a: ImpairmentStage, b: ImpairmentStage): ImpairmentStage =>
  rankOf(a) >= rankOf(b) ? a : b

/** When a facility changes its stage: the parameters of its segment, in days. */
export interface StagingRules {
  /** A facility that is more days past due is in stage 2. */
  stage2AfterDays: number
  /** A facility that is more days past due is in stage 3. */
  stage3AfterDays: number
  /** How long a facility must qualify for a better stage before it returns to it. */
  cureDays: number
}

/** The stage of a facility, and since when it qualifies for a better one; null if it does not. */
export interface Staging {
  stage: ImpairmentStage
  improvingSince: LocalDate | null
}

export interface StagingInputs {
  /** The day for which the stage is decided. */
  asOf: LocalDate
  daysPastDue: number
  /** Whether a hardship request has not been decided yet. */
  hasOpenHardshipRequest: boolean
  /**
   * The last day of the relief that was granted because of financial difficulty; null if none was.
   * It can be in the future.
   */
  reliefThrough: LocalDate | null
  /** The lowest stage that an employee has set; null if none is set. */
  override: ImpairmentStage | null
  /** The stage before; null for a facility that has had none. */
  previous: Staging | null
}

/** Relief that was granted, and the last day of its payment holiday; null without a holiday. */
export interface GrantedRelief {
  grantedOn: LocalDate
  holidayEndsOn: LocalDate | null
}

/**
 * Returns the last day of the relief of a facility; null if none was granted. A payment holiday is
 * relief until it ends, because a payment that is not due proves nothing. Other relief changes the
 * terms on the day of the decision.
 */
export function lastDayOfRelief(granted: readonly GrantedRelief[]): LocalDate | null {
  const ends = granted.map(({ grantedOn, holidayEndsOn }) =>
    holidayEndsOn !== null && holidayEndsOn > grantedOn ? holidayEndsOn : grantedOn,
  )
  return ends.toSorted().at(-1) ?? null
}

/**
 * Decides the stage of a facility (IFRS 9, 5.5.3 and 5.5.5). It worsens immediately:
 *
 * - more than `stage2AfterDays` days past due: stage 2, a significant increase in credit risk
 *   (5.5.11); more than `stage3AfterDays`: stage 3, a default (B5.5.37),
 * - an undecided hardship request: at least stage 2 (B5.5.17),
 * - relief, and `cureDays` after its last day: at least stage 2 (5.5.12, B5.5.27),
 * - the stage that an employee set: at least this stage.
 *
 * It improves by one stage at a time, after the facility has qualified for a better stage for
 * `cureDays` (5.5.7, B5.5.27). This period starts again after relief.
 */
export function decideStage(
  inputs: StagingInputs,
  rules: StagingRules,
): Staging & { reasons: StageReason[] } {
  const { asOf, reliefThrough, previous } = inputs
  const { target, reasons } = targetOf(inputs, rules)
  const hasRelief = reliefThrough !== null && asOf < addDays(reliefThrough, rules.cureDays)
  if (hasRelief) reasons.push('forbearance')
  const before = previous?.stage ?? 'stage-1'
  const current = hasRelief ? worseOf(before, 'stage-2') : before
  if (rankOf(target) >= rankOf(current)) return { stage: target, improvingSince: null, reasons }
  if (hasRelief && reliefThrough > asOf) return { stage: current, improvingSince: null, reasons }
  const begun = previous?.improvingSince ?? (hasRelief ? reliefThrough : asOf)
  const since = hasRelief && reliefThrough > begun ? reliefThrough : begun
  if (asOf < addDays(since, rules.cureDays)) {
    return { stage: current, improvingSince: since, reasons: [...reasons, 'cure-period'] }
  }
  const stage = stages[rankOf(current) - 1]!
  if (stage === target) return { stage, improvingSince: null, reasons }
  return { stage, improvingSince: asOf, reasons: [...reasons, 'cure-period'] }
}

/** Returns the stage that a facility would have without its past, with the reasons for it. */
function targetOf(
  { daysPastDue, hasOpenHardshipRequest, override }: StagingInputs,
  { stage2AfterDays, stage3AfterDays }: StagingRules,
): { target: ImpairmentStage; reasons: StageReason[] } {
  const reasons: StageReason[] = []
  let target: ImpairmentStage = 'stage-1'
  if (daysPastDue > stage2AfterDays) {
    target = daysPastDue > stage3AfterDays ? 'stage-3' : 'stage-2'
    reasons.push('days-past-due')
  }
  if (hasOpenHardshipRequest) {
    target = worseOf(target, 'stage-2')
    reasons.push('hardship-request')
  }
  if (override !== null && override !== 'stage-1') {
    target = worseOf(target, override)
    reasons.push('manual')
  }
  return { target, reasons }
}
