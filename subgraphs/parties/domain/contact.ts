import type { ContactPoint, QuietHours } from '../model/party.ts'
import type { ContactChannel } from '../model/enumerations.ts'
import { Problem } from './problems.ts'

export const maxContactPoints = 50

/** The syntax of addresses by channel. Only a verification proves that an address works. */
const addressRules: Record<
  ContactChannel,
  { pattern: RegExp; maxLength: number; message: string }
> = {
  email: {
    pattern:
      /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+\.[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}.]+$/u,
    maxLength: 254,
    message: 'The address must be an email address such as ada@example.com.',
  },
  sms: {
    pattern: /^\+[1-9]\d{6,14}$/,
    maxLength: 16,
    message: 'The address must be a phone number in E.164 format such as +31612345678.',
  },
  push: {
    pattern: /^[\x21-\x7e]+$/,
    maxLength: 512,
    message: 'The address must be a device token of 1 to 512 visible ASCII characters.',
  },
  'secure-message': {
    pattern: /^[\x21-\x7e]+$/,
    maxLength: 64,
    message: 'The address must be an inbox of 1 to 64 visible ASCII characters.',
  },
}

/** Checks the syntax of an address. Throws VALIDATION_FAILED. */
export function requireAddress(channel: ContactChannel, address: string, pointer: string): void {
  const { pattern, maxLength, message } = addressRules[channel]
  if (address.length <= maxLength && pattern.test(address)) return
  throw validationProblem(pointer, 'ADDRESS_INVALID', message)
}

/**
 * Whether two contact points have the same channel and address. The letter case of email addresses
 * is ignored.
 */
export function isSameContact(
  first: Pick<ContactPoint, 'channel' | 'address'>,
  second: Pick<ContactPoint, 'channel' | 'address'>,
): boolean {
  const normalized = ({ channel, address }: Pick<ContactPoint, 'channel' | 'address'>) =>
    channel === 'email' ? address.toLowerCase() : address
  return first.channel === second.channel && normalized(first) === normalized(second)
}

/**
 * Returns the canonical form of a BCP 47 tag. Throws VALIDATION_FAILED for an invalid tag, and for
 * a tag of more than 35 characters.
 */
export function parseLanguage(tag: string): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    if (canonical && canonical.length <= 35) return canonical
  } catch {
    // The text is not a language tag and is rejected below.
  }
  throw validationProblem(
    '/language',
    'LANGUAGE_INVALID',
    'The language must be a BCP 47 tag such as en or pt-BR.',
  )
}

/** Checks that a text is an IANA time zone. Throws VALIDATION_FAILED. */
export function requireTimeZone(zone: string, pointer: string): void {
  try {
    // `Intl` also accepts offsets such as +01:00, which are not IANA time zones.
    if (/^[A-Za-z]/.test(zone)) {
      Intl.DateTimeFormat('en', { timeZone: zone })
      return
    }
  } catch {
    // The text is not a time zone and is rejected below.
  }
  throw validationProblem(
    pointer,
    'TIME_ZONE_INVALID',
    'The time zone must be an IANA time zone such as Europe/Amsterdam.',
  )
}

/**
 * Checks quiet hours. Throws VALIDATION_FAILED for an invalid time or time zone, and for an end
 * that equals the start.
 */
export function requireQuietHours({ from, to, zone }: QuietHours): void {
  for (const [name, time] of Object.entries({ from, to })) {
    if (/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) continue
    throw validationProblem(
      `/quietHours/${name}`,
      'TIME_INVALID',
      'The time must be given as HH:MM, such as 22:00.',
    )
  }
  if (from === to) {
    throw validationProblem(
      '/quietHours/to',
      'QUIET_HOURS_EMPTY',
      'Quiet hours must not end at the time at which they start.',
    )
  }
  requireTimeZone(zone, '/quietHours/zone')
}

/** Creates a VALIDATION_FAILED problem with one error, for the property at `pointer`. */
export function validationProblem(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
