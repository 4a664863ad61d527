/**
 * A second implementation of the revaluation, written from IAS 21: one posting after the other,
 * in exact fractions. It shares no code with the bank. Amounts are in the smallest units.
 */
export interface ModelPosting {
  /** The number of the day. */
  on: number
  /** What the bank received (positive) or gave (negative) of each currency. */
  moved: Record<string, bigint>
}

/** A price of one unit in euros as a fraction. */
export interface ModelRate {
  over: bigint
  under: bigint
}

/** Returns the rate of a currency that is known for a day now. */
export type ModelRates = (currency: string, on: number) => ModelRate

const powers: Record<string, bigint> = { EUR: 100n, USD: 100n, GBP: 100n, JPY: 1n, KWD: 1000n }

/** The nearest integer; of two equally near the one further from zero. */
function nearest(over: bigint, under: bigint): bigint {
  const [size, isNegative] = over < 0n ? [-over, true] : [over, false]
  const twice = (2n * size + under) / (2n * under)
  return isNegative ? -twice : twice
}

/** The value in cents of an amount at the rate of a day. */
function worth(minor: bigint, currency: string, on: number, rateOf: ModelRates): bigint {
  const { over, under } = rateOf(currency, on)
  return nearest(minor * over * 100n, under * powers[currency]!)
}

/** What the bank has gained on each currency up to the end of a day: worth less what it paid. */
export function modelGains(
  postings: readonly ModelPosting[],
  rateOf: ModelRates,
  endOn: number,
): Map<string, bigint> {
  const held = new Map<string, bigint>()
  const paid = new Map<string, bigint>()
  const add = (to: Map<string, bigint>, currency: string, minor: bigint) =>
    to.set(currency, (to.get(currency) ?? 0n) + minor)
  for (const { on, moved } of postings.filter((each) => each.on <= endOn)) {
    const foreign = Object.keys(moved).filter((currency) => currency !== 'EUR')
    for (const currency of foreign) add(held, currency, moved[currency]!)
    const [one, other] = foreign as [string, string | undefined]
    if (other !== undefined) {
      // Two other currencies: what came in is worth what went out.
      const [received, given] = moved[one]! > 0n ? [one, other] : [other, one]
      const value = worth(moved[received]!, received, on, rateOf)
      add(paid, received, value)
      add(paid, given, -value)
    } else if (moved['EUR'] !== undefined) {
      add(paid, one, -moved['EUR'])
    } else {
      add(paid, one, worth(moved[one]!, one, on, rateOf))
    }
  }
  return new Map(
    [...held].map(([currency, minor]) => [
      currency,
      (minor === 0n ? 0n : worth(minor, currency, endOn, rateOf)) - paid.get(currency)!,
    ]),
  )
}
