import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openPageToken, pageBinding, sealPageToken } from '../../../subgraphs/_kernel/page-token.ts'

const keys = { current: 'k2', keys: { k1: randomBytes(32), k2: randomBytes(32) } }
const binding = pageBinding('client', 'agreements', { status: 'draft' })
const sortKey = ['2026-01-01T00:00:00.000Z', 'agr_1']
const invalid = expect.objectContaining({ code: 'PAGE_TOKEN_INVALID' })

test('a token opens to the sort key it was sealed with', () => {
  expect(openPageToken(keys, binding, sealPageToken(keys, binding, sortKey, 0), 1)).toEqual(sortKey)
})

test('a token of an older key still opens after a rotation', () => {
  const token = sealPageToken({ ...keys, current: 'k1' }, binding, sortKey, 0)
  expect(openPageToken(keys, binding, token, 1)).toEqual(sortKey)
})

test.each([
  ['another client', pageBinding('other', 'agreements', { status: 'draft' })],
  ['another listing', pageBinding('client', 'accounts', { status: 'draft' })],
  ['another filter', pageBinding('client', 'agreements', { status: 'active' })],
])('%s cannot open it', (_who, other) => {
  const token = sealPageToken(keys, binding, sortKey, 0)
  expect(() => openPageToken(keys, other, token, 1)).toThrow(invalid)
})

test('any changed character makes it invalid', () => {
  const token = sealPageToken(keys, binding, sortKey, 0)
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    // The last character of base64url carries spare bits that decode to the same bytes.
    if (
      Buffer.from(changed.slice(3), 'base64url').equals(Buffer.from(token.slice(3), 'base64url'))
    ) {
      if (changed.startsWith('k2.')) continue
    }
    expect(() => openPageToken(keys, binding, changed, 1), changed).toThrow(invalid)
  }
})

test.each(['', 'x', '.', 'k2.', '__proto__.AAAA', 'k2.AAAA', 'k9.AAAA', 'a'.repeat(5000)])(
  '%j is invalid',
  (token) => expect(() => openPageToken(keys, binding, token, 1)).toThrow(invalid),
)

test('it lives three days', () => {
  const token = sealPageToken(keys, binding, sortKey, 0)
  const threeDaysMs = 3 * 24 * 3600 * 1000
  expect(openPageToken(keys, binding, token, threeDaysMs - 1)).toEqual(sortKey)
  expect(() => openPageToken(keys, binding, token, threeDaysMs)).toThrow(
    expect.objectContaining({ code: 'PAGE_TOKEN_EXPIRED' }),
  )
})
