import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { aPlatform, type Platform } from '../kit/platform.ts'

const limit = { RATE_LIMIT_ADDRESS: '1:3' }
const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded })

/** Knocks with no good token; the answer is a status. */
const knock = async (bank: Platform, forwarded: string) => {
  const options = { token: 'no token', headers: from(forwarded) }
  return (await bank.rest('GET', '/agreements', undefined, options)).status
}

/** The status of one who asks for a socket and does not say who it is; what is open stays open. */
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

/** Says over a socket who it is, with this `authorization`: the code it is closed with, or that it is in. */
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
  'asked by somebody who is no proxy of ours, with %j',
  (settings) => {
    let bank: Platform
    beforeAll(async () => {
      bank = await aPlatform('live', undefined, true, { ...limit, ...settings })
    })
    afterAll(() => bank.stop())

    test('another address in each header is the same address', async () => {
      const statuses = []
      for (let at = 0; at < 8; at++) statuses.push(await knock(bank, `203.0.113.${at}`))
      expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
      expect(statuses).toContain(429)
      expect(await knock(bank, '10.0.0.1')).toBe(429)
    })

    test('over sockets as well', async () => {
      const codes = []
      for (let at = 0; at < 8; at++) codes.push(await logIn(bank, `203.0.113.${at}`, 'Bearer no'))
      expect(codes).toContain(4429)
    })

    test('and of its sockets 256 are open, whatever they forward', async () => {
      const sockets: WebSocket[] = []
      const asked = Array.from({ length: 260 }, (_, at) => `203.0.113.${at % 256}, 198.51.100.1`)
      const statuses = await Promise.all(asked.map((each) => upgrade(bank, each, sockets)))
      expect(statuses.filter((status) => status === 101)).toHaveLength(256)
      expect(statuses.filter((status) => status === 429)).toHaveLength(4)
      for (const each of sockets) each.terminate()
    })
  },
)

describe('behind a proxy of ours', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aPlatform('live', undefined, true, { ...limit, TRUST_PROXY: 'loopback' })
  })
  afterAll(() => bank.stop())

  const knocks = async (forwarded: (at: number) => string) => {
    const statuses = []
    for (let at = 0; at < 5; at++) statuses.push(await knock(bank, forwarded(at)))
    return statuses
  }

  test('each client has an address of its own', async () => {
    expect(await knocks(() => '203.0.113.1')).toContain(429)
    expect(await knocks((at) => `203.0.113.1${at}`)).toEqual([401, 401, 401, 401, 401])
    const schema = { token: null, headers: from('203.0.113.1') }
    expect((await bank.graph('{ __typename }', {}, schema)).status).toBe(429)
  })

  test('what a client writes before its proxy does is not believed', async () => {
    expect(await knocks((at) => `198.51.100.${at}, 203.0.113.2`)).toContain(429)
    expect(await knocks((at) => `198.51.100.${at}, 127.0.0.1, 203.0.113.3`)).toContain(429)
  })

  test.each([
    ['no good token', 'Bearer no', '203.0.113.21'],
    ['no token', undefined, '203.0.113.22'],
    ['what is no text', [{ token: 'no' }], '203.0.113.23'],
  ])('who says %s over a socket is counted as over HTTP', async (_, authorization, own) => {
    const codes = []
    for (let at = 0; at < 5; at++) {
      codes.push(await logIn(bank, `198.51.100.${at}, ${own}`, authorization))
    }
    expect(codes.slice(0, 3)).toEqual([4401, 4401, 4401])
    expect(codes).toContain(4429)
    expect(await knock(bank, own)).toBe(429)
    expect(await logIn(bank, own, `Bearer ${bank.token()}`)).toBe('in')
    expect(await logIn(bank, '203.0.113.24', authorization)).toBe(4401)
  })

  test('who guesses over HTTP has guessed over sockets', async () => {
    expect(await knocks(() => '203.0.113.25')).toContain(429)
    expect(await logIn(bank, '203.0.113.25', 'Bearer no')).toBe(4429)
  })

  test('256 sockets that have not said whose they are cost their own address only', async () => {
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

  test('nothing is addressed by what a proxy says of the host', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const refused = await bank.rest('GET', '/agreements', undefined, { token: null, headers })
    const metadata = await bank.rest('GET', '/.well-known/oauth-authorization-server', undefined, {
      headers,
    })
    const said = [refused, metadata].map((each) => each.text + [...each.headers.values()].join())
    expect(said.join()).toContain(bank.url)
    expect(said.join()).not.toContain('evil.example')
  })
})
