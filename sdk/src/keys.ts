/** Stores the idempotency keys of intended operations beyond the life of the program. */
export interface KeyStore {
  /** Returns the key that was stored for an intent; undefined if there is none. */
  get(intent: string): Promise<string | undefined> | string | undefined
  /** Stores a key. The first attempt is sent only after this has finished. */
  set(intent: string, key: string): Promise<void> | void
}

/** Stores keys in the browser (`localStorage` or `sessionStorage`). */
export function browserKeyStore(storage: Storage, prefix = 'bankgraph-key/'): KeyStore {
  return {
    get: (intent) => storage.getItem(prefix + intent) ?? undefined,
    set: (intent, key) => storage.setItem(prefix + intent, key),
  }
}

/** Returns the key of a call: the given one, the stored one, or a new one. */
export async function keyOf(
  { idempotencyKey, intent }: { idempotencyKey?: string; intent?: string },
  keys: KeyStore | undefined,
): Promise<string> {
  if (idempotencyKey !== undefined) return idempotencyKey
  if (intent === undefined) return crypto.randomUUID()
  if (!keys) throw new TypeError('An intent needs a store of keys: set `keys` in the options.')
  const stored = await keys.get(intent)
  if (stored !== undefined) return stored
  const key = crypto.randomUUID()
  await keys.set(intent, key)
  return key
}
