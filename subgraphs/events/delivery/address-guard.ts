import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { lookup as lookupAll } from 'node:dns/promises'
import type { Agent } from 'node:http'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { useAgent } from 'request-filtering-agent'
import type { Bank } from '../../_kernel/bank.ts'
import { invalid, parseTarget, type TargetRule } from '../domain/endpoint.ts'

const loopback = ['127.0.0.1/32', '::1/128']
const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')
const lookupMs = 2000

/** The URLs that webhooks may call: public addresses over HTTPS; in the sandbox also over HTTP. */
export function targetRule({ environment }: Bank): TargetRule {
  const isLive = environment === 'live'
  return { mayUseHttp: !isLive, ports: isLive ? ['443', '8443'] : null }
}

/**
 * The private networks that may be called nevertheless: those in the settings; otherwise the
 * loopback addresses, in a sandbox that itself listens on loopback only.
 */
function allowedNetworks({ environment, config }: Bank): readonly string[] {
  if (config.webhookAllowCidrs) return config.webhookAllowCidrs
  return environment === 'sandbox' && isLoopback(config.host) ? loopback : []
}

/** Whether an IP address may be called: it is public or in an allowed network. */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  // Only 2000::/3 is allocated as global unicast (RFC 4291); the library treats every unassigned
  // range as public.
  const isGlobal = parsed.kind() === 'ipv4' || parsed.match(ipaddr.parse('2000::'), 3)
  if (isGlobal && parsed.range() === 'unicast') return true
  const allowed = new BlockList()
  for (const network of networks) {
    const [start, bits] = network.split('/') as [string, string]
    allowed.addSubnet(start, Number(bits), isIP(start) === 4 ? 'ipv4' : 'ipv6')
  }
  return parsed.range() !== 'ipv4Mapped' && allowed.check(address, parsed.kind())
}

/**
 * Parses and checks the URL of an endpoint. It is checked here to report a mistake to its owner,
 * and again at every request, because names can resolve to other addresses later.
 * Rejects with TARGET_URL_NOT_HTTPS and TARGET_URL_NOT_ALLOWED.
 */
export async function requireTarget(bank: Bank, text: string): Promise<URL> {
  const target = parseTarget(text, targetRule(bank))
  const host = hostOf(target)
  const networks = allowedNetworks(bank)
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host]
  if (addresses.every((address) => isAllowedAddress(address, networks))) return target
  throw invalid(
    'TARGET_URL_NOT_ALLOWED',
    '/url',
    'The host of the URL must have a public address, not one of a private network.',
  )
}

/** The host without the brackets of an IPv6 address. */
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/**
 * The current addresses of a name; empty when it does not resolve, which each request checks again.
 */
async function addressesOf(host: string): Promise<string[]> {
  const given = new Promise<never[]>((resolve) => setTimeout(() => resolve([]), lookupMs).unref())
  const found = lookupAll(host, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, given])
}

/**
 * An agent that connects only to allowed addresses. A literal address is checked here; a name is
 * checked when it is resolved for the connection, which then uses the checked address.
 * Every request has its own connection. Throws for a literal address that is not allowed.
 */
export function guardedAgent(bank: Bank, url: URL, resolve: Resolve = lookup): Agent {
  const networks = allowedNetworks(bank)
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAllowedAddress(host, networks)) throw new NotAllowed()
  return useAgent(url.href, {
    keepAlive: false,
    lookup: guardedLookup(networks, resolve),
    allowIPAddressList: networks.map((each) => each.replace(/\/(32|128)$/, '')),
  })
}

/** The address must not be called. */
export class NotAllowed extends Error {
  constructor() {
    super('The address is not allowed for webhooks.')
  }
}

type Looked = (error: Error | null, address: string | LookupAddress[], family?: number) => void

export type Resolve = (host: string, options: LookupOptions, done: Looked) => void

function guardedLookup(networks: readonly string[], resolve: Resolve): Resolve {
  return (host, options, done) => {
    resolve(host, options, (error, address, family) => {
      if (error) return done(error, address, family)
      const found = typeof address === 'string' ? [address] : address.map((each) => each.address)
      const isAllowed = found.every((each) => isAllowedAddress(each, networks))
      done(isAllowed ? null : new NotAllowed(), address, family)
    })
  }
}
