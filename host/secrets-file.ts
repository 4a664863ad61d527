import { Ajv } from 'ajv'
import { wrappedPrefix, type KeyStore } from './key-store.ts'
import type { EnvironmentSecrets, Secrets } from './environment-secrets.ts'

/** The secrets of an environment as stored in the file, with keys in base64url. */
export type Stored<Environment extends EnvironmentSecrets> = Omit<Environment, 'pageKeys'> & {
  pageKeys: { current: string; keys: Record<string, string>; activeFrom?: Record<string, string> }
}

export interface StoredSecrets {
  live: Stored<Secrets['live']>
  sandbox: Stored<Secrets['sandbox']>
}

/** Returns the secrets of the file in plain text. */
export function decodeSecrets({ live, sandbox }: StoredSecrets, store: KeyStore): Secrets {
  return {
    live: decodeEnvironment(live, store),
    sandbox: { ...decodeEnvironment(sandbox, store), parties: sandbox.parties },
  }
}

function decodeEnvironment(
  {
    pageKeys,
    formerCookieKeys,
    formerClientSecret,
    peopleKey,
    ...stored
  }: Stored<EnvironmentSecrets>,
  store: KeyStore,
): EnvironmentSecrets {
  const keys = Object.entries(pageKeys.keys).map(([id, key]) => [
    id,
    Buffer.from(store.unwrap(key), 'base64url'),
  ])
  return {
    ...stored,
    clientSecret: store.unwrap(stored.clientSecret),
    cookieKey: store.unwrap(stored.cookieKey),
    pageKeys: { ...pageKeys, keys: Object.fromEntries(keys) as Record<string, Buffer> },
    ...(peopleKey !== undefined && { peopleKey: store.unwrap(peopleKey) }),
    ...(formerCookieKeys && {
      formerCookieKeys: formerCookieKeys.map((each) => ({ ...each, key: store.unwrap(each.key) })),
    }),
    ...(formerClientSecret && {
      formerClientSecret: {
        ...formerClientSecret,
        secret: store.unwrap(formerClientSecret.secret),
      },
    }),
  }
}

const nonEmptyText = { type: 'string', minLength: 1 }
const key32 = { type: 'string', pattern: '^[\\w-]{43}$' }
const wrappedKey32 = { type: 'string', pattern: `^([\\w-]{43}|${wrappedPrefix}[\\w-]+)$` }
const record = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const publicJwk = {
  kty: { const: 'EC' },
  crv: { const: 'P-256' },
  alg: { const: 'ES256' },
  x: key32,
  y: key32,
  kid: nonEmptyText,
}
/** A key with its private part, or with its label in the HSM. */
const jwk = {
  anyOf: [record({ ...publicJwk, d: key32 }), record({ ...publicJwk, pkcs11Id: nonEmptyText })],
}
const environment = {
  clientId: nonEmptyText,
  clientSecret: { type: 'string', minLength: 32 },
  pageKeys: record({
    current: nonEmptyText,
    keys: { type: 'object', minProperties: 1, additionalProperties: wrappedKey32 },
  }),
  signingJwk: jwk,
  cookieKey: { type: 'string', minLength: 32 },
}
const party = record({ partyId: nonEmptyText, username: nonEmptyText, password: nonEmptyText })
const time = { type: 'string', minLength: 20 }
const formerKeys = {
  formerJwks: { type: 'array', items: jwk },
  cookieKeyFrom: time,
  peopleKey: { type: 'string', minLength: 32 },
  formerCookieKeys: {
    type: 'array',
    items: record({ key: { type: 'string', minLength: 32 } }),
  },
  formerClientSecret: record({ secret: { type: 'string', minLength: 32 }, until: time }),
}
const withFormer = (shape: ReturnType<typeof record>) => ({
  ...shape,
  properties: { ...shape.properties, ...formerKeys },
})
const isStoredSecrets = new Ajv().compile<StoredSecrets>(
  record({
    live: withFormer(record(environment)),
    sandbox: withFormer(record({ ...environment, parties: { type: 'array', items: party } })),
  }),
)

/** Parses the text of the file. Throws an Error that names the file and what is wrong with it. */
export function parseSecrets(path: string, text: string): StoredSecrets {
  const invalidFile = (what: string, cause?: unknown) =>
    new Error(
      `${path} ${what}. The file was not changed: restore it, or move it away to generate new secrets ` +
        '(this invalidates all existing tokens, page tokens and client secrets).',
      { cause },
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalidFile('is not valid JSON', cause)
  }
  if (!isStoredSecrets(value)) {
    const [first] = isStoredSecrets.errors ?? []
    throw invalidFile(
      `is not a valid secrets file: ${first?.instancePath || 'the file'} ${first?.message}`,
    )
  }
  for (const name of ['live', 'sandbox'] as const) {
    const { current, keys } = value[name].pageKeys
    if (!(current in keys))
      throw invalidFile(`names "${current}" as the current page key but does not contain this key`)
  }
  return value
}
