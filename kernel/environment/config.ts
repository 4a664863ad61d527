import { resolve } from 'node:path'
import proxyAddr from '@fastify/proxy-addr'
import { projectRoot } from './root.ts'
import { backup, type BackupConfig } from './backup-config.ts'
import { databases, type DatabaseConfig } from './database-config.ts'
import {
  consoleClient,
  identityProvider,
  type ConsoleClientConfig,
  type IdentityProviderConfig,
} from './identity-provider-config.ts'
import {
  assistModel,
  bucket,
  eventArchive,
  messageProvider,
  type AssistModelConfig,
  type BucketConfig,
  type EventArchiveConfig,
  type MessageProviderConfig,
} from './provider-config.ts'
import {
  metricsConfig,
  tracingConfig,
  type MetricsConfig,
  type TracingConfig,
} from './telemetry-config.ts'
import { listOf, rateLimitPattern } from './variable-formats.ts'
import { parseVariables, type Variables } from './variables.ts'

/** A token bucket: the sustained rate in requests per second, and the maximum burst. */
export interface RateLimit {
  perSecond: number
  burst: number
}

/** A token of an HSM, which is reached through a PKCS#11 library. */
export interface Pkcs11Config {
  /** The path of the library. */
  module: string
  /** The label of the token. */
  token: string
  pin: string
}

export type EnvironmentName = 'live' | 'sandbox'

/**
 * How clients must authenticate. `standard` allows client secrets and bearer tokens; `fapi2` requires
 * the FAPI 2.0 Security Profile.
 */
export type SecurityProfile = 'standard' | 'fapi2'

/** All settings of the program, read once at startup. No other code reads `process.env`. */
export interface Config extends DatabaseConfig {
  host: string
  port: number
  /** The port of the sandbox; null to run only the live environment. */
  sandboxPort: number | null
  dataDir: string
  /**
   * The public origins of the environments, if they differ from the host and port of this process.
   */
  publicUrls: Partial<Record<EnvironmentName, string>>
  /**
   * The origins of web apps that may call the bank from a browser, such as
   * `https://app.bank.example`. null if WEB_APPS is not set: then live allows no web app, and the
   * sandbox allows the local development servers.
   */
  webApps: readonly string[] | null
  /**
   * Whether the proxy at this IP address is trusted, so that the client address it forwards is
   * used.
   */
  isTrustedProxy: (address: string, hop: number) => boolean
  /**
   * The name, in lower case, of the header in which trusted proxies send the certificate of the
   * client. If null, clients cannot use certificates.
   */
  clientCertificateHeader: string | null
  /** Where the embedded PostgreSQL is backed up, and the key of the backup; null if it is not. */
  backup: BackupConfig | null
  /** The port on the loopback interface on which this process serves subgraphs. */
  subgraphPort: number
  /** The URLs of subgraphs that run in other processes, by subgraph name. */
  subgraphUrls: Record<string, string>
  identityProvider: IdentityProviderConfig | null
  /**
   * How the console of the live environment is registered at the identity provider. If null, people
   * log in to it at the bank's own authorization server.
   */
  consoleClient: ConsoleClientConfig | null
  securityProfile: SecurityProfile
  /** The HSM with the keys of the bank. If null, the keys are in the file of secrets. */
  pkcs11: Pkcs11Config | null
  /** The URL of the mail server. If null, live rejects email, and the sandbox simulates it. */
  smtpUrl: string | null
  /**
   * The HTTP providers of text messages and push messages. If one is null, live rejects its
   * messages, and the sandbox simulates them.
   */
  smsProvider: MessageProviderConfig | null
  pushProvider: MessageProviderConfig | null
  /**
   * The URL of the broker that distributes events between processes. If null, each process reads
   * the events from the event log in the database.
   */
  natsUrl: string | null
  /**
   * CIDR blocks of private networks that webhooks may reach. If null, webhooks may reach none,
   * except that a sandbox that listens on the loopback interface allows webhooks to that interface.
   */
  webhookAllowCidrs: readonly string[] | null
  /**
   * The fault point at which the fault harness kills this process. `hit` is the number of times
   * that the process must reach the point, at least 1. null if no fault point is set.
   */
  faultPoint: { name: string; hit: number } | null
  /** The bucket for documents. If null, documents are stored in a folder in `dataDir`. */
  documents: BucketConfig | null
  /** The archive of the event log. If null, all events stay in the database. */
  eventArchive: EventArchiveConfig | null
  /** The language model of the assistants. If null, assistants respond without a model. */
  assistModel: AssistModelConfig | null
  /**
   * The rate limits per client and, for requests without a valid token, per IP address. Each
   * process counts separately.
   */
  rateLimits: { client: RateLimit; address: RateLimit }
  /** Whether row-level security checks the rows that a party reads. */
  isRowSecurityOn: boolean
  /** Whether the requests of clients are logged, with masked bodies. */
  isRequestLogOn: boolean
  /** How long the start waits for a database that is not reachable. */
  databaseWaitMs: number
  /**
   * How long the process still serves after it reports that it is not ready, so that balancers send
   * requests elsewhere.
   */
  shutdownDelayMs: number
  /** How long the shutdown may take after this delay. */
  shutdownGraceMs: number
  /** Whether personal data is encrypted when it is written. */
  isPersonalDataEncrypted: boolean
  /**
   * Whether introspection and the GraphQL and REST explorers are public. If null, they are public,
   * except in live with a public URL.
   */
  introspection: boolean | null
  /**
   * The file or folder with the manifests of the operations that an environment accepts. An
   * environment without one accepts all operations.
   */
  persistedQueryLists: Partial<Record<EnvironmentName, string>>
  /**
   * Whether strong customer authentication applies to every customer, or only to those who have
   * registered a passkey.
   */
  isStrongAuthenticationRequired: boolean
  /** The currency of the bank's financial statements, in which it values its positions. */
  functionalCurrency: string
  logLevel: string
  /** The private address of the metrics. If null, they are only at the addresses of clients. */
  metrics: MetricsConfig | null
  /** Where traces are sent. If null, no request is traced. */
  tracing: TracingConfig | null
}

/**
 * Parses the environment variables. Throws an Error that names the wrong variable and its expected
 * form, or the variables that must be set together.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const variables = parseVariables(env)
  if (variables.PORT !== 0 && variables.PORT === variables.SANDBOX_PORT) {
    throw new Error('PORT and SANDBOX_PORT must be different.')
  }
  if (variables.CLIENT_CERTIFICATE_HEADER && !variables.TRUST_PROXY) {
    throw new Error(
      'CLIENT_CERTIFICATE_HEADER needs TRUST_PROXY: any client could send the header.',
    )
  }
  const config: Config = {
    host: variables.HOST,
    port: variables.PORT,
    sandboxPort: variables.SANDBOX_PORT === 'off' ? null : variables.SANDBOX_PORT,
    dataDir: resolve(projectRoot, variables.DATA_DIR),
    publicUrls: { live: variables.PUBLIC_URL, sandbox: variables.SANDBOX_PUBLIC_URL },
    webApps: variables.WEB_APPS === undefined ? null : listOf(variables.WEB_APPS),
    isTrustedProxy: proxyAddr.compile(listOf(variables.TRUST_PROXY ?? '')),
    clientCertificateHeader: variables.CLIENT_CERTIFICATE_HEADER?.toLowerCase() ?? null,
    backup: backup(variables),
    ...databases(variables),
    subgraphPort: variables.SUBGRAPH_PORT,
    subgraphUrls: JSON.parse(variables.SUBGRAPH_URLS ?? '{}') as Record<string, string>,
    identityProvider: identityProvider(variables),
    consoleClient: consoleClient(variables),
    securityProfile: variables.SECURITY_PROFILE,
    pkcs11: pkcs11(variables),
    smtpUrl: variables.SMTP_URL ?? null,
    smsProvider: messageProvider(variables, 'SMS'),
    pushProvider: messageProvider(variables, 'PUSH'),
    natsUrl: variables.NATS_URL ?? null,
    webhookAllowCidrs: variables.WEBHOOK_ALLOW_CIDRS ? listOf(variables.WEBHOOK_ALLOW_CIDRS) : null,
    faultPoint: faultPoint(variables),
    documents: variables.DOCUMENTS_URL ? bucket(new URL(variables.DOCUMENTS_URL)) : null,
    eventArchive: eventArchive(variables),
    assistModel: assistModel(variables),
    rateLimits: {
      client: rateLimit(variables.RATE_LIMIT_CLIENT),
      address: rateLimit(variables.RATE_LIMIT_ADDRESS),
    },
    isPersonalDataEncrypted: variables.ENCRYPT_PERSONAL_DATA === 'on',
    isRowSecurityOn: variables.ROW_SECURITY === 'on',
    isRequestLogOn: variables.REQUEST_LOG === 'on',
    databaseWaitMs: variables.DATABASE_WAIT_SECONDS * 1000,
    shutdownDelayMs: variables.SHUTDOWN_DELAY_SECONDS * 1000,
    shutdownGraceMs: variables.SHUTDOWN_GRACE_SECONDS * 1000,
    persistedQueryLists: {
      live: pathOf(variables.PERSISTED_QUERY_LISTS),
      sandbox: pathOf(variables.SANDBOX_PERSISTED_QUERY_LISTS),
    },
    introspection: variables.INTROSPECTION ? variables.INTROSPECTION === 'on' : null,
    isStrongAuthenticationRequired: variables.STRONG_AUTHENTICATION === 'required',
    functionalCurrency: variables.FUNCTIONAL_CURRENCY,
    logLevel: variables.LOG_LEVEL,
    metrics: metricsConfig(variables),
    tracing: tracingConfig(variables),
  }
  environments.set(config, env)
  return config
}

/** The environment variables from which a configuration was parsed. */
const environments = new WeakMap<Config, Record<string, string | undefined>>()

/** The settings with credentials of other services that change while the program runs. */
const followedSettings = [
  'smtpUrl',
  'smsProvider',
  'pushProvider',
  'documents',
  'eventArchive',
  'assistModel',
  'consoleClient',
] as const satisfies readonly (keyof Config)[]

/**
 * Reads the files of secrets again and replaces the credentials of other services in the
 * configuration if they changed. Throws an Error like `parseConfig`, and changes nothing then.
 */
export function followSecretFiles(config: Config): void {
  const latest = parseConfig(environments.get(config)!)
  for (const name of followedSettings) {
    if (JSON.stringify(latest[name]) !== JSON.stringify(config[name])) {
      Object.assign(config, { [name]: latest[name] })
    }
  }
}

function pathOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : resolve(projectRoot, text)
}

function rateLimit(text: string): RateLimit {
  const [, perSecond, burst] = rateLimitPattern.exec(text)!
  return { perSecond: Number(perSecond), burst: Number(burst) }
}

function faultPoint({ FAULT_POINT: text }: Variables): Config['faultPoint'] {
  if (!text) return null
  const [name = '', hit = '1'] = text.split(':')
  return { name, hit: Number(hit) }
}

function pkcs11(variables: Variables): Pkcs11Config | null {
  const { PKCS11_MODULE: module, PKCS11_TOKEN: token, PKCS11_PIN: pin } = variables
  if (module && token && pin) return { module, token, pin }
  if (!module && !token && !pin) return null
  throw new Error('Set all of PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN, or none of them.')
}
