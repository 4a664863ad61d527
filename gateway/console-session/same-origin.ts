import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../kernel/domain/problem.ts'

/**
 * Throws CROSS_SITE_REQUEST if a browser says that a page of another origin sent the request. Pages of other
 * origins cannot send the header that each request needs either; both are checked, because each is
 * enough alone (OWASP, cross-site request forgery).
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, origin: string): void {
  const site = headers['sec-fetch-site']
  const isForeignSite = site !== undefined && site !== 'same-origin'
  const isForeignOrigin = headers.origin !== undefined && headers.origin !== origin
  if (isForeignSite || isForeignOrigin) throw crossSite()
}

/**
 * Throws CROSS_SITE_REQUEST unless a page of this server opens a WebSocket. Browsers always state the origin
 * of the page, and allow every page to open a socket anywhere.
 */
export function requireSocketOfOrigin(headers: IncomingHttpHeaders, origin: string): void {
  if (headers.origin !== origin) throw crossSite()
}

function crossSite(): Problem {
  return new Problem('CROSS_SITE_REQUEST', {
    detail: 'The session of the console can only be used by the pages of the console.',
  })
}
