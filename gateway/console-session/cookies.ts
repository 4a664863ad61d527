import type { Bank } from '../../kernel/environment/bank.ts'

/** The cookies of the console. All of them are hidden from scripts. */
export interface ConsoleCookies {
  /** The cookie that contains the ID of the session. */
  session: string
  /** Returns the name of the cookie of a pending log-in. */
  logIn(state: string): string
  /** Returns the value of the `Set-Cookie` header that stores a value. */
  set(name: string, value: string, maxAgeSeconds: number): string
  /** Returns the value of the `Set-Cookie` header that deletes a cookie. */
  clear(name: string): string
}

/** How many log-ins can be pending in one browser. A header has a maximum length. */
const maxPending = 8

/**
 * Creates the names and attributes of the cookies of an environment. Browsers do not separate the
 * cookies of ports, so the names contain the environment. With TLS, the prefix `__Host-` keeps other
 * hosts of the domain from setting them. They are `SameSite=Lax`, because a link in a message must
 * lead to a page of the console; all other requests of other sites are refused
 * (`requireSameOrigin`).
 */
export function consoleCookies({ environment, issuer }: Bank): ConsoleCookies {
  const isSecure = issuer.startsWith('https:')
  const prefix = `${isSecure ? '__Host-' : ''}bankgraph-console-${environment}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const set = (name: string, value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`
  return {
    session: prefix,
    logIn: (state) => `${prefix}-log-in-${(state.codePointAt(0) ?? 0) % maxPending}`,
    set,
    clear: (name) => set(name, '', 0),
  }
}

/** Returns the value of a cookie; undefined if the browser sent none. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=')
    if (pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim()
  }
  return undefined
}
