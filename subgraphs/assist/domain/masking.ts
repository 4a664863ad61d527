import { isIban } from '../../_kernel/domain/iban.ts'

/**
 * Masks and their values, such as `[IBAN_1]` and an IBAN. A value has the same mask throughout a
 * session.
 */
export type Masks = Readonly<Record<string, string>>

interface Detector {
  kind: string
  pattern: RegExp
  /** The part of a match that is valid; empty if none is. */
  realPart?: (found: string) => string
}

// In this order, so that a card number is not masked as a phone number.
const detectors: readonly Detector[] = [
  // The maximum length of a local part (RFC 5321), so that matching takes linear time.
  { kind: 'EMAIL', pattern: /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g },
  {
    kind: 'IBAN',
    pattern: /\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}\b/g,
    realPart: ibanIn,
  },
  {
    kind: 'CARD',
    pattern: /\b\d(?:[ -]?\d){12,18}\b/g,
    realPart: (found) => (isCard(found) ? found : ''),
  },
  { kind: 'NATIONAL', pattern: /\b\d{3}-\d{2}-\d{4}\b/g },
  { kind: 'PHONE', pattern: /\+\d(?:[ ()-]?\d){7,14}\b/g },
  {
    kind: 'BIRTH',
    pattern:
      /(?<=\b(?:born|birth|birthday|dob)\b[^.\n]{0,20}?)\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/gi,
  },
  {
    kind: 'ADDRESS',
    pattern:
      /\b\d{1,5} (?:[A-Z][\w'-]+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Square|Way|Drive)\b/g,
  },
]

/**
 * Masks and unmasks personal data. `names` are the known names of the party; other names cannot be
 * distinguished from ordinary words.
 */
export class Masker {
  readonly #masks: Record<string, string>
  readonly #byValue = new Map<string, string>()
  readonly #names: readonly string[]

  constructor(masks: Masks, names: readonly string[]) {
    this.#masks = { ...masks }
    for (const [mask, value] of Object.entries(masks)) this.#byValue.set(value, mask)
    this.#names = names.filter((name) => name.length > 1).sort((a, b) => b.length - a.length)
  }

  get masks(): Masks {
    return this.#masks
  }

  mask(text: string): string {
    let masked = text
    for (const { kind, pattern, realPart } of detectors) {
      masked = masked.replace(pattern, (found) => {
        const real = realPart ? realPart(found) : found
        return real ? this.#maskOf(kind, real) + found.slice(real.length) : found
      })
    }
    for (const name of this.#names) {
      const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const word = new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'giu')
      masked = masked.replace(word, (found) => this.#maskOf('NAME', found))
    }
    return masked
  }

  unmask(text: string): string {
    return text.replace(/\[[A-Z]+_\d+\]/g, (mask) =>
      Object.hasOwn(this.#masks, mask) ? this.#masks[mask]! : mask,
    )
  }

  /** Masks every string in a value. Masking its JSON instead would miss escaped characters. */
  maskIn(value: unknown): unknown {
    return mapTexts(value, (text) => this.mask(text))
  }

  /** Unmasks every string in a value. */
  unmaskIn(value: unknown): unknown {
    return mapTexts(value, (text) => this.unmask(text))
  }

  #maskOf(kind: string, value: string): string {
    const known = this.#byValue.get(value)
    if (known) return known
    const count = Object.keys(this.#masks).filter((mask) => mask.startsWith(`[${kind}_`)).length
    const mask = `[${kind}_${count + 1}]`
    this.#masks[mask] = value
    this.#byValue.set(value, mask)
    return mask
  }
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, map)]),
  )
}

/**
 * The IBAN at the start of a match: groups of four can be followed by words that look like more
 * groups.
 */
function ibanIn(found: string): string {
  for (let end = found.length; end >= 15; end--) {
    const part = found.slice(0, end)
    if (part.length === part.trimEnd().length && isIban(part.replaceAll(' ', '').toUpperCase())) {
      return part
    }
  }
  return ''
}

/** The check digit of card numbers (ISO/IEC 7812-1, annex B: Luhn). */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += at % 2 === 0 ? digit : doubled
  }
  return digits.length >= 13 && sum % 10 === 0
}
