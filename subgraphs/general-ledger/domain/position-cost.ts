import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { ClosingRates, CurrencyDay } from './closing-rate.ts'

/**
 * What postings of the same kind moved the positions of the bank by: the sum of their movements by
 * currency. The postings move the same currencies in the same directions, and have the same
 * accounting date unless they are exchanges with the functional currency. A positive movement is
 * what the bank received, so that it makes a position long.
 */
export interface PositionMovements {
  /** The accounting date; null for exchanges between one currency and the functional currency. */
  day: LocalDate | null
  movements: ReadonlyMap<string, bigint>
}

/** What the bank holds of a currency, and what it paid for that in the functional currency. */
export interface CostedPosition {
  currency: string
  positionMinor: bigint
  /** Negative if the bank is short: what it received. */
  costMinor: bigint
}

/** A movement of a position in another currency. */
interface Leg {
  currency: string
  minor: bigint
}

/**
 * Returns the movements in other currencies, and how many of them have their own value at the rate
 * of the day as their cost. In an exchange, all but the last have; the last one has what remains of
 * the counter-value. Currencies that the bank received come first (IAS 21.21). Movements in one
 * direction only are no exchange, and all of them have their own value.
 */
function legsOf({ movements }: PositionMovements, functionalCurrency: string) {
  const moved = [...movements].map(([currency, minor]) => ({ currency, minor }))
  const isExchange = moved.some(({ minor }) => minor > 0n) && moved.some(({ minor }) => minor < 0n)
  const legs: Leg[] = moved
    .filter(({ currency, minor }) => currency !== functionalCurrency && minor !== 0n)
    .sort((one, other) => rankOf(one) - rankOf(other) || (one.currency < other.currency ? -1 : 1))
  const ownValues = isExchange ? Math.max(legs.length - 1, 0) : legs.length
  return { legs, ownValues, counterMinor: -(movements.get(functionalCurrency) ?? 0n) }
}

const rankOf = ({ minor }: Leg) => (minor > 0n ? 0 : 1)

/** Returns the closing rates that the costs of positions depend on. */
export function ratesForCosts(
  groups: readonly PositionMovements[],
  functionalCurrency: string,
): CurrencyDay[] {
  return groups.flatMap((group) => {
    const { legs, ownValues } = legsOf(group, functionalCurrency)
    return legs.slice(0, ownValues).map(({ currency }) => ({ currency, day: group.day! }))
  })
}

/**
 * Returns the positions in other currencies with their costs. The cost of an exchange with the
 * functional currency is its counter-value. In an exchange between two other currencies, both have
 * the value of what the bank received at the rate of the day, so that the costs add up to zero. A
 * movement without a counter-value has its own value at the rate of its day. Throws
 * CLOSING_RATE_MISSING.
 */
export function costedPositions(
  groups: readonly PositionMovements[],
  rates: ClosingRates,
): CostedPosition[] {
  const positions = new Map<string, CostedPosition>()
  const add = ({ currency, minor }: Leg, costMinor: bigint) => {
    const sum = positions.get(currency) ?? { currency, positionMinor: 0n, costMinor: 0n }
    sum.positionMinor += minor
    sum.costMinor += costMinor
    positions.set(currency, sum)
  }
  for (const group of groups) {
    const { legs, ownValues, counterMinor } = legsOf(group, rates.functionalCurrency)
    let restMinor = counterMinor
    for (const [index, leg] of legs.entries()) {
      const costMinor =
        index < ownValues
          ? rates.valueOf(leg.minor, { currency: leg.currency, day: group.day! }).valueMinor
          : restMinor
      restMinor -= costMinor
      add(leg, costMinor)
    }
  }
  return [...positions.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
}
