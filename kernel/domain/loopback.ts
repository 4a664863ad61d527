/**
 * Whether a host is this machine: `localhost`, or an address of the loopback interface (RFC 6761,
 * RFC 1122, RFC 4291). An IPv6 address can be in the brackets of a URL.
 */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host)
