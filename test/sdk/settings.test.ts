/** What the client package does with settings that are wrong: it says so, and does not retry. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientCredentials } from '../../sdk/src/index.ts'
import { fileKeyStore } from '../../sdk/src/node.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import type { Platform } from '../kit/platform.ts'
import { aClient } from './kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

describe('A mistake in the settings', () => {
  const settings = { issuer: 'http://127.0.0.1:2', clientId: 'shop' }

  test.each([
    ['no ID', { ...settings, clientId: undefined as unknown as string, clientSecret: 'x' }],
    ['no secret', settings],
    ['an empty secret', { ...settings, clientSecret: '' }],
  ])('is reported at once: %s', (_, credentials) => {
    expect(() => clientCredentials(credentials)).toThrow(TypeError)
  })

  test('is reported at once: no folder of keys', () => {
    expect(() => fileKeyStore(undefined as unknown as string)).toThrow('folder')
  })

  test('is not retried: an issuer with a path', async () => {
    const { clientId, clientSecret } = bank.credentials
    const tokens = clientCredentials({ issuer: `${bank.url}/v1`, clientId, clientSecret })
    const attempts: number[] = []
    const client = aClient(bank, { tokens, onAttempt: ({ number }) => attempts.push(number) })
    const failure = await client.listAccounts().then(null, (error: unknown) => error)
    expect(failure).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(String(failure)).toContain(`such as ${bank.url}.`)
    expect(attempts).toEqual([1])
  })

  test('names why nothing answered', async () => {
    const tokens = clientCredentials({ ...settings, clientSecret: 'x' })
    const client = aClient(bank, { tokens, maxRetries: 0 })
    await expect(client.listAccounts()).rejects.toThrow(/1 attempt\): .*ECONNREFUSED/)
  })
})
