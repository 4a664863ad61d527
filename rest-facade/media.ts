import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'

const jsonMedia = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

/**
 * Promises that the body, where there is one, is plain JSON in UTF-8, and that JSON is an answer
 * the caller takes. Refuses with UNSUPPORTED_MEDIA_TYPE and NOT_ACCEPTABLE.
 */
export function requireMedia(hasBody: boolean, headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  if (hasBody && !jsonMedia.test(headers['content-type'] ?? '')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  if (headers.accept && !takesJson(headers.accept)) throw new Problem('NOT_ACCEPTABLE')
}

/** From the widest to the most specific. */
const fitting = ['*/*', 'application/*', 'application/problem+json', 'application/json']

/** The most specific range that fits decides, and a weight of 0 is a no (RFC 9110, 12.4.2 and 12.5.1). */
function takesJson(accept: string): boolean {
  let best = -1
  let isTaken = false
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim())
    const at = fitting.indexOf(type!)
    if (at <= best) continue
    best = at
    isTaken = !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  }
  return isTaken
}
