import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../kernel/domain/problem.ts'

const jsonMedia = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

/**
 * Checks that a body is uncompressed JSON in UTF-8, and that the caller accepts the response.
 * Returns whether to respond with an event stream, which the operation must support and the caller
 * must accept at least as much as JSON.
 * Throws UNSUPPORTED_MEDIA_TYPE, NOT_ACCEPTABLE.
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
  const streamWeight = hasFrames ? weightOf(accept, [frameMedia]) : 0
  const jsonWeight = weightOf(accept, jsonRanges)
  if (streamWeight > 0 && streamWeight >= jsonWeight) return true
  if (jsonWeight === 0) throw new Problem('NOT_ACCEPTABLE')
  return false
}

const frameMedia = 'text/event-stream'
/** Media ranges that match a JSON response, from the widest to the most specific. */
const jsonRanges = ['*/*', 'application/*', 'application/problem+json', 'application/json']

/**
 * Returns the quality value of the most specific matching media range (RFC 9110, 12.4.2 and
 * 12.5.1); 0 if none matches.
 */
function weightOf(accept: string, mediaRanges: readonly string[]): number {
  let bestIndex = -1
  let weight = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim())
    const index = mediaRanges.indexOf(type!)
    if (index <= bestIndex) continue
    bestIndex = index
    const quality = parameters.find((parameter) => /^q=[01](\.\d{0,3})?$/.test(parameter))
    weight = quality ? Number(quality.slice(2)) : 1
  }
  return weight
}
