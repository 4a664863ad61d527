/**
 * Whatever is sent, the response is a documented one: a problem with a pointer to each fault, never
 * a 5xx, without internals, and with nothing stored.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RestAnswer } from '../kit/platform.ts'
import { aSampleBank, countRows, expectRefusal, goodBody, unique, type SampleBank } from './kit.ts'

let bank: SampleBank
let before: number
beforeAll(async () => {
  // Rows are counted, so only requests may create any.
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())
beforeEach(async () => void (before = await countRows(bank)))

const welcome = () => goodBody('POST /notifications')!
const notify = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  bank.rest('POST', '/notifications', undefined, { raw, key: unique('key'), headers })
const notifyWith = (more: object) => notify(JSON.stringify({ ...welcome(), ...more }))
const list = (query: string, path = '/agreements', options = {}) =>
  bank.rest('GET', `${path}${query}`, undefined, options)

const expectRefused = (answer: RestAnswer, status: number, code: string) =>
  expectRefusal(bank, before, answer, status, code)

describe('media types', () => {
  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset=utf-16', 415],
    ['application/jsonx', 415],
    ['application/json, application/json', 415],
    ['', 415],
    ['application/json; charset=utf-8', 201],
    ['application/json;charset="UTF-8"', 201],
    ['Application/JSON', 201],
  ])('answers the content type %j with %i', async (type, status) => {
    const answer = await notify(JSON.stringify(welcome()), { 'content-type': type })
    if (status === 201) expect(answer.status).toBe(201)
    else await expectRefused(answer, status, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test.each(['gzip', 'br', 'deflate', 'x'])(
    'answers a body encoded as %s with 415',
    async (encoding) => {
      const answer = await notify(gzipSync(JSON.stringify(welcome())), {
        'content-encoding': encoding,
      })
      await expectRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test.each([
    ['text/html', 406],
    ['application/xml', 406],
    ['application/json;q=0', 406],
    ['text/event-stream', 406],
    ['*/*', 200],
    ['application/*', 200],
    ['text/html, application/json;q=0.5', 200],
    ['application/problem+json', 200],
  ])('answers Accept: %j with %i', async (accept, status) => {
    const answer = await list('', '/agreements', { headers: { accept } })
    if (status === 200) expect(answer.status).toBe(200)
    else await expectRefused(answer, status, 'NOT_ACCEPTABLE')
  })
})

describe('request body syntax', () => {
  const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  const bytes = (...values: number[]) =>
    Buffer.concat([Buffer.from('{"reason":"'), Buffer.from(values), Buffer.from('"}')])

  test.each<[string, string | Buffer]>([
    ['an empty body', ''],
    ['whitespace', '  \n'],
    ['half an object', '{"partyId":"pty_ada"'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{"a":1 /* one */}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['-Infinity', '{"a":-Infinity}'],
    ['a leading zero', '{"a":01}'],
    ['two values', '{} {}'],
    ['a byte order mark', '\ufeff{}'],
    ['a raw line break in a string', '{"a":"\n"}'],
    ['a bad escape', '{"a":"\\x41"}'],
    ['an unpaired byte', bytes(0xff)],
    ['an overlong encoding', bytes(0xc0, 0xaf)],
    ['half a UTF-8 sequence', bytes(0xe2, 0x82)],
    ['a surrogate in UTF-8', bytes(0xed, 0xa0, 0x80)],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['21 levels', nested(21)],
    ['100,000 levels', '['.repeat(100_000)],
    ['a duplicate name', '{"partyId":"a","partyId":"b"}'],
    ['a duplicate name, once escaped', '{"partyId":"a","party\\u0049d":"b"}'],
    ['a duplicate name in a nested object', '{"personalization":{"a":1,"a":2}}'],
  ])('rejects %s as malformed JSON', async (_what, raw) => {
    await expectRefused(await notify(raw), 400, 'MALFORMED_JSON')
  })

  test.each(['null', '[]', '"x"', '7', 'true', '[{}]'])(
    'rejects %s, which is not an object',
    async (raw) => {
      await expectRefused(await notify(raw), 400, 'VALIDATION_FAILED')
    },
  )

  test('names every missing required member at once', async () => {
    const answer = await notify('{}')
    await expectRefused(answer, 400, 'VALIDATION_FAILED')
    const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.toSorted()).toEqual(['/channel', '/partyId', '/templateCode'])
  })

  test('accepts a body of 256 KiB and rejects one more byte with 413', async () => {
    const sized = (size: number) => {
      const empty = JSON.stringify({ ...welcome(), unknown: '' })
      return empty.replace('"unknown":""', `"unknown":"${'x'.repeat(size - empty.length)}"`)
    }
    await expectRefused(await notify(sized(256 * 1024)), 400, 'UNKNOWN_PROPERTY')
    await expectRefused(await notify(sized(256 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE')
  })
})

describe('body members', () => {
  test.each(['unknown', 'a/b', 'a~b', 'notificationId', 'status', 'createdAt', 'PartyId', ''])(
    'rejects the unknown member %j with a pointer to it',
    async (name) => {
      const answer = await notifyWith({ [name]: 'x' })
      await expectRefused(answer, 400, 'UNKNOWN_PROPERTY')
      const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      expect(answer.body.errors).toMatchObject([{ pointer, code: 'UNKNOWN_PROPERTY' }])
    },
  )

  test.each(['__proto__', 'constructor', 'prototype'])(
    'rejects %s without polluting Object.prototype',
    async (name) => {
      const inside = `{"${name}":{"polluted":true}}`
      const good = JSON.stringify(welcome()).slice(1)
      const flat = await notify(`{"${name}":{"polluted":true},${good}`)
      expect(flat.status).toBe(400)
      await expectRefused(
        await notify(`{"personalization":${inside},"partyId":"pty_ada"}`),
        400,
        'VALIDATION_FAILED',
      )
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )

  test.each<[string, object, string]>([
    ['a number for a string', { templateCode: 7 }, '/templateCode'],
    ['a number for an id', { partyId: 2 ** 60 }, '/partyId'],
    ['null for a string', { templateCode: null }, '/templateCode'],
    ['a list for a string', { templateCode: ['welcome'] }, '/templateCode'],
    ['an object for an id', { partyId: { $ne: null } }, '/partyId'],
    ['true for text', { subject: true }, '/subject'],
    ['an empty id', { partyId: '' }, '/partyId'],
    ['an id of 65 characters', { partyId: 'p'.repeat(65) }, '/partyId'],
    ['an id with a slash', { partyId: '../pty_ada' }, '/partyId'],
    ['an id with a line break', { partyId: 'pty_ada\n' }, '/partyId'],
    ['an id in another script', { partyId: 'рty_ada' }, '/partyId'],
    ['a code of 65 characters', { templateCode: 't'.repeat(65) }, '/templateCode'],
    ['a code with a control character', { templateCode: 'a\u0007' }, '/templateCode'],
    ['a code with a zero-width space', { templateCode: 'wel\u200bcome' }, '/templateCode'],
    ['a code with a right-to-left override', { templateCode: '\u202ecod' }, '/templateCode'],
    ['an enum in capitals', { channel: 'EMAIL' }, '/channel'],
    ['an enum as the graph spells it', { channel: 'SECURE_MESSAGE' }, '/channel'],
    ['an enum with a leading space', { channel: ' email' }, '/channel'],
    ['an enum with a homoglyph', { channel: 'еmail' }, '/channel'],
    ['an unknown enum value', { channel: 'fax' }, '/channel'],
    [
      'an enum value that is a property of Object.prototype',
      { channel: 'constructor' },
      '/channel',
    ],
    ['a list for an object', { personalization: [] }, '/personalization'],
    ['text for an object', { personalization: '{}' }, '/personalization'],
    ['NUL', { subject: 'a\0b' }, '/subject'],
    [
      'NUL in a nested value',
      { personalization: { message: ['\0'] } },
      '/personalization/message/0',
    ],
    ['NUL in a name', { personalization: { 'a\0': 1 } }, '/personalization/a\0'],
    [
      'a long code with a control character',
      { templateCode: 'a'.repeat(99_999) + '\x07' },
      '/templateCode',
    ],
    ['half a surrogate pair', { subject: '\ud83d' }, '/subject'],
  ])('rejects %s with a pointer to the member', async (_what, more, pointer) => {
    const answer = await notifyWith(more)
    await expectRefused(answer, 400, 'VALIDATION_FAILED')
    expect(answer.body.errors[0].pointer).toBe(pointer)
  })

  test.each([
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '0000-00-00T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:00:60Z',
    '2026-03-01T10:00:00+00:60',
    '2026-03-01T10:00:00+24:00',
    '2026-03-01T10:00:00',
    '2026-03-01 10:00:00Z',
    '10000-01-01T00:00:00Z',
    '2026-03-01',
    '1767225600',
    'now',
    '',
  ])('rejects %j, which is not a date-time', async (sendAt) => {
    const answer = await notifyWith({ sendAt })
    await expectRefused(answer, 400, 'VALIDATION_FAILED')
    expect(answer.body.errors[0].pointer).toBe('/sendAt')
  })

  test('counts 64 characters outside the Basic Multilingual Plane as 64', async () => {
    const body = { ...goodBody('POST /product-catalog/products'), name: '🏦'.repeat(64) }
    const answer = await bank.rest('POST', '/product-catalog/products', body)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.name).toBe(body.name)
  })

  test('stores text that looks like an injection exactly as sent', async () => {
    for (const subject of ["'; drop table x; --", '{{7*7}}', '=cmd()', 'a\r\nX: y', '<b>', '😀é']) {
      const answer = await notifyWith({ subject })
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body.subject).toBe(subject)
    }
  })
})

test.each([
  ['/facilities/fac_money/drawdowns', { amount: '10.00', currency: 'AAA' }, '/currency'],
  [
    '/posting-instructions',
    { arrangementId: 'arr_money', direction: 'in', amount: { amount: '1.00', currency: 'AAA' } },
    '/amount/currency',
  ],
  [
    '/facilities/fac_money/drawdowns',
    { amount: { amount: '10.00', currency: 'AAA' } },
    '/amount/currency',
  ],
])('%s rejects an unknown currency code with a pointer to it', async (path, body, pointer) => {
  const answer = await bank.rest('POST', path, body, { key: unique('key') })
  await expectRefused(answer, 400, 'VALIDATION_FAILED')
  expect(answer.body.errors).toContainEqual({
    pointer,
    code: 'FORMAT',
    detail: 'An ISO 4217 code such as EUR.',
  })
})

test('reports at most 200 of ten thousand validation errors', async () => {
  const instructions = Array.from({ length: 10_000 }, () => ({ amount: { a: 1 } }))
  const body = { type: 'batch', instructions }
  const answer = await bank.rest('POST', '/posting-instructions', body, { key: unique('key') })
  await expectRefused(answer, 400, 'VALIDATION_FAILED')
  expect(answer.body.errors.length).toBeLessThanOrEqual(200)
  expect(answer.body.errors[0].pointer).toMatch(/^\/instructions/)
})
