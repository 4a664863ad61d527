import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { derivedKeys, type DerivedKeys, type KeyRing } from '../kernel/environment/key-ring.ts'

const lifetimeSeconds = 365 * 24 * 3600

/**
 * Issues and checks a signed cookie that marks a browser in which a user has logged in before. The
 * cookie grants no access. It only exempts the browser from delays that are caused by failed logins
 * elsewhere.
 */
export class KnownDevices {
  readonly #keys: DerivedKeys<string>
  readonly #isSecure: boolean

  constructor(ring: KeyRing, isSecure: boolean) {
    this.#keys = derivedKeys(ring, (secret) => `known-device ${secret}`)
    this.#isSecure = isSecure
  }

  isKnown(request: IncomingMessage, username: string, now: Date): boolean {
    const prefix = `${cookieNameOf(username)}=`
    const cookies = (request.headers.cookie ?? '').split(/;\s*/)
    const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? ''
    const [expires = '', mac = ''] = value.split('.')
    const sentMac = Buffer.from(mac, 'base64url')
    const isSigned = this.#keys.accepted().some((key) => {
      const expected = sign(key, username, expires)
      return sentMac.length === expected.length && timingSafeEqual(sentMac, expected)
    })
    if (!isSigned) return false
    return Number(expires) * 1000 > now.getTime()
  }

  /** Returns the value of the `Set-Cookie` header for a successful login. */
  cookieOf(username: string, now: Date): string {
    const expires = String(Math.floor(now.getTime() / 1000) + lifetimeSeconds)
    const mac = sign(this.#keys.current(), username, expires)
    const value = `${expires}.${mac.toString('base64url')}`
    const secure = this.#isSecure ? '; Secure' : ''
    return `${cookieNameOf(username)}=${value}; Path=/oauth; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`
  }
}

const sign = (key: string, username: string, expires: string): Buffer =>
  createHmac('sha256', key).update(`${username}\n${expires}`).digest()

/**
 * Returns the name of the cookie for a user. There is one cookie per user, because several users
 * may share a browser. The name does not reveal the user name.
 */
function cookieNameOf(username: string): string {
  return `device_${createHash('sha256').update(username).digest('hex').slice(0, 12)}`
}
