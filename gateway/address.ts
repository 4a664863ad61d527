import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import type { Config } from '../kernel/environment/config.ts'

/**
 * Returns the client IP address by which a request is rate-limited: the address of the
 * peer or, if the peer is a trusted proxy, the last entry of `X-Forwarded-For` that is not. An IPv6
 * address is reduced to its first 64 bits, because one client usually has the entire /64 network.
 * A value that is not an IP address becomes `unknown`.
 */
export function addressOf({ isTrustedProxy }: Config, request: IncomingMessage): string {
  const address: string | undefined = proxyAddr(request, isTrustedProxy)
  if (!address || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}

/** Whether a trusted proxy sent the request, so that its headers about the client are true. */
export function isFromTrustedProxy({ isTrustedProxy }: Config, { socket }: IncomingMessage) {
  return isTrustedProxy(socket.remoteAddress ?? '', 0)
}
