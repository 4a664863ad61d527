import { createHash } from 'node:crypto'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { constants } from 'node:zlib'

/** Compressing a response that is smaller takes longer than sending it. */
const compressFromBytes = 8192
/** With the default of 11, compressing takes as long as the request itself. */
const brotliQuality = 4

/**
 * Compresses responses, and adds entity tags to the responses of GET and HEAD. If `If-None-Match`
 * contains the tag of the response, the status is 304 and the body is empty (RFC 9110, 13.1.2).
 */
export async function addHttpCaching(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', (request, reply, payload, done) => {
    done(null, isTagged(request, reply, payload) ? tag(request, reply, payload) : payload)
  })
  await app.register(compress, {
    globalDecompression: false,
    threshold: compressFromBytes,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
  })
}

function isTagged(
  { method }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  const isRead = method === 'GET' || method === 'HEAD'
  const isComplete = typeof payload === 'string' || Buffer.isBuffer(payload)
  return isRead && reply.statusCode === 200 && isComplete && !reply.hasHeader('etag')
}

function tag(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer) {
  // A weak tag, because it is the same for every content coding.
  const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
  reply.header('etag', etag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  if (!matches(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return ''
}

/** Whether the header contains the tag, by weak comparison (RFC 9110, 8.8.3.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false
  const withoutPrefix = (value: string) => value.trim().replace(/^W\//, '')
  return (
    header.trim() === '*' ||
    header.split(',').some((each) => withoutPrefix(each) === withoutPrefix(etag))
  )
}
