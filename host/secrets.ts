import {
  createECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type JsonWebKey,
} from 'node:crypto'
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import { sandboxStaff } from './staff.ts'
import { createPrivateFile, openPrivateFolder, readIfPresent, writePrivateFile } from './files.ts'

/** An ES256 private key with its key ID. */
export type SigningJwk = JsonWebKey & {
  kid: string
  alg: 'ES256'
  use: 'sig'
  /** When the key begins to sign, in ISO 8601. Until then, it is only published. */
  activeFrom?: string
}

/** The secrets of one environment. */
export interface EnvironmentSecrets {
  clientId: string
  clientSecret: string
  /**
   * Keys for page tokens, 32 bytes each. The current one encrypts; the others only decrypt older
   * page tokens.
   */
  pageKeys: { current: string; keys: Record<string, Buffer> }
  signingJwk: SigningJwk
  /** Previous signing keys. Their tokens stay valid until they expire. */
  formerJwks?: SigningJwk[]
  cookieKey: string
  /** Users who log in on the environment's own login pages. */
  parties?: PartyLogin[]
}

/** A user of the sandbox who can log in. */
export interface PartyLogin {
  partyId: string
  username: string
  password: string
}

export interface Secrets {
  live: EnvironmentSecrets
  sandbox: EnvironmentSecrets & { parties: PartyLogin[] }
}

/** The secrets of an environment as stored in the file, with keys in base64url. */
type Stored<Environment extends EnvironmentSecrets> = Omit<Environment, 'pageKeys'> & {
  pageKeys: { current: string; keys: Record<string, string> }
}

interface StoredSecrets {
  live: Stored<Secrets['live']>
  sandbox: Stored<Secrets['sandbox']>
}

/**
 * Loads the secrets from `dataDir`. They are generated on the first start and not changed by later
 * ones. Throws an Error if the file is invalid, and leaves the file unchanged.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  await ensurePrivateFolder(dataDir)
  const path = join(dataDir, 'secrets.json')
  const text = await readIfPresent(path)
  if (text !== null) return decodeSecrets(parse(path, text))
  const newSecrets: StoredSecrets = {
    live: generateSecrets('bankgraph-live'),
    sandbox: {
      ...generateSecrets('bankgraph-sandbox'),
      parties: [createLogin('pty_ada', 'ada'), createLogin('pty_grace', 'grace')],
    },
  }
  const isCreated = await createPrivateFile(path, `${JSON.stringify(newSecrets, null, 2)}\n`)
  // If several processes start together, all use the secrets that the first one wrote.
  return isCreated ? decodeSecrets(newSecrets) : loadSecrets(dataDir)
}

/** Loads the secrets of a running process. Throws an Error if the file is missing or invalid. */
export async function reloadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const text = await readIfPresent(path)
  if (text === null) throw new Error(`${path} is missing.`)
  return decodeSecrets(parse(path, text))
}

const maxFormerKeys = 3

/** How long a new signing key is only published, so that every process knows it when it signs. */
const publishSeconds = 60

/**
 * Generates a new signing key for an environment. Running processes publish it within seconds and
 * sign with it after a minute. Tokens of the last three keys stay valid until they expire.
 */
export async function rotateSigningKey(
  dataDir: string,
  name: 'live' | 'sandbox',
): Promise<SigningJwk> {
  await loadSecrets(dataDir)
  const path = join(dataDir, 'secrets.json')
  const storedSecrets = parse(path, (await readIfPresent(path))!)
  const environment = storedSecrets[name]
  const formerKeys = [environment.signingJwk, ...(environment.formerJwks ?? [])]
  const activeFrom = new Date(Date.now() + publishSeconds * 1000).toISOString()
  const signingJwk = { ...generateSecrets(environment.clientId).signingJwk, activeFrom }
  Object.assign(environment, { signingJwk, formerJwks: formerKeys.slice(0, maxFormerKeys) })
  await writePrivateFile(path, `${JSON.stringify(storedSecrets, null, 2)}\n`)
  return signingJwk
}

/**
 * Returns the keys whose tokens are valid, including those that do not sign yet. The first one signs
 * new tokens: the latest key that is active.
 */
export function signingJwksOf(
  { signingJwk, formerJwks = [] }: EnvironmentSecrets,
  now: Date,
): [SigningJwk, ...SigningJwk[]] {
  const all: [SigningJwk, ...SigningJwk[]] = [signingJwk, ...formerJwks]
  const isActive = ({ activeFrom }: SigningJwk) => !activeFrom || new Date(activeFrom) <= now
  const signing = all.find(isActive) ?? signingJwk
  return [signing, ...all.filter((jwk) => jwk !== signing)]
}

/**
 * Returns the private key of the environment's own client, with which it authenticates in the
 * security profile `fapi2`. It is derived from the secret of the environment (HKDF, RFC 5869).
 */
export function clientKeyOf({ cookieKey }: EnvironmentSecrets): SigningJwk {
  const d = Buffer.from(hkdfSync('sha256', cookieKey, '', 'bankgraph client key', 32))
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const [x, y] = [1, 33].map((from) => pair.getPublicKey().subarray(from, from + 32))
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const curve = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' } as const
  return { ...curve, kid: 'client', x: text(x!), y: text(y!), d: text(d) }
}

/** Returns the public OAuth client of web apps in the sandbox (authorization code with PKCE). */
export function webClient(webApps: readonly string[]) {
  return { client_id: 'bankgraph-web', redirect_uris: webApps.map((app) => `${app}/callback`) }
}

/** Returns the public OAuth client of the bank's own console (authorization code with PKCE). */
export function consoleClient(address: string) {
  return { client_id: 'bankgraph-console', redirect_uris: [`${address}/console/callback`] }
}

/**
 * Writes `credentials.json`, from which users and programs on this machine read the credentials and
 * URLs of the environments. URLs have no trailing slash, as in `http://127.0.0.1:4000`.
 * `sandboxUrl` is null if the sandbox is off.
 */
export async function writeCredentials(
  dataDir: string,
  secrets: Secrets,
  urls: { liveUrl: string; sandboxUrl: string | null },
  sandboxApps: readonly string[],
  securityProfile: SecurityProfile = 'standard',
): Promise<void> {
  const client = (environment: EnvironmentSecrets, url: string) => ({
    clientId: environment.clientId,
    ...(securityProfile === 'fapi2'
      ? { privateJwk: clientKeyOf(environment) }
      : { clientSecret: environment.clientSecret }),
    tokenEndpoint: `${url}/oauth/token`,
  })
  const { live, sandbox } = secrets
  const credentials = {
    live: client(live, urls.liveUrl),
    ...(urls.sandboxUrl !== null && {
      sandbox: {
        ...client(sandbox, urls.sandboxUrl),
        webClient: webClient(sandboxApps),
        consoleClient: consoleClient(urls.sandboxUrl),
        parties: sandbox.parties,
        staff: sandboxStaff(sandbox.cookieKey),
      },
    }),
  }
  const path = join(dataDir, 'credentials.json')
  const text = `${JSON.stringify(credentials, null, 2)}\n`
  if ((await readIfPresent(path)) !== text) await writePrivateFile(path, text)
}

async function ensurePrivateFolder(dataDir: string) {
  await openPrivateFolder(dataDir)
  if ((await stat(dataDir)).mode & 0o077) await chmod(dataDir, 0o700)
}

function generateSecrets(clientId: string): Stored<EnvironmentSecrets> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomBytes(8).toString('base64url')
  return {
    clientId,
    clientSecret: randomBytes(32).toString('base64url'),
    pageKeys: { current: 'p1', keys: { p1: randomBytes(32).toString('base64url') } },
    signingJwk: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },
    cookieKey: randomBytes(32).toString('base64url'),
  }
}

function createLogin(partyId: string, username: string): PartyLogin {
  return { partyId, username, password: randomBytes(12).toString('base64url') }
}

function decodeSecrets({ live, sandbox }: StoredSecrets): Secrets {
  return {
    live: { ...live, pageKeys: decodeKeys(live) },
    sandbox: { ...sandbox, pageKeys: decodeKeys(sandbox) },
  }
}

function decodeKeys({ pageKeys }: Pick<Stored<EnvironmentSecrets>, 'pageKeys'>) {
  const keys = Object.entries(pageKeys.keys).map(([id, key]) => [id, Buffer.from(key, 'base64url')])
  return { current: pageKeys.current, keys: Object.fromEntries(keys) as Record<string, Buffer> }
}

const nonEmptyText = { type: 'string', minLength: 1 }
const key32 = { type: 'string', pattern: '^[\\w-]{43}$' }
const record = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const jwk = record({
  kty: { const: 'EC' },
  crv: { const: 'P-256' },
  alg: { const: 'ES256' },
  x: key32,
  y: key32,
  d: key32,
  kid: nonEmptyText,
})
const environment = {
  clientId: nonEmptyText,
  clientSecret: { type: 'string', minLength: 32 },
  pageKeys: record({
    current: nonEmptyText,
    keys: { type: 'object', minProperties: 1, additionalProperties: key32 },
  }),
  signingJwk: jwk,
  cookieKey: { type: 'string', minLength: 32 },
}
const party = record({ partyId: nonEmptyText, username: nonEmptyText, password: nonEmptyText })
const formerKeys = { formerJwks: { type: 'array', items: jwk } }
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

function parse(path: string, text: string): StoredSecrets {
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
