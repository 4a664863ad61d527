/** The form of this bank's IBANs. No real bank has this bank code. */
export const numbering = { country: 'NL', bankCode: 'BKGR', digits: 10 } as const

/**
 * Returns the IBAN for the serial number of an account. The serial number must be a whole number
 * from 0 with at most ten digits. The check digits follow ISO 13616 (ISO 7064, MOD 97-10).
 */
export function ibanOf(serial: number): string {
  const { country, bankCode, digits } = numbering
  const bban = bankCode + serial.toString().padStart(digits, '0')
  const checkDigits = 98n - mod97(`${bban}${country}00`)
  return `${country}${checkDigits.toString().padStart(2, '0')}${bban}`
}

/** Whether an IBAN belongs to this bank. */
export function isOwnIban(iban: string): boolean {
  return iban.startsWith(numbering.country) && iban.slice(4).startsWith(numbering.bankCode)
}

/** Whether the text is an IBAN with correct check digits. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  return mod97(text.slice(4) + text.slice(0, 4)) === 1n
}

/** Computes MOD 97-10 (ISO 7064). Each letter stands for two digits, from 10 for A to 35 for Z. */
function mod97(text: string): bigint {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => (letter.charCodeAt(0) - 55).toString())
  return BigInt(digits) % 97n
}
