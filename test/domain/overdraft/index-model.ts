/**
 * A second implementation of rates that follow a reference rate, written from the definition: it walks
 * over all days in their order, as the bank lived them, with the resets that wait for a fixing. It shares
 * no code with the bank, which looks back from each day.
 */
import { percent, plus, type Fraction, type ModelFixing, type Ymd } from '../interest/model.ts'

export interface ModelIndexTerms {
  /** The number of months between two resets; 0 if the rate is reset every day. */
  resetEvery: 0 | 1 | 3 | 6 | 12
  lookback: number
  lowest: string
  highest: string | null
}

const isLess = (one: Fraction, other: Fraction) => one.n * other.d < other.n * one.d

/** Returns the index of the fixing in force on each day. Days and fixings are indexes of `days`. */
export function walkIndex(
  days: readonly Ymd[],
  fixings: readonly ModelFixing[],
  validDays: number,
  { resetEvery, lookback }: Pick<ModelIndexTerms, 'resetEvery' | 'lookback'>,
): { fixing: ModelFixing; hasWaited: boolean }[] {
  const isReset = ([, month, date]: Ymd) =>
    resetEvery === 0 || (date === 1 && (month - 1) % resetEvery === 0)
  const firstKnown = Math.min(...fixings.map(({ known }) => known))
  const first = fixings.filter(({ known }) => known === firstKnown)
  const later = (one: ModelFixing, other: ModelFixing) =>
    other.on > one.on || (other.on === one.on && other.known > one.known) ? other : one
  const past = first.filter(({ on }) => on <= firstKnown)
  let current =
    past.length > 0
      ? past.reduce(later)
      : first.reduce((one, other) => (other.on < one.on ? other : one))
  let waiting: number[] = []
  return days.map((day, index) => {
    if (isReset(day)) waiting.push(index)
    // A reset that waits goes on waiting until something becomes known.
    const isNews = fixings.some(({ known }) => known === index)
    for (const reset of [...waiting].reverse()) {
      if (reset < index && !isNews) break
      const target = reset - lookback
      const usable = fixings.filter(
        ({ on, known }) => on <= target && target < on + validDays && known <= index,
      )
      if (usable.length === 0) continue
      current = usable.reduce(later)
      waiting = waiting.filter((each) => each > reset)
      break
    }
    return { fixing: current, hasWaited: waiting.length > 0 }
  })
}

/** Adds a margin to a fixing, within the bounds. */
export function indexedRate(
  { lowest, highest }: ModelIndexTerms,
  fixingPct: string,
  marginPct: string,
): Fraction {
  const sum = plus(percent(fixingPct), percent(marginPct))
  const raised = isLess(sum, percent(lowest)) ? percent(lowest) : sum
  return highest !== null && isLess(percent(highest), raised) ? percent(highest) : raised
}
