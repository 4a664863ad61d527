import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { followSecretFiles, parseConfig } from '../../../kernel/environment/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'bankgraph-secret-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'key')
const model = { AI_BASE_URL: 'https://models.example/v1', AI_MODEL: 'small' }

test('a secret is read from its file, and again when the file changes', () => {
  writeFileSync(path, 'first\n')
  const config = parseConfig({ ...model, AI_API_KEY_FILE: path })
  const before = config.assistModel
  expect(before?.apiKey).toBe('first')
  followSecretFiles(config)
  // The same object, so that nothing is created again.
  expect(config.assistModel).toBe(before)
  writeFileSync(path, 'second')
  followSecretFiles(config)
  expect(config.assistModel?.apiKey).toBe('second')
  rmSync(path)
  expect(() => followSecretFiles(config)).toThrow('AI_API_KEY_FILE')
  expect(config.assistModel?.apiKey).toBe('second')
})

test('a secret and its file exclude each other, and the error does not repeat a secret', () => {
  writeFileSync(path, 'not-a-secret-of-the-right-form')
  expect(() => parseConfig({ ...model, AI_API_KEY: 'x', AI_API_KEY_FILE: path })).toThrow(
    'not both',
  )
  const wrong = () => parseConfig({ SMS_URL: 'https://sms.example', SMS_SECRET_FILE: path })
  expect(wrong).toThrow('SMS_SECRET must be')
  expect(wrong).not.toThrow('not-a-secret')
})

test('only secrets are read from files', () => {
  writeFileSync(path, '4999')
  expect(parseConfig({ PORT_FILE: path }).port).toBe(4000)
})
