import { createHash } from 'node:crypto'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { constants } from 'node:zlib'

/** Smaller responses cost more to compress than to send. */
const compressFromBytes = 8192
/** The default of 11 takes as long as the request itself. */
const brotliQuality = 4

/**
 * Entity tags and compression of what GET and HEAD return, on every path. A response with the tag
 * that `If-None-Match` names is 304 without a body (RFC 9110, 13.1.2).
 */
export async function serveCaching(app: FastifyInstance): Promise<void> {
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
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  return isRead && reply.statusCode === 200 && isWhole && !reply.hasHeader('etag')
}

function tag(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer) {
  // Weak: the same for every content coding.
  const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
  reply.header('etag', etag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  if (!matches(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return ''
}

/** The weak comparison of RFC 9110, 8.8.3.2. */
function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false
  const weak = (one: string) => one.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((each) => weak(each) === weak(etag))
}
