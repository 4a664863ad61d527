import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from './pages.ts'

const maxFormLength = 8192

/** Reads a posted form. Returns null if it is longer than 8,192 characters. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > maxFormLength) return null
  }
  return new URLSearchParams(text)
}

/** Sends a page. Its form may lead to `redirectUri`, and it may show the image at `logoUri`. */
export function sendPage(
  response: ServerResponse,
  status: number,
  body: string,
  redirectUri?: string,
  logoUri?: string,
): void {
  response.writeHead(status, {
    ...pageHeaders(redirectUri, logoUri),
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Whether a browser says that a page of another site sent the request (Fetch Metadata). */
export const isFromAnotherSite = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] !== undefined && headers['sec-fetch-site'] !== 'same-origin'

/** Redirects the browser to a path or URL after a form or to the log-in (303 See Other). */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end()
}
