import { isIban } from '../../../kernel/domain/iban.ts'

/**
 * The masked values by mask, such as an IBAN by `[IBAN_1]`. A value has the same mask throughout a
 * session.
 */
export type Masks = Readonly<Record<string, string>>

interface Detector {
  kind: string
  pattern: RegExp
  /** Returns the part of a match that must be masked; an empty string if the match is invalid. */
  realPart?: (match: string) => string
}

// The order matters: a card number must not be masked as a phone number.
const detectors: readonly Detector[] = [
  // A local part has at most 64 characters (RFC 5321); the limit keeps matching linear.
  { kind: 'EMAIL', pattern: /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g },
  {
    kind: 'IBAN',
    pattern: /\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}\b/g,
    realPart: ibanIn,
  },
  {
    kind: 'CARD',
    pattern: /\b\d(?:[ -]?\d){12,18}\b/g,
    realPart: (match) => (isCard(match) ? match : ''),
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
 * Masks and unmasks personal data. Names are masked only if they are in `names`, because unknown
 * names cannot be distinguished from other words.
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
      masked = masked.replace(pattern, (match) => {
        const validPart = realPart ? realPart(match) : match
        return validPart ? this.#maskOf(kind, validPart) + match.slice(validPart.length) : match
      })
    }
    for (const name of this.#names) {
      const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const word = new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'giu')
      masked = masked.replace(word, (match) => this.#maskOf('NAME', match))
    }
    return masked
  }

  unmask(text: string): string {
    return text.replace(/\[[A-Z]+_\d+\]/g, (mask) =>
      Object.hasOwn(this.#masks, mask) ? this.#masks[mask]! : mask,
    )
  }

  /** Masks every string in a value. Masking the value's JSON would miss escaped characters. */
  maskIn(value: unknown): unknown {
    return mapTexts(value, (text) => this.mask(text))
  }

  /** Unmasks every string in a value. */
  unmaskIn(value: unknown): unknown {
    return mapTexts(value, (text) => this.unmask(text))
  }

  #maskOf(kind: string, value: string): string {
    const existingMask = this.#byValue.get(value)
    if (existingMask) return existingMask
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
 * Returns the IBAN at the start of a match; an empty string if there is none. The match can be
 * longer, because words after the IBAN can look like further groups of it.
 */
function ibanIn(match: string): string {
  for (let end = match.length; end >= 15; end--) {
    const part = match.slice(0, end)
    if (part.length === part.trimEnd().length && isIban(part.replaceAll(' ', '').toUpperCase())) {
      return part
    }
  }
  return ''
}

/** Whether the check digit of a card number is correct (Luhn, ISO/IEC 7812-1, annex B). */
function isCard(match: string): boolean {
  const digits = match.replace(/\D/g, '')
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += index % 2 === 0 ? digit : doubled
  }
  return digits.length >= 13 && sum % 10 === 0
}
