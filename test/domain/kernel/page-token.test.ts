import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  decryptPageToken,
  pageBinding,
  encryptPageToken,
} from '../../../kernel/graph/page-token.ts'

const keys = { current: 'k2', keys: { k1: randomBytes(32), k2: randomBytes(32) } }
const binding = pageBinding('client', 'agreements', { status: 'draft' })
const sortKey = ['2026-01-01T00:00:00.000Z', 'agr_1']
const invalid = expect.objectContaining({ code: 'PAGE_TOKEN_INVALID' })

test('a page token returns the sort key it was issued for', () => {
  expect(decryptPageToken(keys, binding, encryptPageToken(keys, binding, sortKey, 0), 1)).toEqual(
    sortKey,
  )
})

test('a page token of an older key stays valid after key rotation', () => {
  const token = encryptPageToken({ ...keys, current: 'k1' }, binding, sortKey, 0)
  expect(decryptPageToken(keys, binding, token, 1)).toEqual(sortKey)
})

test.each([
  ['another client', pageBinding('other', 'agreements', { status: 'draft' })],
  ['another list', pageBinding('client', 'accounts', { status: 'draft' })],
  ['another filter', pageBinding('client', 'agreements', { status: 'active' })],
])('a page token is invalid for %s', (_who, other) => {
  const token = encryptPageToken(keys, binding, sortKey, 0)
  expect(() => decryptPageToken(keys, other, token, 1)).toThrow(invalid)
})

test('a page token with any changed character is invalid', () => {
  const token = encryptPageToken(keys, binding, sortKey, 0)
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    // The spare bits of the last base64url character can change without changing the bytes.
    if (
      Buffer.from(changed.slice(3), 'base64url').equals(Buffer.from(token.slice(3), 'base64url'))
    ) {
      if (changed.startsWith('k2.')) continue
    }
    expect(() => decryptPageToken(keys, binding, changed, 1), changed).toThrow(invalid)
  }
})

test.each(['', 'x', '.', 'k2.', '__proto__.AAAA', 'k2.AAAA', 'k9.AAAA', 'a'.repeat(5000)])(
  'the page token %j is invalid',
  (token) => expect(() => decryptPageToken(keys, binding, token, 1)).toThrow(invalid),
)

test('a page token expires after three days', () => {
  const token = encryptPageToken(keys, binding, sortKey, 0)
  const threeDaysMs = 3 * 24 * 3600 * 1000
  expect(decryptPageToken(keys, binding, token, threeDaysMs - 1)).toEqual(sortKey)
  expect(() => decryptPageToken(keys, binding, token, threeDaysMs)).toThrow(
    expect.objectContaining({ code: 'PAGE_TOKEN_EXPIRED' }),
  )
})
