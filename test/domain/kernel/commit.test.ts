import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { PersonalCipher } from '../../../kernel/environment/personal-cipher.ts'
import { expect, test } from 'vitest'
import { decodeResponse, encodeResponse, fingerprint } from '../../../kernel/writing/answer.ts'
import { statement } from '../../../kernel/writing/commit.ts'
import { insert, update } from '../../../kernel/writing/writes.ts'

const claim = {
  owner: 'client',
  operation: 'createThing',
  key: 'k',
  fingerprint: 'f',
  answer: '{}',
  resourceId: null,
  createdAt: new Date(0),
  isRetained: false,
  persons: ['party/pty_1'],
}

const cipher = new PersonalCipher()

test('parameters of the parts of a commit statement are numbered consecutively', () => {
  const writes = [insert('a.thing', { id: 1 }), update('a.other', { id: 2 }, 3, { name: 'x' })]
  const { text, values } = statement({ claims: [claim], writes, events: [], facts: [] }, cipher)
  expect(text).toContain('json_populate_recordset(null::a.thing, $10::json)')
  expect(text).toContain('kernel.expect((select count(*) from w0), $11::int)')
  expect(text).toContain('json_populate_record(null::a.other, $12::json) k')
  expect(text).toContain('t.version = $14')
  expect(values).toHaveLength(15)
  expect(values.slice(8)).toEqual([
    '{"party/pty_1"}',
    '[{"id":1}]',
    1,
    '{"id":2}',
    '{"name":"x"}',
    3,
    1,
  ])
  expect(values.slice(9)).toEqual(['[{"id":1}]', 1, '{"id":2}', '{"name":"x"}', 3, 1])
})

test('the text of a commit statement depends only on its shape, so that it stays prepared', () => {
  const of = (id: number, rows: number) =>
    statement(
      {
        claims: [{ ...claim, key: `k${id}` }],
        writes: [insert('a.thing', ...Array.from({ length: rows }, (_, index) => ({ id: index })))],
        events: [],
        facts: [],
      },
      cipher,
    ).text
  expect(of(1, 1)).toBe(of(2, 100))
})

test('a stored response decodes to what was encoded', () => {
  const answer = { at: new Date(5), amountMinor: 12n, list: [{ on: new Date(6) }], none: null }
  expect(decodeResponse(encodeResponse(answer))).toEqual(answer)
})

test('a fingerprint ignores the order of members and treats absent and null alike', () => {
  const one = fingerprint('op', { a: 1, b: { c: 'x', d: null } })
  expect(fingerprint('op', { b: { c: 'x' }, a: 1 })).toBe(one)
  expect(fingerprint('op', { b: { c: 'y' }, a: 1 })).not.toBe(one)
  expect(fingerprint('other', { a: 1, b: { c: 'x' } })).not.toBe(one)
})

test('a fingerprint is the SHA-256 of the canonical JSON of RFC 8785', () => {
  const anything = fc.object({
    key: fc.string({ unit: 'binary', maxLength: 5 }).filter((text) => text.isWellFormed()),
    values: [
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.integer(),
    ],
    maxKeys: 20,
  })
  fc.assert(
    fc.property(anything, (input) => {
      const content = `op\n${canonicalize(input)}`
      expect(fingerprint('op', input)).toBe(hash('sha256', content, 'base64url'))
    }),
  )
})
