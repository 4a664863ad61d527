/** Adds two rates in percent exactly, as decimals: `5.9` and `0.25` → `6.15`. */
export function totalRate({ basePct, marginPct }: { basePct: string; marginPct: string }): string {
  const digits = Math.max(fractionOf(basePct).length, fractionOf(marginPct).length)
  const scaled = (rate: string) => {
    const [whole = '0'] = rate.split('.')
    return BigInt(whole + fractionOf(rate).padEnd(digits, '0'))
  }
  const sum = scaled(basePct) + scaled(marginPct)
  const text = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits)
  return `${sum < 0n ? '-' : ''}${whole}${digits > 0 ? `.${fraction}` : ''}`
}

const fractionOf = (rate: string) => rate.split('.')[1] ?? ''
