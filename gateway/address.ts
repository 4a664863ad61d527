import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import type { Config } from '../subgraphs/_kernel/config.ts'

/**
 * Where a request comes from, to be counted by: the last address that is no proxy of ours, as our
 * proxies tell it in `X-Forwarded-For`. An IPv6 address counts as its network of 64 bits, of which
 * whoever has one has all; what is no address, as `unknown`.
 */
export function addressOf({ isOurProxy }: Config, request: IncomingMessage): string {
  const address: string | undefined = proxyAddr(request, isOurProxy)
  if (!address || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
