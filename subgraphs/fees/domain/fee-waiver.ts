import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Fee, FeeWaiver } from '../../../kernel/domain/fee.ts'

/**
 * The inputs of the decision whether a fee is waived for an account. `from` is the first day of the
 * fee period.
 */
export interface WaiverInputs {
  balanceMinor: bigint | null
  segment: string | null
  openedOn: LocalDate
  from: LocalDate
}

/** Returns the first waiver that applies; null if none does. Segments are case-insensitive. */
export function waiverOf({ waivers }: Fee, inputs: WaiverInputs): FeeWaiver | null {
  return waivers.find((waiver) => applies(waiver, inputs)) ?? null
}

function applies(waiver: FeeWaiver, { balanceMinor, segment, openedOn, from }: WaiverInputs) {
  switch (waiver.kind) {
    case 'minimum-balance':
      return balanceMinor !== null && balanceMinor >= waiver.amount.amountMinor
    case 'customer-segment':
      return includesSegment(segment, [waiver.segment])
    case 'account-age':
      return ageInMonths(openedOn, from) < waiver.months
    case 'campaign':
      return (
        waiver.from <= from && from <= waiver.to && matchesSegment(segment, waiver.segments ?? [])
      )
  }
}

function matchesSegment(segment: string | null, segments: readonly string[]): boolean {
  return segments.length === 0 || includesSegment(segment, segments)
}

function includesSegment(segment: string | null, segments: readonly string[]): boolean {
  return segments.some((each) => each.toLowerCase() === segment?.toLowerCase())
}

/** Returns the number of whole months from `openedOn` to `date`; negative if `date` is earlier. */
function ageInMonths(openedOn: LocalDate, date: LocalDate): number {
  const [year, month, day] = openedOn.split('-').map(Number) as [number, number, number]
  const [toYear, toMonth, toDay] = date.split('-').map(Number) as [number, number, number]
  return (toYear - year) * 12 + toMonth - month - (toDay < day ? 1 : 0)
}
