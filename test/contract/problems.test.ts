import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRefusal } from '../../gateway/problem-body.ts'
import { catalog, problemCodes, problemSlug } from '../../kernel/domain/problem.ts'
import { problemOf } from '../../kernel/graph/errors.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const codes = problemCodes()
const expected = codes.map((code) => ({
  code,
  status: catalog[code].status,
  title: catalog[code].title,
  retryable: 'retryable' in catalog[code],
}))

describe('problem catalog', () => {
  test('GET /problems lists it without a token', async () => {
    const { status, body } = await bank.rest('GET', '/problems', undefined, { token: null })
    expect(status).toBe(200)
    const listed = body.map(({ code, status, title, retryable }: any) => ({
      code,
      status,
      title,
      retryable,
    }))
    expect(listed).toEqual(expected)
  })

  test('GET /problems/<slug> describes the problem type that error responses link to', async () => {
    for (const entry of expected) {
      const path = `/problems/${problemSlug(entry.code)}`
      const { status, body } = await bank.rest('GET', path, undefined, { token: null })
      expect(status).toBe(200)
      expect(body).toEqual({
        ...entry,
        slug: problemSlug(entry.code),
        type: `${bank.url}${path}`,
      })
    }
    const unknown = await bank.rest('GET', '/problems/no-such-thing', undefined, { token: null })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  test('a 404 for an unknown path points to the documentation and the graph', async () => {
    const { body } = await bank.rest('GET', '/accounts/arr_1', undefined, { token: null })
    expect(body.code).toBe('ROUTE_NOT_FOUND')
    expect(body.detail).toMatch(/\/docs .* \/graphql/)
  })

  test('is served as HTML pages to browsers', async () => {
    const headers = { accept: 'text/html' }
    const list = await bank.rest('GET', '/problems', undefined, { headers })
    expect(list.headers.get('content-type')).toMatch(/^text\/html/)
    for (const { code } of expected) {
      expect(list.text).toContain(`/problems/${problemSlug(code)}"`)
    }
    const one = await bank.rest('GET', '/problems/rate-limited', undefined, { headers })
    expect(one.text).toContain('RATE_LIMITED')
    expect(one.text).toContain('may succeed later')
  })

  test('is the same in GraphQL, and the ErrorCode enum has the same codes', async () => {
    const { body } = await bank.graph(`{
      problems { code status title retryable }
      __type(name: "ErrorCode") { enumValues { name description } }
    }`)
    expect(body.data.problems).toEqual(expected)
    const named = body.data.__type.enumValues.map(({ name, description }: any) => [
      name,
      description,
    ])
    const byName = (a: [string, string], b: [string, string]) => (a[0] < b[0] ? -1 : 1)
    expect(named.toSorted(byName)).toEqual(
      expected.map(({ code, title }): [string, string] => [code, title]).toSorted(byName),
    )
  })

  test('needs a token in GraphQL, but no scope', async () => {
    const token = bank.token({ scopes: ['cases:read'] })
    const { body } = await bank.graph('{ problems { code } }', {}, { token })
    expect(body.data.problems).toHaveLength(codes.length)
    const refused = await bank.graph('{ problems { code } }', {}, { token: null })
    expect(refused.status).toBe(401)
  })

  test('has the type and title that error responses use', async () => {
    const { body } = await bank.rest('GET', '/agreements', undefined, { token: null })
    const { body: kind } = await bank.rest('GET', new URL(body.type).pathname)
    expect(kind).toMatchObject({ type: body.type, title: body.title, code: body.code })
    expect(body.code).toBe('UNAUTHENTICATED')
  })
})

describe('problem codes of other errors', () => {
  const log = pino({ level: 'silent' })

  test.each([
    [Object.assign(new Error('canceling statement'), { code: '57014' }), 'TIMEOUT', 504],
    [Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }), 'DEPENDENCY_UNAVAILABLE', 503],
    [new TypeError('secret of ours'), 'INTERNAL', 500],
    ['not even an error', 'INTERNAL', 500],
  ])('a thrown %s gets a code and hides its message', (thrown, code, status) => {
    const problem = problemOf(thrown, log)
    expect([problem.code, problem.status]).toEqual([code, status])
    expect(problem.message).toBe(catalog[problem.code].title)
  })

  test.each([
    ['HPE_HEADER_OVERFLOW', 'HEADERS_TOO_LARGE', 431],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT', 408],
    ['HPE_INVALID_METHOD', 'BAD_REQUEST', 400],
    ['none', 'BAD_REQUEST', 400],
  ])(
    'a socket error with the code %s gets a response with a problem',
    (socketCode, code, status) => {
      const answer = rawRefusal(bank.bank, socketCode === 'none' ? undefined : socketCode)
      expect(answer.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${code}`)
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
      expect(body).toMatchObject({ code, status, retryable: code === 'REQUEST_TIMEOUT' })
    },
  )
})

test.each([
  ['live', ['/'], 'GET /v1'],
  ['sandbox', ['/', '/v1'], 'GET /v1/'],
] as const)(
  '%s: the start page links only to pages that exist',
  async (environment, paths, absent) => {
    const platform = environment === 'live' ? bank : await aPlatform(environment)
    for (const path of paths) {
      const page = await platform.rest('GET', path, undefined, { token: null })
      expect(page.headers.get('content-type')).toMatch(/^text\/html/)
      const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
      expect(links.length).toBeGreaterThan(5)
      for (const link of links.filter((each) => each.startsWith('/'))) {
        const headers = { accept: 'text/html' }
        const answer = await platform.rest('GET', link, undefined, { token: null, headers })
        expect([link, answer.status]).toEqual([link, 200])
      }
    }
    const [method, path] = absent.split(' ')
    expect((await platform.rest(method!, path!, undefined, { token: null })).status).toBe(404)
    if (platform !== bank) await platform.stop()
  },
)
