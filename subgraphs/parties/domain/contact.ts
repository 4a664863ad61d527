import { Problem } from '../../_kernel/domain/problem.ts'

/** The channels through which a party can be contacted. */
export const contactChannels = ['email', 'sms', 'push', 'secure-message'] as const
export type ContactChannel = (typeof contactChannels)[number]

/**
 * An address of a party. It is verified once the party has proven that it receives messages there.
 */
export interface ContactPoint {
  channel: ContactChannel
  address: string
  verified: boolean
}

/**
 * A daily time window without messages, from `HH:MM` to `HH:MM` in an IANA time zone; may span
 * midnight.
 */
export interface QuietHours {
  from: string
  to: string
  zone: string
}

export const mostContactPoints = 50

/** The syntax of an address by channel. Only verification proves that it is deliverable. */
const addressForms: Record<ContactChannel, { form: RegExp; most: number; wanted: string }> = {
  email: {
    form: /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+\.[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}.]+$/u,
    most: 254,
    wanted: 'The address must be an email address such as ada@example.com.',
  },
  sms: {
    form: /^\+[1-9]\d{6,14}$/,
    most: 16,
    wanted: 'The address must be a phone number in E.164 format such as +31612345678.',
  },
  push: {
    form: /^[\x21-\x7e]+$/,
    most: 512,
    wanted: 'The address must be a device token of 1 to 512 visible ASCII characters.',
  },
  'secure-message': {
    form: /^[\x21-\x7e]+$/,
    most: 64,
    wanted: 'The address must be an inbox of 1 to 64 visible ASCII characters.',
  },
}

/** Checks the syntax of an address. Rejects with VALIDATION_FAILED. */
export function requireAddress(channel: ContactChannel, address: string, pointer: string): void {
  const { form, most, wanted } = addressForms[channel]
  if (address.length <= most && form.test(address)) return
  throw invalid(pointer, 'ADDRESS_INVALID', wanted)
}

/**
 * Whether two contact points are the same address; email addresses are compared without regard to
 * letter case.
 */
export function isSameContact(
  one: Pick<ContactPoint, 'channel' | 'address'>,
  other: Pick<ContactPoint, 'channel' | 'address'>,
): boolean {
  const spelled = ({ channel, address }: Pick<ContactPoint, 'channel' | 'address'>) =>
    channel === 'email' ? address.toLowerCase() : address
  return one.channel === other.channel && spelled(one) === spelled(other)
}

/** The canonical form of a BCP-47 tag. Rejects with VALIDATION_FAILED an invalid tag. */
export function parseLanguage(tag: string): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    if (canonical && canonical.length <= 35) return canonical
  } catch {
    // Not a language tag: rejected below.
  }
  throw invalid(
    '/language',
    'LANGUAGE_INVALID',
    'The language must be a BCP 47 tag such as en or pt-BR.',
  )
}

/** Checks that a text is an IANA time zone. Rejects with VALIDATION_FAILED. */
export function requireTimeZone(zone: string, pointer: string): void {
  try {
    if (/^[A-Za-z]/.test(zone)) {
      Intl.DateTimeFormat('en', { timeZone: zone })
      return
    }
  } catch {
    // Not a time zone: rejected below.
  }
  throw invalid(
    pointer,
    'TIME_ZONE_INVALID',
    'The time zone must be an IANA time zone such as Europe/Amsterdam.',
  )
}

/**
 * Checks a time window. Rejects with VALIDATION_FAILED an invalid time, or an end that equals the
 * start.
 */
export function requireQuietHours({ from, to, zone }: QuietHours): void {
  for (const [name, time] of Object.entries({ from, to })) {
    if (/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) continue
    throw invalid(
      `/quietHours/${name}`,
      'TIME_INVALID',
      'The time must be given as HH:MM, such as 22:00.',
    )
  }
  if (from === to) {
    throw invalid(
      '/quietHours/to',
      'QUIET_HOURS_EMPTY',
      'Quiet hours must not end at the time at which they start.',
    )
  }
  requireTimeZone(zone, '/quietHours/zone')
}

/** The problem of one invalid field of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
