import { expect, test } from 'vitest'
import { parseConfig } from '../../../subgraphs/_kernel/config.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

test('providers are read from their settings, and absent without them', () => {
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
])('a wrong %s stops the start and is named', (name, env) => {
  expect(() => parseConfig(env)).toThrow(name)
})
