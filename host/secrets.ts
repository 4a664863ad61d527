import { generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto'
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { createPrivateFile, openPrivateFolder, readIfPresent, writePrivateFile } from './files.ts'

/** An ES256 private key with its id. */
export type SigningJwk = JsonWebKey & { kid: string; alg: 'ES256'; use: 'sig' }

/** What one environment keeps to itself. */
export interface EnvironmentSecrets {
  clientId: string
  clientSecret: string
  /** Seal page tokens: the current one seals, older ones still open. 32 bytes each. */
  pageKeys: { current: string; keys: Record<string, Buffer> }
  signingJwk: SigningJwk
  /** Keys that signed before; what they signed is good until it expires. */
  formerJwks?: SigningJwk[]
  cookieKey: string
  /** People who log in at this environment's own pages. */
  parties?: PartyLogin[]
}

/** A person of the sandbox who can log in. */
export interface PartyLogin {
  partyId: string
  username: string
  password: string
}

export interface Secrets {
  live: EnvironmentSecrets
  sandbox: EnvironmentSecrets & { parties: PartyLogin[] }
}

/** Keys as the file holds them: base64url. */
type Stored<Environment extends EnvironmentSecrets> = Omit<Environment, 'pageKeys'> & {
  pageKeys: { current: string; keys: Record<string, string> }
}

interface StoredSecrets {
  live: Stored<Secrets['live']>
  sandbox: Stored<Secrets['sandbox']>
}

/**
 * Loads the generated secrets of `dataDir`, which are made on the first start and then never
 * changed. Refuses a file it does not understand, naming it, and leaves it as it is.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  await closeFolder(dataDir)
  const path = join(dataDir, 'secrets.json')
  const text = await readIfPresent(path)
  if (text !== null) return opened(parse(path, text))
  const made: StoredSecrets = {
    live: makeEnvironment('bankgraph-live'),
    sandbox: {
      ...makeEnvironment('bankgraph-sandbox'),
      parties: [login('pty_ada', 'ada'), login('pty_grace', 'grace')],
    },
  }
  const isMine = await createPrivateFile(path, `${JSON.stringify(made, null, 2)}\n`)
  // Processes that start together share what the first of them made.
  return isMine ? opened(made) : loadSecrets(dataDir)
}

const mostFormerKeys = 3

/**
 * Makes a new key for an environment. It signs from the next start on; tokens of the last three
 * keys before it stay good until they expire.
 */
export async function rotateSigningKey(
  dataDir: string,
  name: 'live' | 'sandbox',
): Promise<SigningJwk> {
  await loadSecrets(dataDir)
  const path = join(dataDir, 'secrets.json')
  const stored = parse(path, (await readIfPresent(path))!)
  const environment = stored[name]
  const former = [environment.signingJwk, ...(environment.formerJwks ?? [])]
  const { signingJwk } = makeEnvironment(environment.clientId)
  Object.assign(environment, { signingJwk, formerJwks: former.slice(0, mostFormerKeys) })
  await writePrivateFile(path, `${JSON.stringify(stored, null, 2)}\n`)
  return signingJwk
}

/** The keys whose tokens are good, the one that signs first. */
export function signingJwksOf(secrets: EnvironmentSecrets): [SigningJwk, ...SigningJwk[]] {
  return [secrets.signingJwk, ...(secrets.formerJwks ?? [])]
}

/** The public client of web apps in the sandbox (authorization code with PKCE). */
export function webClient(webApps: readonly string[]) {
  return { client_id: 'bankgraph-web', redirect_uris: webApps.map((app) => `${app}/callback`) }
}

/**
 * Writes `credentials.json` for the people and programs on this machine, with the addresses the
 * platform has now (`http://127.0.0.1:4000`, no slash at the end). `sandboxUrl: null`: live only.
 */
export async function writeCredentials(
  dataDir: string,
  secrets: Secrets,
  urls: { liveUrl: string; sandboxUrl: string | null },
  sandboxApps: readonly string[],
): Promise<void> {
  const client = ({ clientId, clientSecret }: EnvironmentSecrets, url: string) => ({
    clientId,
    clientSecret,
    tokenEndpoint: `${url}/oauth/token`,
  })
  const { live, sandbox } = secrets
  const credentials = {
    live: client(live, urls.liveUrl),
    ...(urls.sandboxUrl !== null && {
      sandbox: {
        ...client(sandbox, urls.sandboxUrl),
        webClient: webClient(sandboxApps),
        parties: sandbox.parties,
      },
    }),
  }
  const path = join(dataDir, 'credentials.json')
  const text = `${JSON.stringify(credentials, null, 2)}\n`
  if ((await readIfPresent(path)) !== text) await writePrivateFile(path, text)
}

async function closeFolder(dataDir: string) {
  await openPrivateFolder(dataDir)
  if ((await stat(dataDir)).mode & 0o077) await chmod(dataDir, 0o700)
}

function makeEnvironment(clientId: string): Stored<EnvironmentSecrets> {
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

function login(partyId: string, username: string): PartyLogin {
  return { partyId, username, password: randomBytes(12).toString('base64url') }
}

function opened({ live, sandbox }: StoredSecrets): Secrets {
  return {
    live: { ...live, pageKeys: openedKeys(live) },
    sandbox: { ...sandbox, pageKeys: openedKeys(sandbox) },
  }
}

function openedKeys({ pageKeys }: Pick<Stored<EnvironmentSecrets>, 'pageKeys'>) {
  const keys = Object.entries(pageKeys.keys).map(([id, key]) => [id, Buffer.from(key, 'base64url')])
  return { current: pageKeys.current, keys: Object.fromEntries(keys) as Record<string, Buffer> }
}

const filled = { type: 'string', minLength: 1 }
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
  kid: filled,
})
const environment = {
  clientId: filled,
  clientSecret: { type: 'string', minLength: 32 },
  pageKeys: record({
    current: filled,
    keys: { type: 'object', minProperties: 1, additionalProperties: key32 },
  }),
  signingJwk: jwk,
  cookieKey: { type: 'string', minLength: 32 },
}
const party = record({ partyId: filled, username: filled, password: filled })
const former = { formerJwks: { type: 'array', items: jwk } }
const withFormer = (shape: ReturnType<typeof record>) => ({
  ...shape,
  properties: { ...shape.properties, ...former },
})
const isStoredSecrets = new Ajv().compile<StoredSecrets>(
  record({
    live: withFormer(record(environment)),
    sandbox: withFormer(record({ ...environment, parties: { type: 'array', items: party } })),
  }),
)

function parse(path: string, text: string): StoredSecrets {
  const refusal = (what: string, cause?: unknown) =>
    new Error(
      `${path} ${what}. It is left as it is: restore it, or move it away to have new secrets made ` +
        '(every token, page token and client secret of before is then void).',
      { cause },
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refusal('is not valid JSON', cause)
  }
  if (!isStoredSecrets(value)) {
    const [first] = isStoredSecrets.errors ?? []
    throw refusal(
      `is not a file of secrets: ${first?.instancePath || 'the file'} ${first?.message}`,
    )
  }
  for (const name of ['live', 'sandbox'] as const) {
    const { current, keys } = value[name].pageKeys
    if (!(current in keys)) throw refusal(`names the page key "${current}" but does not hold it`)
  }
  return value
}
