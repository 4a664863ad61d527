/**
 * What no well-behaved client sends: broken, half, slow and ambiguous requests over a bare socket.
 * Each gets its documented answer or a closed connection, and the next client is served as ever.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFurnishedBank, countRows, goodBody, unique, type FurnishedBank } from './kit.ts'

let bank: FurnishedBank
let port: number
beforeAll(async () => {
  // Rows are counted: only requests may make them.
  bank = await aFurnishedBank('live', true)
  port = Number(new URL(bank.url).port)
})
afterAll(() => bank.stop())

interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: any
}

/** Sends text as it is, and reads all answers until the server closes or falls silent. */
async function send(text: string | Buffer, waitMs = 1000): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(waitMs, resolve)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve())
    // A server that refuses early resets what is still being sent; its answer was read before.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code!) ? resolve() : reject(error),
    )
    socket.write(text)
  })
  socket.destroy()
  return parse(Buffer.concat(chunks))
}

function parse(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n')
    const [line, ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = new Map(
      lines.map((header) => {
        const colon = header.indexOf(':')
        return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const
      }),
    )
    const length = Number(headers.get('content-length') ?? rest.length)
    const body = rest.subarray(end + 4, end + 4 + length).toString('utf8')
    answers.push({ status: Number(line!.split(' ')[1]), headers, body: jsonOf(body) })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const head = (...lines: string[]) => [...lines, '', ''].join('\r\n')
/** Where nothing may follow the answer, there is no need to wait for it in silence. */
const last = 'connection: close'
const authorized = () => `authorization: Bearer ${bank.token()}`

function expectProblem(answers: RawAnswer[], status: number) {
  expect(answers.map((answer) => answer.status)).toEqual([status])
  const [{ headers, body }] = answers as [RawAnswer]
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(headers.get('x-request-id')).toBe(body.requestId)
  expect(body).toMatchObject({ status, code: expect.any(String), type: expect.any(String) })
}

describe('requests that are no HTTP', () => {
  test.each([
    ['no request at all', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['an unknown method', head('BREW /agreements HTTP/1.1', 'host: x')],
    ['a blank in the path', head('GET /agree ments HTTP/1.1', 'host: x')],
    ['no host', head('GET /agreements HTTP/1.1', last)],
    ['NUL in a header', head('GET /agreements HTTP/1.1', 'host: x', 'x-a: a\0b')],
    ['a blank before the colon', head('GET /agreements HTTP/1.1', 'host: x', 'x-a : b')],
    ['a folded header', head('GET /agreements HTTP/1.1', 'host: x', 'x-a: b', ' c')],
    [
      'a length that is none',
      head('POST /notifications HTTP/1.1', 'host: x', 'content-length: 1x'),
    ],
    ['two lengths', head('POST /a HTTP/1.1', 'host: x', 'content-length: 1', 'content-length: 2')],
    ['a negative length', head('POST /a HTTP/1.1', 'host: x', 'content-length: -1')],
  ])('%s', async (_what, text) => {
    expectProblem(await send(text), 400)
  })

  test.each([
    ['one header of 17 KB', `x-a: ${'a'.repeat(17_000)}`],
    [
      'many headers, 20 KB together',
      Array.from({ length: 200 }, (_, at) => `x-${at}: ${'b'.repeat(90)}`).join('\r\n'),
    ],
    ['a token of 20 KB', `authorization: Bearer ${'t'.repeat(20_000)}`],
  ])('%s', async (_what, lines) => {
    expectProblem(await send(head('GET /agreements HTTP/1.1', 'host: x', lines)), 431)
  })

  test('more headers than 100 are refused, none is dropped', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `x-${at}: 1`).join('\r\n')
    expectProblem(await send(head('GET /agreements HTTP/1.1', 'host: x', last, many)), 431)
  })

  test.each([
    ['two idempotency keys', ['idempotency-key: a', 'idempotency-key: b'], 400],
    ['an expectation nobody can meet', ['expect: the-impossible'], 400],
  ])('%s', async (_what, lines, status) => {
    const more = [authorized(), 'content-type: application/json', 'content-length: 2', ...lines]
    expectProblem(
      await send(`${head('POST /notifications HTTP/1.1', 'host: x', last, ...more)}{}`),
      status,
    )
  })

  test('an upgrade to what is not spoken here', async () => {
    const lines = ['host: x', 'connection: upgrade', 'upgrade: h2c']
    const answers = await send(head('GET /agreements HTTP/1.1', ...lines))
    for (const { status } of answers) expect([400, 401, 404, 426]).toContain(status)
  })

  test('a path of 17 KB', async () => {
    expectProblem(await send(head(`GET /${'a'.repeat(17_000)} HTTP/1.1`, 'host: x')), 431)
  })
})

describe('a request that could be read in two ways is none', () => {
  const smuggled = 'GET /agreements HTTP/1.1\r\nhost: x\r\n\r\n'
  const withBody = (...lines: string[]) =>
    head('POST /notifications HTTP/1.1', 'host: x', 'content-type: application/json', ...lines)

  test.each([
    ['a length and chunks', ['content-length: 6', 'transfer-encoding: chunked']],
    ['chunks and a length', ['transfer-encoding: chunked', 'content-length: 6']],
    ['two encodings', ['transfer-encoding: chunked', 'transfer-encoding: identity']],
    ['an encoding nobody knows', ['transfer-encoding: xchunked']],
    ['chunks, hidden by a tab', ['content-length: 6', 'transfer-encoding:\tchunked']],
  ])('%s', async (_what, lines) => {
    expectProblem(await send(withBody(...lines) + `0\r\n\r\n${smuggled}`), 400)
  })

  test('a chunk whose size is none', async () => {
    const text = withBody('transfer-encoding: chunked') + `zz\r\n\r\n${smuggled}`
    const answers = await send(text)
    expect(answers.length).toBeLessThanOrEqual(1)
    for (const { status } of answers) expect([400, 401]).toContain(status)
  })
})

describe('sizes', () => {
  test('a body in chunks is limited as one of known length is', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const text =
      head(
        'POST /notifications HTTP/1.1',
        'host: x',
        authorized(),
        'content-type: application/json',
        'transfer-encoding: chunked',
      ) + chunk.repeat(5)
    expectProblem(await send(text), 413)
  })

  test('a length too large is refused before the body comes', async () => {
    const lines = ['content-type: application/json', 'content-length: 999999999']
    const text = head('POST /notifications HTTP/1.1', 'host: x', authorized(), ...lines)
    expectProblem(await send(text), 413)
  })

  test('a good body in chunks is taken', async () => {
    const body = JSON.stringify(goodBody('POST /notifications'))
    const lines = ['content-type: application/json', 'transfer-encoding: chunked']
    const key = `idempotency-key: ${unique('key')}`
    const text = head('POST /notifications HTTP/1.1', 'host: x', last, authorized(), key, ...lines)
    const half = 20
    const chunks = [body.slice(0, half), body.slice(half), ''].map(
      (part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`,
    )
    const [answer] = await send(text + chunks.join(''))
    expect(answer!.status).toBe(201)
  })
})

describe('clients that do not finish', () => {
  test('half a body, then gone: nothing is stored', async () => {
    const before = await countRows(bank)
    const lines = ['content-type: application/json', 'content-length: 500']
    const text = head('POST /notifications HTTP/1.1', 'host: x', authorized(), ...lines)
    const answers = await send(`${text}{"partyId":"pty_ada",`, 200)
    expect(answers).toEqual([])
    expect(await countRows(bank)).toBe(before)
  })

  test.concurrent.each([
    ['headers', 'POST /notifications HTTP/1.1\r\nhost: x\r\n'],
    [
      'a body',
      'POST /notifications HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\ncontent-type: application/json\r\n\r\n{',
    ],
  ])('%s that take for ever are ended with 408', { timeout: 20_000 }, async (_what, text) => {
    expectProblem(await send(text, 15_000), 408)
  })
})

test('pipelined requests are answered in their order', async () => {
  const one = (id: string) =>
    head('GET /agreements HTTP/1.1', 'host: x', authorized(), `x-request-id: ${id}`)
  const answers = await send(one('first') + one('second') + one('third'), 500)
  expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual([
    'first',
    'second',
    'third',
  ])
})

test('two tokens are none', async () => {
  const text = head('GET /agreements HTTP/1.1', 'host: x', last, authorized(), authorized())
  expectProblem(await send(text), 401)
})

test('after all of this the bank still answers', async () => {
  expect((await bank.rest('GET', '/agreements')).status).toBe(200)
})
