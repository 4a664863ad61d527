import { isIP } from 'node:net'
import { resolve } from 'node:path'
import proxyAddr from '@fastify/proxy-addr'
import { mailUrl, messageProvider, type MessageProviderConfig } from './delivery-config.ts'
import { projectRoot } from './root.ts'

/** A bucket for documents, of Amazon S3 or what speaks its language. */
export interface DocumentsConfig {
  /** With the bucket as its path: `https://s3.eu-central-1.amazonaws.com/documents`. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A model that speaks OpenAI's chat completions. */
export interface AssistModelConfig {
  baseUrl: string
  apiKey: string
  model: string
}

/** Requests a second for as long as one likes, and how many may come at once. */
export interface RateLimit {
  perSecond: number
  burst: number
}

export type EnvironmentName = 'live' | 'sandbox'

/** Every setting of the program, read once. Nothing else reads `process.env`. */
export interface Config {
  host: string
  port: number
  /** `null`: live only. */
  sandboxPort: number | null
  dataDir: string
  /** Where people and programs reach an environment, when that is not this process's own address. */
  publicUrls: Partial<Record<EnvironmentName, string>>
  /** Where web apps are whose pages may call from a browser: `https://app.bank.example`; null where nobody said. */
  webApps: readonly string[] | null
  /** Whether an address is a proxy of ours, which is believed about whom it asks for. */
  isOurProxy: (address: string, hop: number) => boolean
  databaseUrls: Partial<Record<EnvironmentName, string>>
  /** Where a process that serves subgraphs listens, on the loopback. */
  subgraphPort: number
  /** Where the subgraphs are that run in other processes, by name. */
  subgraphUrls: Record<string, string>
  identityProvider: { issuer: string; audience: string; jwksUri: string } | null
  /** The mail server; null: live refuses e-mail, the sandbox simulates it. */
  smtpUrl: string | null
  /** The HTTP providers of text messages and push messages; null as for `smtpUrl`. */
  smsProvider: MessageProviderConfig | null
  pushProvider: MessageProviderConfig | null
  /** The broker that carries events between processes; null: they read the log. */
  natsUrl: string | null
  /** Private networks that webhooks may reach all the same; `null` where nobody said. */
  webhookAllowCidrs: readonly string[] | null
  /** Where the fault harness kills this process: the name of a point, and at which of its hits. */
  faultPoint: { name: string; hit: number } | null
  /** null: in `dataDir`. */
  documents: DocumentsConfig | null
  /** null: assistants answer without a model. */
  assistModel: AssistModelConfig | null
  /** Of a client, and of an address that shows no good token; of this process. */
  rateLimits: { client: RateLimit; address: RateLimit }
  /** Whether the database is asked, too, what a party may see of what it reads. */
  isRowSecurityOn: boolean
  /** Whether the schema and the explorers are public; null where nobody said. */
  introspection: boolean | null
  logLevel: string
}

/** Reads the environment. Throws one Error that names the variable and what it should be. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const port = portNumber(env, 'PORT', 4000)
  const config: Config = {
    host: env['HOST'] ?? '127.0.0.1',
    port,
    sandboxPort: env['SANDBOX_PORT'] === 'off' ? null : portNumber(env, 'SANDBOX_PORT', 4001),
    dataDir: resolve(projectRoot, env['DATA_DIR'] ?? '.data'),
    publicUrls: { live: origin(env, 'PUBLIC_URL'), sandbox: origin(env, 'SANDBOX_PUBLIC_URL') },
    webApps: webApps(env['WEB_APPS']),
    isOurProxy: ourProxies(env['TRUST_PROXY']),
    databaseUrls: { live: env['DATABASE_URL'], sandbox: env['SANDBOX_DATABASE_URL'] },
    subgraphPort: portNumber(env, 'SUBGRAPH_PORT', 4010),
    subgraphUrls: urlMap(env, 'SUBGRAPH_URLS'),
    identityProvider: identityProvider(env),
    smtpUrl: mailUrl(env['SMTP_URL']),
    smsProvider: messageProvider(env, 'SMS'),
    pushProvider: messageProvider(env, 'PUSH'),
    natsUrl: natsUrl(env['NATS_URL']),
    webhookAllowCidrs: cidrs(env, 'WEBHOOK_ALLOW_CIDRS'),
    faultPoint: faultPoint(env),
    documents: documentsConfig(env['DOCUMENTS_URL']),
    assistModel: assistModel(env),
    rateLimits: {
      client: rateLimit(env, 'RATE_LIMIT_CLIENT', { perSecond: 10_000, burst: 20_000 }),
      address: rateLimit(env, 'RATE_LIMIT_ADDRESS', { perSecond: 1000, burst: 5000 }),
    },
    isRowSecurityOn: onOrOff(env, 'ROW_SECURITY'),
    introspection: env['INTROSPECTION'] ? onOrOff(env, 'INTROSPECTION') : null,
    logLevel: env['LOG_LEVEL'] ?? 'warn',
  }
  if (config.port !== 0 && config.port === config.sandboxPort) {
    throw new Error('PORT and SANDBOX_PORT must differ.')
  }
  return config
}

function onOrOff(env: Record<string, string | undefined>, name: string): boolean {
  const text = env[name] ?? 'on'
  if (text === 'on' || text === 'off') return text === 'on'
  throw new Error(`${name} must be on or off, not "${text}".`)
}

function portNumber(env: Record<string, string | undefined>, name: string, fallback: number) {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`${name} must be a port number from 0 to 65535, not "${text}".`)
  }
  return port
}

function rateLimit(
  env: Record<string, string | undefined>,
  name: string,
  fallback: RateLimit,
): RateLimit {
  const text = env[name]
  if (!text) return fallback
  const [, perSecond, burst] = /^([1-9]\d{0,6}):([1-9]\d{0,6})$/.exec(text) ?? []
  if (perSecond && burst) return { perSecond: Number(perSecond), burst: Number(burst) }
  throw new Error(`${name} must be requests a second and at once, like 50:100, not "${text}".`)
}

function cidrs(env: Record<string, string | undefined>, name: string): string[] | null {
  const text = env[name]
  if (!text) return null
  const networks = listOf(text)
  if (networks.every(isNetwork)) return networks
  throw new Error(`${name} must be networks like 10.1.0.0/16,127.0.0.1/32, not "${text}".`)
}

const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Nobody unless it is said; never everybody, who could then be whoever they say. */
function ourProxies(text: string | undefined): Config['isOurProxy'] {
  const proxies = text ? listOf(text) : []
  // The library would read a bare number as an address.
  const isProxy = (each: string) =>
    networkNames.has(each) || isIP(each) !== 0 || (isNetwork(each) && !/\/0+$/.test(each))
  if (proxies.every(isProxy)) return proxyAddr.compile(proxies)
  throw new Error(
    `TRUST_PROXY must be addresses or networks of proxies like 10.1.0.0/16,loopback, not "${text}".`,
  )
}

function listOf(text: string): string[] {
  return text.split(',').map((each) => each.trim())
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && more.length === 0
}

function faultPoint({ FAULT_POINT: text }: Record<string, string | undefined>) {
  if (!text) return null
  const [name = '', hit = '1'] = text.split(':')
  return { name, hit: Number(hit) }
}

/** An address without a path, as tokens name their issuer. */
function origin(env: Record<string, string | undefined>, name: string): string | undefined {
  const text = env[name]
  if (!text) return undefined
  if (isOrigin(text)) return text
  throw new Error(`${name} must be an address like https://bank.example, not "${text}".`)
}

function webApps(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const apps = text === '' ? [] : listOf(text)
  if (apps.every(isOrigin)) return apps
  throw new Error(`WEB_APPS must be addresses like https://app.bank.example, not "${text}".`)
}

function isOrigin(text: string): boolean {
  return isHttpUrl(text) && new URL(text).origin === text
}

function natsUrl(text: string | undefined): string | null {
  if (!text) return null
  if (URL.canParse(text) && /^(nats|tls):$/.test(new URL(text).protocol)) return text
  throw new Error('NATS_URL must be an address like nats://127.0.0.1:4222.')
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function documentsConfig(text: string | undefined): DocumentsConfig | null {
  if (!text) return null
  const url = isHttpUrl(text) ? new URL(text) : null
  if (!url?.username || !url.password || url.pathname.length < 2) {
    throw new Error(
      'DOCUMENTS_URL must be https://<key>:<secret>@<host>/<bucket>?region=<region>, ' +
        'with what is no letter or digit in key and secret percent-encoded.',
    )
  }
  return {
    endpoint: url.origin + url.pathname,
    region: url.searchParams.get('region') ?? 'auto',
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
}

function assistModel(env: Record<string, string | undefined>): AssistModelConfig | null {
  const { AI_BASE_URL: baseUrl, AI_API_KEY: apiKey = '', AI_MODEL: model } = env
  if (!baseUrl && !model) return null
  if (!baseUrl || !model || !isHttpUrl(baseUrl)) {
    throw new Error(
      'AI_BASE_URL is an address like https://models.example/v1, and AI_MODEL its model.',
    )
  }
  return { baseUrl, apiKey, model }
}

function urlMap(env: Record<string, string | undefined>, name: string) {
  const text = env[name]
  if (!text) return {}
  const refuse = () => new Error(`${name} must be a JSON object of addresses, not "${text}".`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse()
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse()
  const addresses: unknown[] = Object.values(value)
  if (!addresses.every((item) => typeof item === 'string' && isHttpUrl(item))) throw refuse()
  return value as Record<string, string>
}

function identityProvider(env: Record<string, string | undefined>): Config['identityProvider'] {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URI: jwksUri } = env
  if (!issuer && !audience && !jwksUri) return null
  if (!issuer || !audience || !jwksUri) {
    throw new Error('AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URI go together.')
  }
  return { issuer, audience, jwksUri }
}
