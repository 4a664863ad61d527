import { createECDH, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import type { EnvironmentSecrets, PartyLogin, Secrets, SigningJwk } from './environment-secrets.ts'
import { sandboxStaff } from './staff.ts'
import { createPrivateFile, openPrivateFolder, readIfPresent, writePrivateFile } from './files.ts'
import { fileKeyStore, type KeyStore } from './key-store.ts'
import { rootSecretsOf } from './live-keys.ts'
import { decodeSecrets, parseSecrets, type Stored, type StoredSecrets } from './secrets-file.ts'

/**
 * Loads the secrets from `dataDir`. They are generated on the first start and not changed by later
 * ones. Throws an Error if the file is invalid, and leaves the file unchanged.
 */
export async function loadSecrets(
  dataDir: string,
  store: KeyStore = fileKeyStore,
): Promise<Secrets> {
  await ensurePrivateFolder(dataDir)
  const path = join(dataDir, 'secrets.json')
  const text = await readIfPresent(path)
  if (text !== null) return decodeSecrets(parseSecrets(path, text), store)
  const newSecrets: StoredSecrets = {
    live: generateSecrets('bankgraph-live', store),
    sandbox: {
      ...generateSecrets('bankgraph-sandbox', store),
      parties: [createLogin('pty_ada', 'ada'), createLogin('pty_grace', 'grace')],
    },
  }
  const isCreated = await createPrivateFile(path, `${JSON.stringify(newSecrets, null, 2)}\n`)
  // If several processes start together, all use the secrets that the first one wrote.
  return isCreated ? decodeSecrets(newSecrets, store) : loadSecrets(dataDir, store)
}

/** Loads the secrets of a running process. Throws an Error if the file is missing or invalid. */
export async function reloadSecrets(dataDir: string, store: KeyStore): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const text = await readIfPresent(path)
  if (text === null) throw new Error(`${path} is missing.`)
  return decodeSecrets(parseSecrets(path, text), store)
}

/**
 * Returns the private key of the environment's own client, with which it authenticates in the
 * security profile `fapi2`. It is derived from a root secret (HKDF, RFC 5869).
 */
export const clientKeyOf = (secret: string): SigningJwk => keyFor('bankgraph client key', secret)

/** Returns the private key with which the console authenticates at the authorization server. */
export const consoleKeyOf = (secret: string): SigningJwk =>
  keyFor('bankgraph console client key', secret)

function keyFor(purpose: string, secret: string): SigningJwk {
  const d = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const [x, y] = [1, 33].map((from) => pair.getPublicKey().subarray(from, from + 32))
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const curve = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' } as const
  const kid = `client-${createHash('sha256').update(pair.getPublicKey()).digest('hex').slice(0, 8)}`
  return { ...curve, kid, x: text(x!), y: text(y!), d: text(d) }
}

/** Returns the first root secret of an environment, from which its sample people get passwords. */
export const originalSecretOf = ({
  cookieKey,
  formerCookieKeys = [],
  peopleKey,
}: EnvironmentSecrets): string => peopleKey ?? formerCookieKeys.at(-1)?.key ?? cookieKey

/** Returns the public OAuth client of web apps in the sandbox (authorization code with PKCE). */
export function webClient(webApps: readonly string[]) {
  return { client_id: 'bankgraph-web', redirect_uris: webApps.map((app) => `${app}/callback`) }
}

/**
 * Returns the public OAuth client of programs on the developer's machine in the sandbox, such as
 * `npm run token` (RFC 8252, native apps). Employees can log in to it.
 */
export const commandLineClient = {
  client_id: 'bankgraph-command-line',
  redirect_uris: ['http://127.0.0.1/callback'],
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
      ? { privateJwk: clientKeyOf(rootSecretsOf(environment, new Date()).current) }
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
        commandLineClient,
        parties: sandbox.parties,
        staff: sandboxStaff(originalSecretOf(sandbox)),
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

/** Generates the secrets of an environment, in the form in which the file contains them. */
function generateSecrets(clientId: string, store: KeyStore): Stored<EnvironmentSecrets> {
  return {
    clientId,
    clientSecret: newSecret(store),
    pageKeys: { current: 'p1', keys: { p1: newSecret(store) } },
    signingJwk: newSigningJwk(store),
    cookieKey: newSecret(store),
  }
}

/** Generates a secret, in the form in which the file contains it. */
export const newSecret = (store: KeyStore): string =>
  store.wrap(randomBytes(32).toString('base64url'))

/** Generates a key that signs tokens. */
export const newSigningJwk = (store: KeyStore): SigningJwk =>
  store.newSigningKey(randomBytes(8).toString('base64url'))

function createLogin(partyId: string, username: string): PartyLogin {
  return { partyId, username, password: randomBytes(12).toString('base64url') }
}
