/**
 * An exact fraction with a positive denominator. Rates and fractions of a year are exact, so that
 * an amount of exactly half a minor unit is recognized and rounded as such.
 */
export interface Rational {
  readonly num: bigint
  readonly den: bigint
}

export function times(one: Rational, other: Rational): Rational {
  return { num: one.num * other.num, den: one.den * other.den }
}

export function minus(one: Rational, other: Rational): Rational {
  return { num: one.num * other.den - other.num * one.den, den: one.den * other.den }
}

/** Converts a decimal string in percent to a fraction: "9.4822" becomes 94822 / 1000000. */
export function ofPercent(text: string): Rational {
  const [integerPart, decimals = ''] = text.split('.')
  return { num: BigInt(integerPart! + decimals), den: 100n * 10n ** BigInt(decimals.length) }
}

/**
 * Rounds num / den to the nearest integer. Exact halves are rounded to the even integer. `den` must
 * be positive.
 */
export function roundHalfEven(num: bigint, den: bigint): bigint {
  let quotient = num / den
  let remainder = num % den
  if (remainder < 0n) {
    remainder += den
    quotient -= 1n
  }
  const twice = remainder * 2n
  const roundsUp = twice > den || (twice === den && quotient % 2n !== 0n)
  return roundsUp ? quotient + 1n : quotient
}
