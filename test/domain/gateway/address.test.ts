import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressOf } from '../../../gateway/address.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'

/** The client address of a request over a connection from `remoteAddress` when these proxies are trusted. */
function seen(trusted: string | undefined, remoteAddress: string | undefined, forwarded?: string) {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
  return addressOf(parseConfig({ TRUST_PROXY: trusted }), request as unknown as IncomingMessage)
}

test.each([
  [null, '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  ['', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  ['10.0.0.0/8', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  ['10.0.0.0/8', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
  ['loopback', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['loopback', '::1', '203.0.113.9', '203.0.113.9'],
  ['loopback', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['loopback', '127.0.0.1', null, '127.0.0.1'],
  ['loopback', '127.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['loopback', '127.0.0.1', '198.51.100.1, 127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['loopback, 10.1.0.0/16', '127.0.0.1', '198.51.100.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ['loopback,10.1.2.3', '127.0.0.1', '203.0.113.9, 10.1.2.4', '10.1.2.4'],
  ['loopback,uniquelocal', '127.0.0.1', '10.1.2.3, 192.168.0.1', '10.1.2.3'],
  ['2001:db8::/32', '2001:db8::1', '203.0.113.9', '203.0.113.9'],
  ['linklocal', '169.254.1.1', '203.0.113.9', '203.0.113.9'],
])(
  'trusting %j, a request from %s that forwards %j comes from %s',
  (trusted, remote, forwarded, address) => {
    expect(seen(trusted ?? undefined, remote, forwarded ?? undefined)).toBe(address)
  },
)

test('treats an IPv6 /64 network as one address and an IPv4-mapped address as IPv4', () => {
  const network = seen('loopback', '127.0.0.1', '2001:db8:1:2:3::4')
  expect(seen('loopback', '127.0.0.1', '2001:db8:1:2::9')).toBe(network)
  expect(seen('loopback', '127.0.0.1', '2001:db8:1:3::9')).not.toBe(network)
  expect(seen('loopback', '127.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9')
})

test.each(['203.0.113.9:4711', 'unknown', '_hidden', 'x'.repeat(10_000)])(
  'treats a forwarded value that is not an address as one unknown address: %.20s',
  (forwarded) => expect(seen('loopback', '127.0.0.1', forwarded)).toBe('unknown'),
)

test('treats a closed connection as an unknown address, whatever it forwards', () => {
  expect(seen('loopback', undefined, '203.0.113.9')).toBe('unknown')
})

test.each([
  'true',
  '1',
  '*',
  'all',
  'proxy.example',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '10.0.0.0/255.0.0.0',
  '0.0.0.0/0',
  '::/0',
  '::/00',
  '::1/129',
  'loopback,',
  'loopback 10.1.2.3',
  'constructor',
])('TRUST_PROXY rejects %s', (text) => {
  expect(() => parseConfig({ TRUST_PROXY: text })).toThrow(
    `TRUST_PROXY must be a comma-separated list of addresses or CIDR blocks of proxies, like 10.1.0.0/16,loopback, not "${text}".`,
  )
})
