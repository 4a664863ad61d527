import { Problem } from '../../_kernel/domain/problem.ts'

/** The ways to reach a party. */
export const contactChannels = ['email', 'sms', 'push', 'secure-message'] as const
export type ContactChannel = (typeof contactChannels)[number]

/** An address of a party. Verified: the party has shown that it receives what is sent there. */
export interface ContactPoint {
  channel: ContactChannel
  address: string
  verified: boolean
}

/** When not to be disturbed, `HH:MM` to `HH:MM` on the clock of an IANA time zone; may span midnight. */
export interface QuietHours {
  from: string
  to: string
  zone: string
}

export const mostContactPoints = 50

/** What an address must look like; deliverability is what verification is for. */
const addressForms: Record<ContactChannel, { form: RegExp; most: number; wanted: string }> = {
  email: {
    form: /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+\.[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}.]+$/u,
    most: 254,
    wanted: 'An e-mail address such as ada@example.com.',
  },
  sms: { form: /^\+[1-9]\d{6,14}$/, most: 16, wanted: 'A number in E.164: +31612345678.' },
  push: { form: /^[\x21-\x7e]+$/, most: 512, wanted: 'A device token: visible ASCII.' },
  'secure-message': { form: /^[\x21-\x7e]+$/, most: 64, wanted: 'An inbox: visible ASCII.' },
}

/** Refuses with VALIDATION_FAILED an address that its channel cannot have. */
export function requireAddress(channel: ContactChannel, address: string, pointer: string): void {
  const { form, most, wanted } = addressForms[channel]
  if (address.length <= most && form.test(address)) return
  throw invalid(pointer, 'ADDRESS_INVALID', wanted)
}

/** Whether two contact points are the same address; e-mail is compared without case. */
export function isSameContact(
  one: Pick<ContactPoint, 'channel' | 'address'>,
  other: Pick<ContactPoint, 'channel' | 'address'>,
): boolean {
  const spelled = ({ channel, address }: Pick<ContactPoint, 'channel' | 'address'>) =>
    channel === 'email' ? address.toLowerCase() : address
  return one.channel === other.channel && spelled(one) === spelled(other)
}

/** The canonical form of a BCP-47 tag. Refuses with VALIDATION_FAILED what is none. */
export function parseLanguage(tag: string): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    if (canonical && canonical.length <= 35) return canonical
  } catch {
    // Not a language tag: refused below.
  }
  throw invalid('/language', 'LANGUAGE_INVALID', 'A BCP-47 tag such as en or pt-BR.')
}

/** Refuses with VALIDATION_FAILED what is no IANA time zone. */
export function requireTimeZone(zone: string, pointer: string): void {
  try {
    if (/^[A-Za-z]/.test(zone)) {
      Intl.DateTimeFormat('en', { timeZone: zone })
      return
    }
  } catch {
    // Not a time zone: refused below.
  }
  throw invalid(pointer, 'TIME_ZONE_INVALID', 'An IANA time zone such as Europe/Amsterdam.')
}

/** Refuses with VALIDATION_FAILED hours that are none, or that begin where they end. */
export function requireQuietHours({ from, to, zone }: QuietHours): void {
  for (const [name, time] of Object.entries({ from, to })) {
    if (/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) continue
    throw invalid(`/quietHours/${name}`, 'TIME_INVALID', 'A time such as 22:00.')
  }
  if (from === to) {
    throw invalid('/quietHours/to', 'QUIET_HOURS_EMPTY', 'Quiet hours end at another time.')
  }
  requireTimeZone(zone, '/quietHours/zone')
}

/** A refusal of one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
