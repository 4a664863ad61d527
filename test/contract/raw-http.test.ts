/**
 * Malformed, incomplete, slow and ambiguous requests over a raw socket, which HTTP clients never send.
 * Each gets its documented response or a closed connection, and later requests are served as usual.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSampleBank, countRows, goodBody, unique, type SampleBank } from './kit.ts'

let bank: SampleBank
let port: number
beforeAll(async () => {
  // Rows are counted, so only requests may create any.
  bank = await aSampleBank('live', true)
  port = Number(new URL(bank.url).port)
})
afterAll(() => bank.stop())

interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: any
}

/** Sends text unchanged and reads all responses until the server closes or is silent for `waitMs`. */
async function send(text: string | Buffer, waitMs = 1000): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(waitMs, resolve)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve())
    // A server that responds early resets what is still being sent; its response was read before.
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
/** Makes the server close after the response, so that `send` need not wait for a timeout. */
const last = 'connection: close'
const authorized = () => `authorization: Bearer ${bank.token()}`

function expectProblem(answers: RawAnswer[], status: number) {
  expect(answers.map((answer) => answer.status)).toEqual([status])
  const [{ headers, body }] = answers as [RawAnswer]
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(headers.get('x-request-id')).toBe(body.requestId)
  expect(body).toMatchObject({ status, code: expect.any(String), type: expect.any(String) })
}

describe('malformed HTTP requests', () => {
  test.each([
    ['no request line', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['an unknown method', head('BREW /agreements HTTP/1.1', 'host: x')],
    ['a space in the path', head('GET /agree ments HTTP/1.1', 'host: x')],
    ['a missing Host header', head('GET /agreements HTTP/1.1', last)],
    ['NUL in a header', head('GET /agreements HTTP/1.1', 'host: x', 'x-a: a\0b')],
    ['a space before the colon', head('GET /agreements HTTP/1.1', 'host: x', 'x-a : b')],
    ['a folded header', head('GET /agreements HTTP/1.1', 'host: x', 'x-a: b', ' c')],
    [
      'a Content-Length that is not a number',
      head('POST /notifications HTTP/1.1', 'host: x', 'content-length: 1x'),
    ],
    [
      'two Content-Length headers',
      head('POST /a HTTP/1.1', 'host: x', 'content-length: 1', 'content-length: 2'),
    ],
    ['a negative Content-Length', head('POST /a HTTP/1.1', 'host: x', 'content-length: -1')],
  ])('answers %s with a 400 problem', async (_what, text) => {
    expectProblem(await send(text), 400)
  })

  test.each([
    ['one header of 17 KB', `x-a: ${'a'.repeat(17_000)}`],
    [
      'headers of 20 KB in total',
      Array.from({ length: 200 }, (_, at) => `x-${at}: ${'b'.repeat(90)}`).join('\r\n'),
    ],
    ['a token of 20 KB', `authorization: Bearer ${'t'.repeat(20_000)}`],
  ])('answers %s with a 431 problem', async (_what, lines) => {
    expectProblem(await send(head('GET /agreements HTTP/1.1', 'host: x', lines)), 431)
  })

  test('rejects more than 100 headers instead of dropping some', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `x-${at}: 1`).join('\r\n')
    expectProblem(await send(head('GET /agreements HTTP/1.1', 'host: x', last, many)), 431)
  })

  test.each([
    ['two idempotency keys', ['idempotency-key: a', 'idempotency-key: b'], 400],
    ['an unknown Expect value', ['expect: the-impossible'], 400],
  ])('rejects %s', async (_what, lines, status) => {
    const more = [authorized(), 'content-type: application/json', 'content-length: 2', ...lines]
    expectProblem(
      await send(`${head('POST /notifications HTTP/1.1', 'host: x', last, ...more)}{}`),
      status,
    )
  })

  test('does not serve an upgrade to an unsupported protocol', async () => {
    const lines = ['host: x', 'connection: upgrade', 'upgrade: h2c']
    const answers = await send(head('GET /agreements HTTP/1.1', ...lines))
    expectProblem(answers, 404)
    expect(answers[0]!.headers.has('upgrade')).toBe(false)
  })

  test('answers a path of 17 KB with a 431 problem', async () => {
    expectProblem(await send(head(`GET /${'a'.repeat(17_000)} HTTP/1.1`, 'host: x')), 431)
  })
})

describe('requests that could be parsed in two ways (request smuggling)', () => {
  const smuggled = 'GET /agreements HTTP/1.1\r\nhost: x\r\n\r\n'
  const withBody = (...lines: string[]) =>
    head('POST /notifications HTTP/1.1', 'host: x', 'content-type: application/json', ...lines)

  test.each([
    ['Content-Length, then Transfer-Encoding', ['content-length: 6', 'transfer-encoding: chunked']],
    ['Transfer-Encoding, then Content-Length', ['transfer-encoding: chunked', 'content-length: 6']],
    ['two transfer encodings', ['transfer-encoding: chunked', 'transfer-encoding: identity']],
    ['an unknown transfer encoding', ['transfer-encoding: xchunked']],
    ['a transfer encoding after a tab', ['content-length: 6', 'transfer-encoding:\tchunked']],
  ])('rejects %s', async (_what, lines) => {
    expectProblem(await send(withBody(...lines) + `0\r\n\r\n${smuggled}`), 400)
  })

  test('rejects a chunk size that is not a number without serving what follows', async () => {
    const text = withBody('transfer-encoding: chunked') + `zz\r\n\r\n${smuggled}`
    const answers = await send(text)
    expectProblem(answers, 400)
  })
})

describe('limits on the size of a body', () => {
  test('apply to chunked bodies', async () => {
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

  test('reject a Content-Length above the limit before the body arrives', async () => {
    const lines = ['content-type: application/json', 'content-length: 999999999']
    const text = head('POST /notifications HTTP/1.1', 'host: x', authorized(), ...lines)
    expectProblem(await send(text), 413)
  })

  test('accept a valid chunked body', async () => {
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

describe('incomplete requests', () => {
  test('half a body and a closed connection store nothing', async () => {
    const before = await countRows(bank)
    const lines = ['content-type: application/json', 'content-length: 500']
    const text = head('POST /notifications HTTP/1.1', 'host: x', authorized(), ...lines)
    const answers = await send(`${text}{"partyId":"pty_ada",`, 200)
    expect(answers).toEqual([])
    expect(await countRows(bank)).toBe(before)
  })

  test.concurrent.each([
    ['incomplete headers', 'POST /notifications HTTP/1.1\r\nhost: x\r\n'],
    [
      'an incomplete body',
      'POST /notifications HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\ncontent-type: application/json\r\n\r\n{',
    ],
  ])('%s time out with 408', { timeout: 20_000 }, async (_what, text) => {
    expectProblem(await send(text, 15_000), 408)
  })
})

test('answers pipelined requests in order', async () => {
  const one = (id: string, ...more: string[]) =>
    head('GET /agreements HTTP/1.1', 'host: x', authorized(), `x-request-id: ${id}`, ...more)
  const answers = await send(one('first') + one('second') + one('third', last), 10_000)
  expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual([
    'first',
    'second',
    'third',
  ])
})

test('rejects a request with two Authorization headers', async () => {
  const text = head('GET /agreements HTTP/1.1', 'host: x', last, authorized(), authorized())
  expectProblem(await send(text), 401)
})

test('the server still works after all malformed requests', async () => {
  expect((await bank.rest('GET', '/agreements')).status).toBe(200)
})
