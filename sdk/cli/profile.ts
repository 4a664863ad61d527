import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  BankProblem,
  clientCredentials,
  ConnectionFailure,
  createBankClient,
  fixedToken,
  type BankClient,
  type PrivateJwk,
} from '../src/index.ts'
import { environment } from './environment.ts'
import { Failure } from './failure.ts'

/** Which bank a command uses, and as whom. */
export interface Profile {
  /** The base URL of the REST operations, with `/v1` in the sandbox. */
  url: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The private key of the client, instead of a secret (`SECURITY_PROFILE=fapi2`). */
  privateKey?: PrivateJwk | undefined
  token?: string | undefined
  /** Where the profile comes from, for `doctor`. */
  source: string
}

/** The options that every command has. */
export interface GlobalOptions {
  env?: string
  json?: boolean
}

interface LocalCredentials {
  clientId: string
  clientSecret?: string
  privateJwk?: PrivateJwk
  tokenEndpoint: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the profile of a command: from the environment (`BANKGRAPH_URL` with `BANKGRAPH_TOKEN` or
 * with `BANKGRAPH_CLIENT_ID` and `BANKGRAPH_CLIENT_SECRET`), else from `bankgraph login`, else that
 * of the bank which `npm start` runs in this folder. Throws a Failure if there is none.
 */
export function findProfile({ env }: GlobalOptions, from: Environment = environment): Profile {
  const url = from['BANKGRAPH_URL']
  const token = from['BANKGRAPH_TOKEN']
  const clientId = from['BANKGRAPH_CLIENT_ID']
  const clientSecret = from['BANKGRAPH_CLIENT_SECRET']
  if (url && (token || (clientId && clientSecret))) {
    return { url, token, clientId, clientSecret, source: 'the environment (BANKGRAPH_URL)' }
  }
  const name = env ?? 'sandbox'
  const saved = readJson<Record<string, Omit<Profile, 'source'>>>(profilesPath(from))?.[name]
  if (saved) return { ...saved, source: `bankgraph login (${profilesPath(from)})` }
  const local = profileOfBank(name, resolve(from['DATA_DIR'] ?? '.data'))
  if (local) return local
  throw new Failure(
    `There are no credentials for ${name}. Log in with "bankgraph login", set BANKGRAPH_URL and BANKGRAPH_TOKEN, ` +
      `or run this command in the folder of the bank, after npm start.`,
  )
}

/** Saves a profile under the name of its environment, readable only for the user. */
export function saveProfile(name: string, profile: Omit<Profile, 'source'>): string {
  const path = profilesPath(environment)
  const profiles = { ...readJson<Record<string, object>>(path), [name]: profile }
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(path, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  return path
}

/** Forgets a profile. Returns whether there was one. */
export function removeProfile(name: string): boolean {
  const path = profilesPath(environment)
  const profiles = readJson<Record<string, object>>(path) ?? {}
  if (!(name in profiles)) return false
  const { [name]: _, ...others } = profiles
  if (Object.keys(others).length === 0) rmSync(path)
  else writeFileSync(path, `${JSON.stringify(others, null, 2)}\n`, { mode: 0o600 })
  return true
}

/** Returns a client for a profile. */
export function clientOf(profile: Profile): BankClient {
  return createBankClient({ url: profile.url, tokens: tokensOf(profile) })
}

/** Returns where the tokens of a profile come from. */
export function tokensOf({ url, token, clientId, clientSecret, privateKey }: Profile) {
  if (token !== undefined) return fixedToken(token)
  const issuer = new URL(url).origin
  // A bank that requires keys also requires that tokens are bound to one.
  const secret = privateKey ? { privateKey, dpop: true } : { clientSecret: clientSecret! }
  return clientCredentials({ issuer, clientId: clientId!, ...secret })
}

/** Requests a token. Throws a `BankProblem` if it is refused, and a `ConnectionFailure`. */
export async function requestToken(profile: Profile): Promise<string> {
  try {
    return await tokensOf(profile).token()
  } catch (error) {
    throw error instanceof BankProblem ? error : new ConnectionFailure(1, null, error)
  }
}

/**
 * Returns the profile of an environment of the bank whose folder is given, from the credentials that
 * `npm start` wrote; null if there are none.
 */
export function profileOfBank(name: string, dataFolder: string): Profile | null {
  const path = join(dataFolder, 'credentials.json')
  const local = readJson<Record<string, LocalCredentials>>(path)?.[name]
  if (!local) return null
  const { origin } = new URL(local.tokenEndpoint)
  const { clientId, clientSecret, privateJwk: privateKey } = local
  const url = name === 'sandbox' ? `${origin}/v1` : origin
  return { url, clientId, clientSecret, privateKey, source: path }
}

const profilesPath = (from: Environment): string =>
  join(from['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'bankgraph', 'profiles.json')

function readJson<Content>(path: string): Content | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content
  } catch {
    return null
  }
}
