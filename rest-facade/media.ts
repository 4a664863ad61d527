import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'

const jsonMedia = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

/**
 * Promises that the body, where there is one, is plain JSON in UTF-8, and that the caller takes JSON,
 * or what it is answered in. Answers whether that is frames: only for who names them, where there
 * are some. Refuses with UNSUPPORTED_MEDIA_TYPE and NOT_ACCEPTABLE.
 */
export function requireMedia(
  hasBody: boolean,
  headers: IncomingHttpHeaders,
  hasFrames: boolean,
): boolean {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  if (hasBody && !jsonMedia.test(headers['content-type'] ?? '')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  const { accept } = headers
  if (!accept) return false
  const frames = hasFrames ? weightOf(accept, [frameMedia]) : 0
  const json = weightOf(accept, jsonRanges)
  if (frames > 0 && frames >= json) return true
  if (json === 0) throw new Problem('NOT_ACCEPTABLE')
  return false
}

const frameMedia = 'text/event-stream'
/** From the widest to the most specific. */
const jsonRanges = ['*/*', 'application/*', 'application/problem+json', 'application/json']

/** How much one of these is wanted: the most specific range that fits says it (RFC 9110, 12.4.2 and 12.5.1). */
function weightOf(accept: string, fitting: readonly string[]): number {
  let best = -1
  let weight = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim())
    const at = fitting.indexOf(type!)
    if (at <= best) continue
    best = at
    const said = parameters.find((parameter) => /^q=[01](\.\d{0,3})?$/.test(parameter))
    weight = said ? Number(said.slice(2)) : 1
  }
  return weight
}
