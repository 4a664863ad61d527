import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { lookup as lookupAll } from 'node:dns/promises'
import type { Agent } from 'node:http'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { useAgent } from 'request-filtering-agent'
import { isLoopbackHost } from '../../../kernel/domain/loopback.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { invalid, parseTarget, type TargetRule } from '../domain/endpoint.ts'

const loopback = ['127.0.0.1/32', '::1/128']
const lookupTimeoutMs = 2000

/**
 * Returns the rule for webhook URLs. In live, only HTTPS on port 443 or 8443 is allowed. In the
 * sandbox, HTTP and any port are allowed, too.
 */
export function targetRule({ environment }: Bank): TargetRule {
  const isLive = environment === 'live'
  return { mayUseHttp: !isLive, ports: isLive ? ['443', '8443'] : null }
}

/**
 * Returns the private networks that webhooks may call, as CIDR blocks. They come from the setting
 * `webhookAllowCidrs`. Without this setting, a sandbox that listens only on a loopback address
 * allows the loopback addresses.
 */
function allowedNetworks({ environment, config }: Bank): readonly string[] {
  if (config.webhookAllowCidrs) return config.webhookAllowCidrs
  return environment === 'sandbox' && isLoopbackHost(config.host) ? loopback : []
}

/** Whether webhooks may call an IP address, because it is public or in one of `networks`. */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (isIP(address) === 0) return false
  const parsedAddress = ipaddr.parse(address)
  // Of IPv6, only 2000::/3 is allocated as global unicast (RFC 4291). This is checked here, because
  // the library treats every unassigned range as public.
  const canBeGlobal =
    parsedAddress.kind() === 'ipv4' || parsedAddress.match(ipaddr.parse('2000::'), 3)
  if (canBeGlobal && parsedAddress.range() === 'unicast') return true
  const networkList = new BlockList()
  for (const network of networks) {
    const [start, prefixLength] = network.split('/') as [string, string]
    networkList.addSubnet(start, Number(prefixLength), isIP(start) === 4 ? 'ipv4' : 'ipv6')
  }
  return parsedAddress.range() !== 'ipv4Mapped' && networkList.check(address, parsedAddress.kind())
}

/**
 * Parses and checks the URL of an endpoint, so that mistakes are reported to the client. Every
 * webhook request repeats the check, because a host name can resolve to another address later.
 * Throws TARGET_URL_NOT_HTTPS, TARGET_URL_NOT_ALLOWED.
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

/** Returns the host of a URL, without the brackets of an IPv6 address. */
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/**
 * Returns the current IP addresses of a host name. The list is empty if the name does not resolve
 * within two seconds; each webhook request resolves the name again.
 */
async function addressesOf(host: string): Promise<string[]> {
  const timeout = new Promise<never[]>((resolve) =>
    setTimeout(() => resolve([]), lookupTimeoutMs).unref(),
  )
  const addresses = lookupAll(host, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([addresses, timeout])
}

/**
 * Creates an HTTP agent that connects only to allowed addresses. An IP address in the URL is
 * checked here. A host name is checked when it is resolved for the connection, which then uses the
 * checked address; so the address cannot change after the check. Every request has its own
 * connection.
 * Throws NotAllowed if the URL contains an IP address that is not allowed.
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

/** The error for an address that webhooks must not call. */
export class NotAllowed extends Error {
  constructor() {
    super('The address is not allowed for webhooks.')
  }
}

type LookupCallback = (
  error: Error | null,
  address: string | LookupAddress[],
  family?: number,
) => void

export type Resolve = (host: string, options: LookupOptions, callback: LookupCallback) => void

function guardedLookup(networks: readonly string[], resolve: Resolve): Resolve {
  return (host, options, callback) => {
    resolve(host, options, (error, address, family) => {
      if (error) return callback(error, address, family)
      const addresses =
        typeof address === 'string' ? [address] : address.map((each) => each.address)
      const isAllowed = addresses.every((each) => isAllowedAddress(each, networks))
      callback(isAllowed ? null : new NotAllowed(), address, family)
    })
  }
}
