import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { contentsPath, openAddress } from '../subgraphs/casework/contents/address.ts'
import { mostContentBytes } from '../subgraphs/casework/contents/content-store.ts'
import { contentsOf } from '../subgraphs/casework/contents/contents.ts'

/**
 * The bytes of documents, at the signed addresses that the graph gives out: whoever has one may read
 * that content, or send it once. Beside the graph, because a document is larger than its answers may
 * be; in every process with a gateway, because the address says all there is to know.
 */
export function serveDocumentContents(app: FastifyInstance, bank: Bank): void {
  const store = contentsOf(bank)
  app.get(contentsPath, async (request, reply) => {
    const { contentId, fileName, mediaType, sha256 } = open(bank, request, 'read')
    const bytes = await store.get(contentId)
    if (!bytes) throw new Problem('CONTENT_NOT_FOUND')
    // The browser saves it, whatever it is: nothing in a document runs at the bank's own address.
    return reply
      .type(mediaType)
      .header('content-disposition', `attachment; filename*=UTF-8''${encoded(fileName)}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('repr-digest', `sha-256=:${Buffer.from(sha256!, 'hex').toString('base64')}:`)
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
      .send(bytes)
  })
  app.put(
    contentsPath,
    {
      bodyLimit: mostContentBytes,
      // Before the body: nobody has to send a file to learn that it is not wanted.
      onRequest: async (request) => void open(bank, request, 'send'),
    },
    async (request, reply) => {
      const { contentId } = open(bank, request, 'send')
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
        throw new Problem('BAD_REQUEST', { detail: 'The body is the content; it has none.' })
      }
      if (!(await store.put(contentId, bytes))) throw new Problem('CONTENT_ALREADY_RECEIVED')
      return reply.code(201).send({ uploadId: contentId, sizeBytes: bytes.length })
    },
  )
}

function open(bank: Bank, request: FastifyRequest, use: 'read' | 'send') {
  const { token } = request.query as { token?: unknown }
  return openAddress(bank, token, use, bank.now())
}

/** RFC 8187. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}
