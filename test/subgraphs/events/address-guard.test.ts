import 'reflect-metadata'
import * as fc from 'fast-check'
import { request, type Agent } from 'node:http'
import { createServer, isIP, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'
import {
  guardedAgent,
  type Resolve,
  isAllowedAddress,
  requireTarget,
} from '../../../subgraphs/events/delivery/address-guard.ts'
import { post } from '../../../subgraphs/events/delivery/sender.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'
import { aReceiver } from './receiver.ts'

const bankOf = (environment: 'live' | 'sandbox', env: Record<string, string> = {}) =>
  ({ environment, config: parseConfig(env) }) as Bank
const live = bankOf('live')
const sandbox = bankOf('sandbox')
const publicSandbox = bankOf('sandbox', { HOST: '0.0.0.0' })

const codeOf = (input: Promise<unknown>) =>
  input.then(
    () => 'allowed',
    (error: { code: string }) => error.code,
  )

/** Addresses that webhooks must not reach, including notations that filters tend to miss. */
const forbidden = `
  127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 localhost 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255
  192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
  240.0.0.1 255.255.255.255 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
  [fc00::1] [fd12:3456::1] [fe80::1] [ff02::1] [64:ff9b::7f00:1] [64:ff9b::a00:1] [2002:7f00:1::] [2001:db8::1]`
  .trim()
  .split(/\s+/)

describe('URL of a webhook endpoint', () => {
  test.each(forbidden)('rejects https://%s/ in live', async (host) => {
    expect(await codeOf(requireTarget(live, `https://${host}/hook`))).toBe('TARGET_URL_NOT_ALLOWED')
  })

  test.each(['https://1.1.1.1/hook', 'https://[2606:4700:4700::1111]/hook'])(
    'accepts %s',
    async (url) => {
      expect(await codeOf(requireTarget(live, url))).toBe('allowed')
    },
  )

  test('accepts a host name that does not resolve, because every call is checked again', async () => {
    expect(await codeOf(requireTarget(live, 'https://nobody.invalid/hook'))).toBe('allowed')
  })

  test('accepts http only in the sandbox, and loopback only in a sandbox bound to loopback', async () => {
    const here = 'http://127.0.0.1:3000/hook'
    expect(await codeOf(requireTarget(live, here))).toBe('TARGET_URL_NOT_HTTPS')
    expect(await codeOf(requireTarget(sandbox, here))).toBe('allowed')
    expect(await codeOf(requireTarget(sandbox, 'http://localhost:3000/'))).toBe('allowed')
    expect(await codeOf(requireTarget(publicSandbox, here))).toBe('TARGET_URL_NOT_ALLOWED')
    for (const host of ['10.0.0.1', '169.254.169.254', '127.0.0.2', '[::ffff:127.0.0.1]']) {
      const code = await codeOf(requireTarget(sandbox, `http://${host}/hook`))
      expect([host, code]).toEqual([host, 'TARGET_URL_NOT_ALLOWED'])
    }
  })

  test('accepts private networks that WEBHOOK_ALLOW_CIDRS names', async () => {
    const named = bankOf('live', { WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16, fd00::/8' })
    expect(await codeOf(requireTarget(named, 'https://10.1.2.3/'))).toBe('allowed')
    expect(await codeOf(requireTarget(named, 'https://[fd00::1]/'))).toBe('allowed')
    expect(await codeOf(requireTarget(named, 'https://10.2.0.1/'))).toBe('TARGET_URL_NOT_ALLOWED')
    expect(() => bankOf('live', { WEBHOOK_ALLOW_CIDRS: 'everything' })).toThrow(
      /list of CIDR blocks/,
    )
    expect(() => bankOf('live', { WEBHOOK_ALLOW_CIDRS: '10.0.0.0/33' })).toThrow(
      /list of CIDR blocks/,
    )
  })
})

describe('Connection to a webhook endpoint', () => {
  const connects = (bank: Bank, url: URL, resolver?: Resolve) =>
    new Promise<boolean>((resolve) => {
      let agent: Agent
      try {
        agent = guardedAgent(bank, url, resolver)
      } catch {
        return resolve(false)
      }
      const one = request(url, { agent, timeout: 500, method: 'POST' })
      one.on('socket', (socket) => socket.on('connect', () => resolve(true)))
      one.on('timeout', () => one.destroy())
      one.on('error', () => resolve(false))
      one.end()
    })
  let port: number
  let hits = 0
  const server = createServer((socket) => {
    hits++
    socket.end()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '::', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  test('never connects to a forbidden address, in any notation', async () => {
    for (const host of forbidden) {
      expect([host, await connects(live, new URL(`http://${host}:${port}/`))]).toEqual([
        host,
        false,
      ])
    }
    expect(hits).toBe(0)
    expect(await connects(sandbox, new URL(`http://127.0.0.1:${port}/`))).toBe(true)
    expect(hits).toBe(1)
  })

  test('rejects a host name that resolves to a forbidden address (DNS rebinding)', async () => {
    hits = 0
    const url = new URL(`http://rebinding.example:${port}/`)
    // A rebinding name server's second answer, and a private address among public ones.
    const meaning =
      (...addresses: string[]): Resolve =>
      (_host, options, done) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }))
        return options.all ? done(null, all) : done(null, all[0]!.address, all[0]!.family)
      }
    expect(await connects(live, url, meaning('127.0.0.1'))).toBe(false)
    expect(await connects(live, url, meaning('1.1.1.1', '127.0.0.1'))).toBe(false)
    expect(await connects(live, url, meaning('::ffff:127.0.0.1'))).toBe(false)
    expect(await connects(live, url, meaning('::7f00:1'))).toBe(false)
    expect(hits).toBe(0)
    // The same name resolves to loopback, which the sandbox permits.
    expect(await connects(sandbox, url, meaning('127.0.0.1'))).toBe(true)
  })

  test('reports a forbidden address without further details', async () => {
    const url = new URL(`http://127.0.0.1:${port}/`)
    const { error } = await post(url, () => guardedAgent(live, url), {}, '{}')
    expect(error).toBe('The address is not allowed for webhooks.')
  })
})

test('rejects random addresses of private networks, also embedded in IPv6', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  const inPrivate = fc.oneof(
    fc.tuple(fc.constant(10), byte, byte, byte),
    fc.tuple(fc.constant(127), byte, byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    fc.tuple(fc.constant(0), byte, byte, byte),
  )
  const hex = (parts: number[]) =>
    `${((parts[0]! << 8) | parts[1]!).toString(16)}:${((parts[2]! << 8) | parts[3]!).toString(16)}`
  fc.assert(
    fc.property(inPrivate, (parts) => {
      expect(isAllowedAddress(parts.join('.'), [])).toBe(false)
      for (const prefix of ['::ffff:', '64:ff9b::', '::', 'fe80::', 'fc00::']) {
        expect(isAllowedAddress(`${prefix}${hex(parts)}`, [])).toBe(false)
      }
      expect(isAllowedAddress(`2002:${hex(parts)}::`, [])).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

describe('Endpoint whose address is no longer allowed', () => {
  let bank: PublishingBank
  beforeAll(async () => {
    bank = await aPublishingBank()
  })
  afterAll(() => bank.drop())

  test('receives no request, and the attempt records why', async () => {
    const receiver = await aReceiver()
    const { endpointId } = await bank.register(receiver.url.replace('127.0.0.1', 'localhost'))
    await bank.subscribe()
    bank.bank.config.webhookAllowCidrs = ['192.0.2.0/24']
    await bank.emit('refused')
    const [delivery] = await bank.settled(endpointId)
    expect(delivery.attempts).toMatchObject([
      { statusCode: null, error: 'The address is not allowed for webhooks.' },
    ])
    expect(receiver.got).toEqual([])
    await receiver.close()
  })

  test('rejects its registration without counting it towards the limit of endpoints', async () => {
    const document = `mutation ($input: RegisterWebhookEndpointInput!) { registerWebhookEndpoint(input: $input) { secret } }`
    const register = (url: string) => bank.execute(document, { input: { url } })
    expect((await register('http://127.0.0.1:1/')).errors).toMatchObject([
      { extensions: { code: 'TARGET_URL_NOT_ALLOWED', errors: [{ pointer: '/url' }] } },
    ])
    for (let at = 0; at < 9; at++) await register('https://1.1.1.1/hook')
    expect((await register('https://1.1.1.1/hook')).code).toBe('WEBHOOK_ENDPOINT_LIMIT_REACHED')
    const taken = `mutation { registerWebhookEndpoint(input: { endpointId: "whk_taken", url: "https://1.1.1.1/" }) { secret } }`
    const { aCaller } = await import('../../kit/subgraph.ts')
    await bank.execute(taken, {}, { caller: aCaller({ clientId: 'one' }) })
    const again = await bank.execute(taken, {}, { caller: aCaller({ clientId: 'two' }) })
    expect(again.code).toBe('RESOURCE_EXISTS')
  })
})
