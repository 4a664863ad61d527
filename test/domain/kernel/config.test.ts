import { expect, test } from 'vitest'
import { misspelledVariables } from '../../../kernel/environment/variables.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

test('reads delivery providers from their settings, and null without them', () => {
  const config = parseConfig({
    SMTP_URL: 'smtps://me:secret@mail.example:465?from=bank@example.com',
    SMS_URL: 'https://sms.example/messages',
    SMS_SECRET: secret,
    PUSH_URL: 'http://127.0.0.1:8080/push',
    PUSH_SECRET: secret,
  })
  expect(config.smtpUrl).toBe('smtps://me:secret@mail.example:465?from=bank@example.com')
  expect(config.smsProvider).toEqual({ url: 'https://sms.example/messages', secret })
  expect(config.pushProvider).toEqual({ url: 'http://127.0.0.1:8080/push', secret })
  expect(parseConfig({})).toMatchObject({ smtpUrl: null, smsProvider: null, pushProvider: null })
})

test.each([
  ['SMTP_URL', { SMTP_URL: 'mail.example:587' }],
  ['SMTP_URL', { SMTP_URL: 'https://mail.example' }],
  ['SMS_URL', { SMS_SECRET: secret }],
  ['SMS_URL', { SMS_URL: 'sms.example', SMS_SECRET: secret }],
  ['SMS_URL', { SMS_URL: 'http://sms.example/messages', SMS_SECRET: secret }],
  ['SMS_URL', { SMS_URL: 'http://127.sms.example/messages', SMS_SECRET: secret }],
  ['SMS_SECRET', { SMS_URL: 'https://sms.example/messages' }],
  ['SMS_SECRET', { SMS_URL: 'https://sms.example/messages', SMS_SECRET: 'whsec_c2hvcnQ=' }],
  ['PUSH_SECRET', { PUSH_URL: 'https://push.example/messages', PUSH_SECRET: 'secret' }],
])('rejects an invalid %s and names it', (name, env) => {
  expect(() => parseConfig(env)).toThrow(name)
})

test.each([
  [{ PORT: '80000' }, 'PORT must be a port number from 0 to 65535, not "80000".'],
  [{ PORT: 'http' }, 'PORT must be a port number from 0 to 65535, not "http".'],
  [{ PORT: '4000.5' }, 'PORT must be a port number from 0 to 65535, not "4000.5".'],
  [{ SANDBOX_PORT: 'no' }, 'SANDBOX_PORT must be a port number from 0 to 65535, or off, not "no".'],
  [{ PORT: '4001' }, 'PORT and SANDBOX_PORT must be different.'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud".',
  ],
  [
    { FUNCTIONAL_CURRENCY: 'euro' },
    'FUNCTIONAL_CURRENCY must be an ISO 4217 currency like EUR, not "euro".',
  ],
  [{ ROW_SECURITY: 'yes' }, 'ROW_SECURITY must be on or off, not "yes".'],
  [
    { AUTH_ISSUER: 'https://login.bank.example' },
    'Set all of AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URI, or none of them.',
  ],
  [
    { DATABASE_URL: 'postgres://a/live', SANDBOX_DATABASE_DIRECT_URL: 'postgres://b/sandbox' },
    'SANDBOX_DATABASE_DIRECT_URL needs SANDBOX_DATABASE_URL, the URL of the pooler.',
  ],
  [{ AI_MODEL: 'small' }, 'Set both of AI_BASE_URL and AI_MODEL, or none of them.'],
])('rejects %j with a message that names the variable', (env, message) => {
  expect(() => parseConfig(env)).toThrow(message)
})

test('reports all wrong variables at once, a line for each', () => {
  const env = {
    PORT: 'http',
    DATABASE_URL: 'mysql://db.example',
    LOG_LEVEL: 'loud',
    REQUEST_LOG: '1',
  }
  let message = ''
  try {
    parseConfig(env)
  } catch (error) {
    ;({ message } = error as Error)
  }
  expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'REQUEST_LOG',
    'LOG_LEVEL',
  ])
})

test.each([
  [
    { SHUTDOWN_DELAY_SECONDS: '-1' },
    'SHUTDOWN_DELAY_SECONDS must be a number of seconds from 0 to 300',
  ],
  [
    { SHUTDOWN_GRACE_SECONDS: '0.5' },
    'SHUTDOWN_GRACE_SECONDS must be a number of seconds from 1 to 3600',
  ],
])('rejects %j with its range', (env, message) => {
  expect(() => parseConfig(env)).toThrow(message)
})

test('finds the name that a misspelled variable may mean, and leaves those of others alone', () => {
  const names = ['DATABSE_URL', 'LOGLEVEL', 'DATABASE_URL_FILE', 'HOME', 'HOSTNAME', 'NODE_OPTIONS']
  expect([...misspelledVariables(names)]).toEqual([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])
})

test.each([
  ['SMTP_URL', 'https://user:hunter2@mail.example'],
  ['SMS_SECRET', 'hunter2'],
  ['DATABASE_URL', 'mysql://user:hunter2@db.example'],
  ['DATABASE_DIRECT_URL', 'mysql://user:hunter2@db.example'],
  ['READ_DATABASE_URL', 'postgres://user:hunter2@a.example,b.example/live'],
  ['NATS_URL', 'https://user:hunter2@nats.example'],
  ['DOCUMENTS_URL', 'https://key:hunter2@s3.example'],
  ['DOCUMENTS_URL', 'https://key:hunter2%zz@s3.example/bucket'],
  ['EVENT_ARCHIVE_URL', 'https://key:hunter2@s3.example'],
  ['EVENT_ARCHIVE_URL', 'file://hunter2/archive'],
])('does not repeat a wrong %s, which may contain a secret', (name, text) => {
  const parse = () => parseConfig({ [name]: text })
  expect(parse).toThrow(`${name} must be `)
  expect(parse).not.toThrow('hunter2')
})

test('an archive of the event log is a folder or a bucket', () => {
  const archiveOf = (url: string | undefined, days?: string) =>
    parseConfig({ EVENT_ARCHIVE_URL: url, EVENT_ARCHIVE_AFTER_DAYS: days }).eventArchive
  expect(archiveOf(undefined)).toBeNull()
  expect(archiveOf('file:///mnt/archive')).toEqual({ place: '/mnt/archive', afterDays: null })
  expect(archiveOf('https://key:word@s3.example/events?region=eu', '400')).toEqual({
    place: {
      endpoint: 'https://s3.example/events',
      region: 'eu',
      accessKeyId: 'key',
      secretAccessKey: 'word',
    },
    afterDays: 400,
  })
  expect(() => archiveOf(undefined, '400')).toThrow('EVENT_ARCHIVE_AFTER_DAYS needs')
  expect(() => archiveOf('file:///mnt/archive', '0')).toThrow('EVENT_ARCHIVE_AFTER_DAYS must be')
})

test('treats an empty variable as unset, but an empty WEB_APPS as no web apps', () => {
  const config = parseConfig({ PORT: '', SMTP_URL: '', WEB_APPS: '', INTROSPECTION: '' })
  expect(config).toMatchObject({ port: 4000, smtpUrl: null, webApps: [], introspection: null })
  expect(parseConfig({}).webApps).toBeNull()
})

test('accepts port numbers, off and 0', () => {
  expect(parseConfig({ PORT: '0', SANDBOX_PORT: 'off' })).toMatchObject({
    port: 0,
    sandboxPort: null,
  })
})

test('strong customer authentication is required from everybody, or from whoever has a passkey', () => {
  const isRequired = (setting?: string) =>
    parseConfig(setting === undefined ? {} : { STRONG_AUTHENTICATION: setting })
      .isStrongAuthenticationRequired
  expect([isRequired(), isRequired('enrolled'), isRequired('required')]).toEqual([
    false,
    false,
    true,
  ])
  expect(() => isRequired('off')).toThrow('STRONG_AUTHENTICATION must be enrolled or required')
})
