import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { EnvironmentName } from '../kernel/environment/config.ts'
import { pageTokenLifetimeMs } from '../kernel/graph/page-token.ts'
import { withFileLock } from './file-lock.ts'
import { readIfPresent, writePrivateFile } from './files.ts'
import type { EnvironmentSecrets } from './environment-secrets.ts'
import { loadSecrets, newSecret, newSigningJwk } from './secrets.ts'
import { fileKeyStore, type KeyStore } from './key-store.ts'
import { parseSecrets, type Stored } from './secrets-file.ts'

type StoredEnvironment = Stored<EnvironmentSecrets>

/** How long a new key is only known, so that every process knows it before the first one uses it. */
const publishMs = 60_000
const maxFormerJwks = 3
/** How long the previous secret of the environment's own client is accepted. */
const clientOverlapMs = 24 * 3600_000

/** Changes the secrets of an environment, and returns what happens, as a sentence. */
type Rotation = (environment: StoredEnvironment, now: Date, store: KeyStore) => string

/** The keys in the file of secrets that can be rotated. */
export const rotations = {
  /** The key that signs tokens. */
  signing(environment, now, store) {
    const former = [environment.signingJwk, ...(environment.formerJwks ?? [])]
    const signingJwk = newSigningJwk(store)
    environment.signingJwk = { ...signingJwk, activeFrom: later(now, publishMs) }
    environment.formerJwks = former.slice(0, maxFormerJwks)
    return `In a minute, tokens are signed with ${signingJwk.kid}. Earlier tokens stay valid.`
  },
  /** The root secret, from which the keys of cookies, nonces, requests and encryption derive. */
  root(environment, now, store) {
    const { cookieKey, cookieKeyFrom, formerCookieKeys = [] } = environment
    const former = { key: cookieKey, ...(cookieKeyFrom && { activeFrom: cookieKeyFrom }) }
    environment.cookieKey = newSecret(store)
    environment.cookieKeyFrom = later(now, publishMs)
    environment.formerCookieKeys = [former, ...formerCookieKeys]
    return (
      'In a minute, the new root secret signs and encrypts, and a job begins to encrypt again what ' +
      'the former ones encrypted. After 31 days, remove them with --key root --remove-former.'
    )
  },
  /** The keys of page tokens and of the addresses of documents. */
  page(environment, now, store) {
    const { keys, activeFrom = {} } = environment.pageKeys
    const id = `p${randomBytes(6).toString('hex')}`
    const times = { ...activeFrom, [id]: later(now, publishMs) }
    const kept = keysInUse(Object.keys(keys), activeFrom, now)
    environment.pageKeys = {
      current: id,
      keys: {
        ...Object.fromEntries(kept.map((each) => [each, keys[each]!])),
        [id]: newSecret(store),
      },
      activeFrom: Object.fromEntries(
        Object.entries(times).filter(([each]) => each === id || kept.includes(each)),
      ),
    }
    return `In a minute, page tokens are encrypted with ${id}. Earlier ones stay valid.`
  },
  /** The secret of the environment's own client. */
  client(environment, now, store) {
    const until = later(now, clientOverlapMs)
    environment.formerClientSecret = { secret: environment.clientSecret, until }
    environment.clientSecret = newSecret(store)
    return `The new secret is in credentials.json. The former one is accepted until ${until}.`
  },
} as const satisfies Record<string, Rotation>

export type KeyKind = keyof typeof rotations

/**
 * Rotates a key of an environment in the file of secrets. Running processes use the new key without
 * a restart. Returns what happens, as a sentence.
 */
export async function rotateKey(
  dataDir: string,
  name: EnvironmentName,
  kind: KeyKind,
  now = new Date(),
  store: KeyStore = fileKeyStore,
): Promise<string> {
  await loadSecrets(dataDir, store)
  const path = join(dataDir, 'secrets.json')
  // Of two rotations at the same time, the second one would otherwise lose the key of the first one.
  return withFileLock(path, async () => {
    const storedSecrets = parseSecrets(path, (await readIfPresent(path))!)
    const sentence = rotations[kind](storedSecrets[name], now, store)
    await writePrivateFile(path, `${JSON.stringify(storedSecrets, null, 2)}\n`)
    return sentence
  })
}

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

/**
 * Returns the page keys that may have encrypted a token that is still valid: those whose successor
 * became active less than the lifetime of a token ago.
 */
function keysInUse(ids: string[], activeFrom: Record<string, string>, now: Date): string[] {
  const timeOf = (id: string) => (activeFrom[id] === undefined ? 0 : Date.parse(activeFrom[id]))
  const ordered = ids.toSorted((one, other) => timeOf(one) - timeOf(other))
  return ordered.filter((_, index) => {
    const successor = ordered[index + 1]
    return !successor || timeOf(successor) + pageTokenLifetimeMs > now.getTime()
  })
}
