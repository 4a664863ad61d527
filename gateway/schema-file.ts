import type { FastifyInstance } from 'fastify'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { readApiSchema } from './compose.ts'
import { countAddress } from './rate-limits.ts'

/**
 * Serves the schema of the graph at `/schema.graphql`: the SDL with its descriptions, without a token,
 * where introspection is on. Browsers get it as plain text, to read; programs as `application/graphql`.
 */
export function serveSchemaFile(app: FastifyInstance, bank: Bank): void {
  const sdl = readApiSchema()
  app.get('/schema.graphql', (request, reply) => {
    countAddress(bank, request, request.raw)
    const isPage = request.headers.accept?.includes('text/html')
    return reply
      .type(`${isPage ? 'text/plain' : 'application/graphql'}; charset=utf-8`)
      .header('vary', 'accept')
      .send(sdl)
  })
}
