import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { contentsPath, openAddress } from '../subgraphs/casework/contents/address.ts'
import { contentsOf, maxContentBytes } from '../subgraphs/casework/contents/contents.ts'

/**
 * Serves the contents of documents at the signed URLs that the graph issues. A URL permits
 * downloading one file, or uploading it once. Contents are not transferred through the graph,
 * because they exceed its size limits. A URL is self-contained, so every process with a gateway can
 * serve it.
 */
export function serveDocumentContents(app: FastifyInstance, bank: Bank): void {
  app.get(contentsPath, async (request, reply) => {
    const { contentId, fileName, mediaType, sha256 } = openRequest(bank, request, 'read')
    const bytes = await contentsOf(bank).get(contentId)
    if (!bytes) throw new Problem('CONTENT_NOT_FOUND')
    // Browsers save the file and never render it, so that no document can run scripts on the bank's
    // origin.
    return reply
      .type(mediaType)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeForHeader(fileName)}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('repr-digest', `sha-256=:${Buffer.from(sha256!, 'hex').toString('base64')}:`)
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
      .send(bytes)
  })
  app.put(
    contentsPath,
    {
      bodyLimit: maxContentBytes,
      // The URL is checked before the body is read, so that a rejected upload transfers nothing.
      onRequest: async (request) => void openRequest(bank, request, 'send'),
    },
    async (request, reply) => {
      const { contentId } = openRequest(bank, request, 'send')
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
        throw new Problem('BAD_REQUEST', {
          detail: 'The body is empty. Send the content of the document as the body.',
        })
      }
      if (!(await contentsOf(bank).put(contentId, bytes)))
        throw new Problem('CONTENT_ALREADY_RECEIVED')
      return reply.code(201).send({ uploadId: contentId, sizeBytes: bytes.length })
    },
  )
}

function openRequest(bank: Bank, request: FastifyRequest, use: 'read' | 'send') {
  const { token } = request.query as { token?: unknown }
  return openAddress(bank, token, use, bank.now())
}

/** Encodes a file name for a header (RFC 8187). */
function encodeForHeader(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}
