import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const lifeSeconds = 365 * 24 * 3600

/**
 * Signs a cookie that says: in this browser, this person has logged in. It grants nothing; it spares
 * its browser the delays that others' failures cause.
 */
export class KnownDevices {
  readonly #key: string
  readonly #isSecure: boolean

  constructor(key: string, isSecure: boolean) {
    this.#key = `known-device ${key}`
    this.#isSecure = isSecure
  }

  isKnown(request: IncomingMessage, username: string, now: Date): boolean {
    const prefix = `${nameOf(username)}=`
    const cookies = (request.headers.cookie ?? '').split(/;\s*/)
    const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? ''
    const [expires = '', mac = ''] = value.split('.')
    const expected = this.#sign(username, expires)
    const sent = Buffer.from(mac, 'base64url')
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return false
    return Number(expires) * 1000 > now.getTime()
  }

  /** The `Set-Cookie` header after a successful log-in. */
  cookieOf(username: string, now: Date): string {
    const expires = String(Math.floor(now.getTime() / 1000) + lifeSeconds)
    const value = `${expires}.${this.#sign(username, expires).toString('base64url')}`
    const secure = this.#isSecure ? '; Secure' : ''
    return `${nameOf(username)}=${value}; Path=/oauth; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`
  }

  #sign(username: string, expires: string): Buffer {
    return createHmac('sha256', this.#key).update(`${username}\n${expires}`).digest()
  }
}

/** Several people may share a browser: one cookie each, which does not show the name. */
function nameOf(username: string): string {
  return `device_${createHash('sha256').update(username).digest('hex').slice(0, 12)}`
}
