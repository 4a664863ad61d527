/**
 * The root secrets of one environment, from which its keys are derived. A new secret is accepted
 * before it is current, so that every process knows it when the first one uses it.
 */
export interface KeyRing {
  /** The secret that signs and encrypts. */
  readonly current: string
  /** The secrets whose signatures are accepted, the current one first. */
  readonly accepted: readonly string[]
  /** The secrets that decrypt, the current one first and the oldest one last. */
  readonly known: readonly string[]
}

/** Returns a ring with one secret that never changes. */
export const fixedRing = (secret: string): KeyRing => ({
  current: secret,
  accepted: [secret],
  known: [secret],
})

/** The keys that are derived from a ring. They change with the ring. */
export interface DerivedKeys<Key> {
  current(): Key
  accepted(): Key[]
}

/** Derives a key from each secret of a ring, once per secret. */
export function derivedKeys<Key>(ring: KeyRing, derive: (secret: string) => Key): DerivedKeys<Key> {
  const cache = new Map<string, Key>()
  const keyOf = (secret: string): Key => {
    const cached = cache.get(secret)
    if (cached !== undefined) return cached
    const key = derive(secret)
    cache.set(secret, key)
    return key
  }
  return { current: () => keyOf(ring.current), accepted: () => ring.accepted.map(keyOf) }
}
