import type { FastifyInstance } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { readApiSchema } from './compose.ts'
import { countAddress } from './rate-limits.ts'

/**
 * Serves the schema with its descriptions at `/schema.graphql` as SDL, without a token. The media
 * type is `text/plain` for browsers and `application/graphql` for programs.
 */
export function serveSchemaFile(app: FastifyInstance, bank: Bank): void {
  const sdl = readApiSchema()
  app.get('/schema.graphql', (request, reply) => {
    countAddress(bank, request, request.raw)
    const isBrowser = request.headers.accept?.includes('text/html')
    return reply
      .type(`${isBrowser ? 'text/plain' : 'application/graphql'}; charset=utf-8`)
      .header('vary', 'accept')
      .send(sdl)
  })
}
