/**
 * An exact fraction; the denominator is positive. Rates and parts of years are fractions here, so
 * that an amount that lies exactly on half a cent is known to lie there, and is rounded as such.
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

/** The fraction a decimal string of percent stands for: "9.4822" is 94822 / 1000000. */
export function ofPercent(text: string): Rational {
  const [whole, decimals = ''] = text.split('.')
  return { num: BigInt(whole! + decimals), den: 100n * 10n ** BigInt(decimals.length) }
}

/** The whole number nearest to num / den, and of two that are as near the even one. `den` > 0. */
export function roundHalfEven(num: bigint, den: bigint): bigint {
  let quotient = num / den
  let rest = num % den
  if (rest < 0n) {
    rest += den
    quotient -= 1n
  }
  const twice = rest * 2n
  const isUp = twice > den || (twice === den && quotient % 2n !== 0n)
  return isUp ? quotient + 1n : quotient
}

/** The nearest multiple; half goes to the even multiple. */
export function roundToMultiple(num: bigint, den: bigint, multiple: bigint): bigint {
  return multiple === 1n ? roundHalfEven(num, den) : roundHalfEven(num, den * multiple) * multiple
}

export function smallest(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
