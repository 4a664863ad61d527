/** Exact fractions, written for the tests alone, so that they share no arithmetic with the program. */
export interface Fraction {
  over: bigint
  under: bigint
}

export const fraction = (over: bigint, under = 1n): Fraction => ({ over, under })

/** Reads a decimal such as `-12.5`, in percent if `isPercent`. */
export function read(text: string, isPercent = false): Fraction {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.')
  const over = BigInt(whole + decimals) * (text.startsWith('-') ? -1n : 1n)
  return { over, under: 10n ** BigInt(decimals.length) * (isPercent ? 100n : 1n) }
}

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
})
export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
})
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, times(b, fraction(-1n)))
export const least = (a: Fraction, b: Fraction): Fraction =>
  a.over * b.under <= b.over * a.under ? a : b

/** The nearest integer, or the even one of two that are equally near. */
export function rounded({ over, under }: Fraction): bigint {
  const below = over >= 0n ? over / under : -((-over + under - 1n) / under)
  const [down, up] = [over - below * under, (below + 1n) * under - over]
  if (down === up) return below % 2n === 0n ? below : below + 1n
  return down < up ? below : below + 1n
}
