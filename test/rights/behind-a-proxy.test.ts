import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { aPlatform, type Platform } from '../kit/platform.ts'

const limit = { RATE_LIMIT_ADDRESS: '1:3' }
const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded })

/** Sends an invalid token and returns the status. */
const call = async (bank: Platform, forwarded: string) => {
  const options = { token: 'no token', headers: from(forwarded) }
  return (await bank.rest('GET', '/agreements', undefined, options)).status
}

/**
 * Requests an upgrade without authenticating and returns the status; an accepted socket stays open.
 */
function upgrade(bank: Platform, forwarded: string, sockets: WebSocket[]): Promise<number> {
  const url = `${bank.url.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: from(forwarded) })
  sockets.push(socket)
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode!))
  })
}

/** Authenticates over a WebSocket; returns its close code, or 'in' when it is accepted. */
function logIn(bank: Platform, forwarded: string, authorization: unknown): Promise<number | 'in'> {
  const url = `${bank.url.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: from(forwarded) })
  const payload = { authorization }
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })))
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', resolve)
    socket.on('message', () => (resolve('in'), socket.terminate()))
  })
}

describe.each([[{}], [{ TRUST_PROXY: '10.0.0.0/8,2001:db8::1' }]])(
  'Requests without a trusted proxy, with %j',
  (settings) => {
    let bank: Platform
    beforeAll(async () => {
      bank = await aPlatform('live', undefined, true, { ...limit, ...settings })
    })
    afterAll(() => bank.stop())

    test('applies one rate limit, whatever X-Forwarded-For says', async () => {
      const statuses = []
      for (let at = 0; at < 8; at++) statuses.push(await call(bank, `203.0.113.${at}`))
      expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
      expect(statuses).toContain(429)
      expect(await call(bank, '10.0.0.1')).toBe(429)
    })

    test('applies one rate limit over WebSockets, whatever X-Forwarded-For says', async () => {
      const codes = []
      for (let at = 0; at < 8; at++) codes.push(await logIn(bank, `203.0.113.${at}`, 'Bearer no'))
      expect(codes).toContain(4429)
    })

    test('permits 256 unauthenticated WebSockets, whatever X-Forwarded-For says', async () => {
      const sockets: WebSocket[] = []
      const request = Array.from({ length: 260 }, (_, at) => `203.0.113.${at % 256}, 198.51.100.1`)
      const statuses = await Promise.all(request.map((each) => upgrade(bank, each, sockets)))
      expect(statuses.filter((status) => status === 101)).toHaveLength(256)
      expect(statuses.filter((status) => status === 429)).toHaveLength(4)
      for (const each of sockets) each.terminate()
    })
  },
)

describe('Requests through a trusted proxy', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aPlatform('live', undefined, true, { ...limit, TRUST_PROXY: 'loopback' })
  })
  afterAll(() => bank.stop())

  const calls = async (forwarded: (at: number) => string) => {
    const statuses = []
    for (let at = 0; at < 5; at++) statuses.push(await call(bank, forwarded(at)))
    return statuses
  }

  test('limits the rate per forwarded client address', async () => {
    expect(await calls(() => '203.0.113.1')).toContain(429)
    expect(await calls((at) => `203.0.113.1${at}`)).toEqual([401, 401, 401, 401, 401])
    const schema = { token: null, headers: from('203.0.113.1') }
    expect((await bank.graph('{ __typename }', {}, schema)).status).toBe(429)
  })

  test('ignores addresses that the client added to X-Forwarded-For itself', async () => {
    expect(await calls((at) => `198.51.100.${at}, 203.0.113.2`)).toContain(429)
    expect(await calls((at) => `198.51.100.${at}, 127.0.0.1, 203.0.113.3`)).toContain(429)
  })

  test.each([
    ['an invalid token', 'Bearer no', '203.0.113.21'],
    ['no token', undefined, '203.0.113.22'],
    ['an authorization that is not a string', [{ token: 'no' }], '203.0.113.23'],
  ])(
    'counts %s over a WebSocket towards the address’s limit for HTTP',
    async (_, authorization, own) => {
      const codes = []
      for (let at = 0; at < 5; at++) {
        codes.push(await logIn(bank, `198.51.100.${at}, ${own}`, authorization))
      }
      expect(codes.slice(0, 3)).toEqual([4401, 4401, 4401])
      expect(codes).toContain(4429)
      expect(await call(bank, own)).toBe(429)
      expect(await logIn(bank, own, `Bearer ${bank.token()}`)).toBe('in')
      expect(await logIn(bank, '203.0.113.24', authorization)).toBe(4401)
    },
  )

  test('counts invalid tokens over HTTP towards the address’s limit for WebSockets', async () => {
    expect(await calls(() => '203.0.113.25')).toContain(429)
    expect(await logIn(bank, '203.0.113.25', 'Bearer no')).toBe(4429)
  })

  test('limits unauthenticated WebSockets to 256 per forwarded client address', async () => {
    const sockets: WebSocket[] = []
    const open = (forwarded: string) => upgrade(bank, forwarded, sockets)
    const statuses = await Promise.all(
      Array.from({ length: 260 }, (_, at) => open(`198.51.100.${at % 256}, 203.0.113.4`)),
    )
    expect(statuses.filter((status) => status === 101)).toHaveLength(256)
    expect(await open('203.0.113.4')).toBe(429)
    expect(await open('203.0.113.5')).toBe(101)
    for (const each of sockets) each.terminate()
  })

  test('does not use X-Forwarded-Host in URLs of the response', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const refused = await bank.rest('GET', '/agreements', undefined, { token: null, headers })
    const metadata = await bank.rest('GET', '/.well-known/oauth-authorization-server', undefined, {
      headers,
    })
    const described = [refused, metadata].map(
      (each) => each.text + [...each.headers.values()].join(),
    )
    expect(described.join()).toContain(bank.url)
    expect(described.join()).not.toContain('evil.example')
  })
})
