import type { SegmentRisk, SegmentRiskInput } from '../model/provisioning-table.ts'
import { ImpairmentStage } from '../model/enumerations.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { parsePercent, wholePercent } from './percent.ts'
import { inputProblem } from './problems.ts'

const maxDays = 3650
const maxOverlay = 10n * wholePercent

/**
 * Returns the segments of a proposed table. Throws PROVISIONING_TABLE_INVALID, with the pointer of
 * the first member that is wrong, and INVALID_AMOUNT.
 */
export function requireSegments(segments: readonly SegmentRiskInput[]): SegmentRisk[] {
  if (segments.length === 0) throw invalid('/segments', 'Send the parameters of a segment.')
  return segments.map((segment, index) => {
    const at = `/segments/${index}`
    const isRepeated = segments.findIndex((each) => each.segment === segment.segment) !== index
    if (isRepeated) throw invalid(`${at}/segment`, `${segment.segment} is listed twice.`)
    requireDays(segment, at)
    requirePercent(segment.creditConversionPct, `${at}/creditConversionPct`)
    requireStages(segment, at)
    requireOverlay(segment, at)
    const { overlayAmount = null, overlayReason = null } = segment
    return { ...segment, overlayAmount, overlayReason }
  })
}

function requireDays(segment: SegmentRiskInput, at: string): void {
  const { stage2AfterDays, stage3AfterDays, cureDays } = segment
  if (stage2AfterDays < 0) throw invalid(`${at}/stage2AfterDays`, 'The days must not be negative.')
  if (stage3AfterDays <= stage2AfterDays || stage3AfterDays > maxDays) {
    const detail = `The days must be more than those of stage 2 and at most ${maxDays}.`
    throw invalid(`${at}/stage3AfterDays`, detail)
  }
  if (cureDays < 1 || cureDays > maxDays) {
    throw invalid(`${at}/cureDays`, `The cure period must be from 1 to ${maxDays} days.`)
  }
}

function requireStages({ stages }: SegmentRiskInput, at: string): void {
  const given = stages.map(({ stage }) => stage)
  const isComplete = ImpairmentStage.values.every((stage) => given.includes(stage))
  if (!isComplete || given.length !== ImpairmentStage.values.length) {
    throw invalid(`${at}/stages`, 'Each of the three stages must be listed once.')
  }
  stages.forEach(({ pdPct, lgdPct, securedLgdPct }, index) => {
    for (const [name, value] of Object.entries({ pdPct, lgdPct, securedLgdPct })) {
      requirePercent(value, `${at}/stages/${index}/${name}`)
    }
  })
}

function requirePercent(text: string, pointer: string): void {
  const value = parsePercent(text)
  if (value !== null && value >= 0n && value <= wholePercent) return
  throw invalid(pointer, `${text} is not a percentage from 0 to 100 with at most four decimals.`)
}

function requireOverlay(segment: SegmentRiskInput, at: string): void {
  const { overlayPct, overlayAmount, overlayReason } = segment
  const percent = parsePercent(overlayPct)
  if (percent === null || percent < -wholePercent || percent > maxOverlay) {
    const detail = `${overlayPct} is not a percentage from -100 to 1000 with at most four decimals.`
    throw invalid(`${at}/overlayPct`, detail)
  }
  if (overlayAmount) {
    const pointer = `${at}/overlayAmount/amount`
    const minor = parseAmount(overlayAmount.amount, overlayAmount.currency, pointer)
    if (minor <= 0n) throw invalid(pointer, 'The amount must be greater than zero.')
  }
  const isOverlaid = percent !== 0n || overlayAmount
  if (isOverlaid && !overlayReason?.trim()) {
    throw invalid(`${at}/overlayReason`, 'A management overlay needs a reason.')
  }
}

const invalid = (pointer: string, detail: string) =>
  inputProblem('PROVISIONING_TABLE_INVALID', pointer, detail)
