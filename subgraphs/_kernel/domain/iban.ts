/** How this bank numbers its accounts: the country's form of an IBAN, and a bank code that is nobody's. */
export const numbering = { country: 'NL', bankCode: 'BKGR', digits: 10 } as const

/**
 * The IBAN of an account: check digits per ISO 13616 (ISO 7064, MOD 97-10) over bank code, serial
 * and country. `serial` is not negative and has at most ten digits.
 */
export function ibanOf(serial: number): string {
  const { country, bankCode, digits } = numbering
  const bban = bankCode + serial.toString().padStart(digits, '0')
  const check = 98n - mod97(`${bban}${country}00`)
  return `${country}${check.toString().padStart(2, '0')}${bban}`
}

/** Whether an IBAN would be one of this bank's own accounts. */
export function isOwnIban(iban: string): boolean {
  return iban.startsWith(numbering.country) && iban.slice(4).startsWith(numbering.bankCode)
}

/** Whether the check digits of an IBAN fit. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  return mod97(text.slice(4) + text.slice(0, 4)) === 1n
}

/** Letters count as two digits, A as 10 to Z as 35. */
function mod97(text: string): bigint {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => (letter.charCodeAt(0) - 55).toString())
  return BigInt(digits) % 97n
}
