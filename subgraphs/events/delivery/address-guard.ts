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

/** What webhooks of an environment may call: public addresses over https; the sandbox also over http. */
export function targetRule({ environment }: Bank): TargetRule {
  const isLive = environment === 'live'
  return { mayUseHttp: !isLive, ports: isLive ? ['443', '8443'] : null }
}

/**
 * The private networks that may be called all the same: those that the settings name; else, in a
 * sandbox that itself is reached from this machine alone, this machine.
 */
function allowedNetworks({ environment, config }: Bank): readonly string[] {
  if (config.webhookAllowCidrs) return config.webhookAllowCidrs
  return environment === 'sandbox' && isLoopback(config.host) ? loopback : []
}

/** Whether an IP address may be called: a public one, or one of the networks that are allowed. */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  // Of IPv6 only 2000::/3 is given out (RFC 4291); the library takes all that has no name for public.
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
 * The address of an endpoint, as it is called. It is looked at here so that its owner hears of a
 * mistake, and again at every call, because names change what they mean.
 * Refuses with TARGET_URL_NOT_HTTPS and TARGET_URL_NOT_ALLOWED.
 */
export async function requireTarget(bank: Bank, text: string): Promise<URL> {
  const target = parseTarget(text, targetRule(bank))
  const host = hostOf(target)
  const networks = allowedNetworks(bank)
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host]
  if (addresses.every((address) => isAllowedAddress(address, networks))) return target
  throw invalid('TARGET_URL_NOT_ALLOWED', '/url', 'A public address, not one of a private network.')
}

/** Without the brackets that an IPv6 address has in a URL. */
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** What a name means now; nothing when it means nothing, which a call will find out again. */
async function addressesOf(host: string): Promise<string[]> {
  const given = new Promise<never[]>((resolve) => setTimeout(() => resolve([]), lookupMs).unref())
  const found = lookupAll(host, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, given])
}

/**
 * Connects to what the guard allows and to nothing else. A literal address is looked at here, what
 * a name resolves to when the connection is made, and it goes to the address that was looked at.
 * Every call has a connection of its own. Throws for a literal address that is not allowed.
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

/** An address that the bank does not call. */
export class NotAllowed extends Error {
  constructor() {
    super('The address is not one the bank may call.')
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
