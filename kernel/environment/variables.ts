import { Type, type SchemaOptions, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import leven from 'leven'
import { withSecretFiles } from './secret-files.ts'
import { rateLimitPattern, type VariableFormat } from './variable-formats.ts'

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** Completes "NAME must be …" in the error for a wrong value. */
    expected?: string
    /** Whether the value contains a secret. The error for a wrong value does not repeat it. */
    isSecret?: boolean
  }
}

const text = (options: SchemaOptions = {}) => Type.Optional(Type.String(options))
const formatted = (format: VariableFormat, expected: string, options: SchemaOptions = {}) =>
  text({ format, expected, ...options } as SchemaOptions)
const port = (options: SchemaOptions) =>
  Type.Number({ multipleOf: 1, minimum: 0, maximum: 65535, ...options })
const portExpected = 'a port number from 0 to 65535'
const onOrOff = (options: SchemaOptions = {}) =>
  Type.Union([Type.Literal('on'), Type.Literal('off')], { expected: 'on or off', ...options })
const seconds = (range: { minimum: number; maximum: number; default: number }) =>
  Type.Number({
    multipleOf: 1,
    expected: `a number of seconds from ${range.minimum} to ${range.maximum}`,
    ...range,
  })
const rateLimit = (fallback: string) =>
  Type.String({
    default: fallback,
    pattern: rateLimitPattern.source,
    expected: 'requests per second and burst size, like 50:100',
  })
const webhookSecret = text({
  pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
  expected: 'whsec_ and at least 24 random bytes in base64',
  isSecret: true,
} as SchemaOptions)
const providerUrl = formatted('provider-url', 'a URL like https://provider.example/messages')
const database = formatted('postgres-url', 'a URL like postgresql://user:password@host/database', {
  isSecret: true,
})

/** Several servers could be at different positions. */
const replica = formatted(
  'postgres-server-url',
  'a URL of one server, like postgresql://user:password@host/database',
  { isSecret: true },
)

const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [
  name,
  `parentbased_${name}`,
])

/** The environment variables of the program. README.md describes them for operators. */
const variables = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: port({ default: 4000, expected: portExpected }),
  SANDBOX_PORT: Type.Union([Type.Literal('off'), port({})], {
    default: 4001,
    expected: `${portExpected}, or off`,
  }),
  DATA_DIR: Type.String({ default: '.data' }),
  PUBLIC_URL: formatted('origin', 'an origin like https://bank.example'),
  SANDBOX_PUBLIC_URL: formatted('origin', 'an origin like https://sandbox.bank.example'),
  WEB_APPS: formatted('origins', 'a comma-separated list of origins like https://app.bank.example'),
  TRUST_PROXY: formatted(
    'proxies',
    'a comma-separated list of addresses or CIDR blocks of proxies, like 10.1.0.0/16,loopback',
  ),
  CLIENT_CERTIFICATE_HEADER: formatted(
    'header-name',
    'the name of a header like Client-Cert, in which the proxies of TRUST_PROXY send certificates',
  ),
  BACKUP_DIR: text(),
  BACKUP_KEY: text({
    pattern: '^[A-Za-z0-9+/]{43}=$',
    expected: '32 random bytes in base64, as openssl rand -base64 32 prints them',
    isSecret: true,
  } as SchemaOptions),
  DATABASE_URL: database,
  SANDBOX_DATABASE_URL: database,
  READ_DATABASE_URL: replica,
  SANDBOX_READ_DATABASE_URL: replica,
  READ_MAX_LAG_SECONDS: seconds({ minimum: 1, maximum: 300, default: 5 }),
  DATABASE_DIRECT_URL: database,
  SANDBOX_DATABASE_DIRECT_URL: database,
  SUBGRAPH_PORT: port({ default: 4010, expected: portExpected }),
  SUBGRAPH_URLS: formatted(
    'url-map',
    'a JSON object that maps subgraphs to URLs, like {"parties":"http://10.1.0.2:4010"}',
  ),
  AUTH_ISSUER: text(),
  AUTH_AUDIENCE: text(),
  AUTH_JWKS_URI: formatted('http-url', 'a URL like https://login.bank.example/jwks'),
  AUTH_ROLES: formatted(
    'list-map',
    'a JSON object that maps values of the claim to lists of roles, like {"tellers":["teller"]}',
  ),
  AUTH_ROLES_CLAIM: Type.String({ default: 'roles' }),
  CONSOLE_CLIENT_ID: text(),
  CONSOLE_CLIENT_SECRET: text({ isSecret: true } as SchemaOptions),
  CONSOLE_CLIENT_KEY: formatted('private-jwk', 'a private key for ES256, as a JSON Web Key', {
    isSecret: true,
  }),
  CONSOLE_LOG_IN_PARAMETERS: formatted(
    'text-map',
    'a JSON object that maps names of parameters to texts, like {"scope":"openid offline_access"}',
  ),
  SECURITY_PROFILE: Type.Union([Type.Literal('standard'), Type.Literal('fapi2')], {
    default: 'standard',
    expected: 'standard or fapi2',
  }),
  PKCS11_MODULE: text(),
  PKCS11_TOKEN: text(),
  PKCS11_PIN: text({ isSecret: true } as SchemaOptions),
  SMTP_URL: formatted(
    'smtp-url',
    'a URL like smtp://user:password@host:587?from=bank@example.com',
    {
      isSecret: true,
    },
  ),
  SMS_URL: providerUrl,
  SMS_SECRET: webhookSecret,
  PUSH_URL: providerUrl,
  PUSH_SECRET: webhookSecret,
  NATS_URL: formatted('nats-url', 'a URL like nats://127.0.0.1:4222', { isSecret: true }),
  WEBHOOK_ALLOW_CIDRS: formatted(
    'cidr-blocks',
    'a comma-separated list of CIDR blocks like 10.1.0.0/16,127.0.0.1/32',
  ),
  FAULT_POINT: text(),
  DOCUMENTS_URL: formatted(
    'bucket-url',
    'https://<key>:<secret>@<host>/<bucket>?region=<region>, with all characters of the key and ' +
      'the secret except letters and digits percent-encoded',
    { isSecret: true },
  ),
  EVENT_ARCHIVE_URL: formatted(
    'archive-url',
    'file:///<folder>, or the URL of a bucket in the form of DOCUMENTS_URL',
    { isSecret: true },
  ),
  EVENT_ARCHIVE_AFTER_DAYS: Type.Optional(
    Type.Number({
      multipleOf: 1,
      minimum: 1,
      maximum: 36_500,
      expected: 'a number of days from 1 to 36500',
    }),
  ),
  AI_BASE_URL: formatted('http-url', 'a URL like https://models.example/v1'),
  AI_MODEL: text(),
  AI_API_KEY: Type.String({ default: '', isSecret: true }),
  RATE_LIMIT_CLIENT: rateLimit('10000:20000'),
  RATE_LIMIT_ADDRESS: rateLimit('1000:5000'),
  ROW_SECURITY: onOrOff({ default: 'on' }),
  REQUEST_LOG: onOrOff({ default: 'on' }),
  ENCRYPT_PERSONAL_DATA: onOrOff({ default: 'off' }),
  INTROSPECTION: Type.Optional(onOrOff()),
  PERSISTED_QUERY_LISTS: text(),
  SANDBOX_PERSISTED_QUERY_LISTS: text(),
  STRONG_AUTHENTICATION: Type.Union([Type.Literal('enrolled'), Type.Literal('required')], {
    default: 'enrolled',
    expected: 'enrolled or required',
  }),
  METRICS_PORT: Type.Optional(port({ expected: portExpected })),
  METRICS_HOST: Type.String({ default: '127.0.0.1' }),
  METRICS_TOKEN: text({
    minLength: 16,
    expected: 'a text of at least 16 characters',
    isSecret: true,
  } as SchemaOptions),
  OTEL_EXPORTER_OTLP_ENDPOINT: formatted('http-url', 'a URL like http://127.0.0.1:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: formatted(
    'http-url',
    'a URL like http://127.0.0.1:4318/v1/traces',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: formatted(
    'header-list',
    'a list of headers like api-key=secret, with percent-encoded values',
    { isSecret: true },
  ),
  OTEL_SERVICE_NAME: Type.String({ default: 'bankgraph' }),
  OTEL_TRACES_EXPORTER: Type.Union([Type.Literal('otlp'), Type.Literal('none')], {
    default: 'otlp',
    expected: 'otlp or none',
  }),
  OTEL_TRACES_SAMPLER: Type.Union(
    samplers.map((name) => Type.Literal(name)),
    { default: 'parentbased_always_on', expected: samplers.join(', ') },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    expected: 'a share of traces from 0 to 1',
  }),
  DATABASE_WAIT_SECONDS: seconds({ minimum: 0, maximum: 3600, default: 60 }),
  SHUTDOWN_DELAY_SECONDS: seconds({ minimum: 0, maximum: 300, default: 0 }),
  SHUTDOWN_GRACE_SECONDS: seconds({ minimum: 1, maximum: 3600, default: 20 }),
  FUNCTIONAL_CURRENCY: Type.String({
    default: 'EUR',
    format: 'currency' satisfies VariableFormat,
    expected: 'an ISO 4217 currency like EUR',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) =>
      Type.Literal(level),
    ),
    { default: 'warn', expected: 'trace, debug, info, warn, error, fatal or silent' },
  ),
})

const secretNames = Object.entries(variables.properties)
  .filter(([, schema]) => schema.isSecret)
  .map(([name]) => name)

export type Variables = Static<typeof variables>

/**
 * Parses the environment variables of the program and ignores all others. An empty variable counts
 * as unset, except `WEB_APPS`, where it is the empty list. Secrets can be in files. Throws an Error
 * with a line for each wrong variable, which names it and its expected form.
 */
export function parseVariables(variablesAndFiles: Record<string, string | undefined>): Variables {
  const env = withSecretFiles(variablesAndFiles, secretNames)
  const setEntries = Object.entries(env).filter(
    ([name, value]) =>
      Object.hasOwn(variables.properties, name) && (value !== '' || name === 'WEB_APPS'),
  )
  const parsed = Value.Convert(variables, Value.Default(variables, Object.fromEntries(setEntries)))
  if (Value.Check(variables, parsed)) return parsed
  const lines = new Map<string, string>()
  for (const { path, schema } of Value.Errors(variables, parsed)) {
    const name = path.slice(1)
    const expected = schema['expected'] as string
    const actual = schema['isSecret'] ? '' : `, not "${env[name]}"`
    if (!lines.has(name)) lines.set(name, `${name} must be ${expected}${actual}.`)
  }
  throw new Error([...lines.values()].join('\n'))
}

/** A name with fewer characters is too much like others, such as HOST like HOME. */
const minNameLength = 8
const maxTypos = 2

/**
 * Returns the names of variables that look like misspelled names of ours, each with the name that
 * may be meant.
 */
export function misspelledVariables(names: readonly string[]): Map<string, string> {
  const known = Object.keys(variables.properties)
  const accepted = new Set([...known, ...secretNames.map((name) => `${name}_FILE`)])
  const misspelled = new Map<string, string>()
  for (const name of names) {
    if (accepted.has(name) || name.length < minNameLength) continue
    const meant = known.find((each) => leven(each, name, { maxDistance: maxTypos + 1 }) <= maxTypos)
    if (meant !== undefined) misspelled.set(name, meant)
  }
  return misspelled
}
