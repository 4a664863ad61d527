import type { KeyRing } from '../kernel/environment/key-ring.ts'
import type { PageKeys } from '../kernel/graph/page-token.ts'
import type { SigningKeys } from '../oauth/issue-token.ts'
import type { EnvironmentSecrets, SigningJwk } from './environment-secrets.ts'

/**
 * How long signatures of a former root secret are accepted. The longest-lived ones whose loss a
 * person would notice are the cookies of a session, which ends after eight hours.
 */
export const rootOverlapMs = 9 * 3600_000

const isActive = (activeFrom: string | undefined, now: Date): boolean =>
  activeFrom === undefined || new Date(activeFrom) <= now

/**
 * Returns the keys whose tokens are valid, including those that do not sign yet. The first one signs
 * new tokens: the latest key that is active.
 */
export function signingJwksOf(
  { signingJwk, formerJwks = [] }: EnvironmentSecrets,
  now: Date,
): [SigningJwk, ...SigningJwk[]] {
  const all: [SigningJwk, ...SigningJwk[]] = [signingJwk, ...formerJwks]
  const signing = all.find(({ activeFrom }) => isActive(activeFrom, now)) ?? signingJwk
  return [signing, ...all.filter((jwk) => jwk !== signing)]
}

/** Returns the ring of the root secrets at a time. */
export function rootSecretsOf(
  { cookieKey, cookieKeyFrom, formerCookieKeys = [] }: EnvironmentSecrets,
  now: Date,
): KeyRing {
  const all = [
    { key: cookieKey, ...(cookieKeyFrom !== undefined && { activeFrom: cookieKeyFrom }) },
    ...formerCookieKeys,
  ]
  const current = all.find(({ activeFrom }) => isActive(activeFrom, now)) ?? all.at(-1)!
  const isAccepted = (index: number) => {
    const successor = all[index - 1]?.activeFrom
    return successor === undefined || Date.parse(successor) + rootOverlapMs > now.getTime()
  }
  const others = all.filter((each) => each !== current)
  const accepted = others.filter((each) => isAccepted(all.indexOf(each)))
  return {
    current: current.key,
    accepted: [current, ...accepted].map(({ key }) => key),
    known: [current, ...others].map(({ key }) => key),
  }
}

/** Returns the keys of page tokens at a time. The newest active one encrypts. */
export function pageKeysOf({ pageKeys }: EnvironmentSecrets, now: Date): PageKeys {
  const { current, keys, activeFrom = {} } = pageKeys
  const timeOf = (id: string) => (activeFrom[id] === undefined ? 0 : Date.parse(activeFrom[id]))
  const active = Object.keys(keys)
    .filter((id) => timeOf(id) <= now.getTime())
    .sort((one, other) => timeOf(other) - timeOf(one))
  const isCurrentActive = timeOf(current) <= now.getTime()
  return { current: isCurrentActive ? current : (active[0] ?? current), keys }
}

/**
 * The keys of one environment in a running process. They are replaced in place, so that everything
 * that has them uses the new ones.
 */
export class LiveKeys {
  readonly ring: KeyRing
  readonly pageKeys: PageKeys
  #signing: SigningKeys

  constructor(secrets: EnvironmentSecrets, now = new Date()) {
    this.ring = rootSecretsOf(secrets, now)
    this.pageKeys = pageKeysOf(secrets, now)
    this.#signing = signingJwksOf(secrets, now)
  }

  /** The keys of tokens. The first one signs. */
  get signing(): SigningKeys {
    return this.#signing
  }

  /** Replaces the keys with those that the secrets contain now. */
  use(secrets: EnvironmentSecrets, now: Date): void {
    Object.assign(this.ring, rootSecretsOf(secrets, now))
    Object.assign(this.pageKeys, pageKeysOf(secrets, now))
    this.#signing = signingJwksOf(secrets, now)
  }
}
