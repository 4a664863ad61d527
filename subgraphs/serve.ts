import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { bankCaller } from './_kernel/auth.ts'
import type { Bank } from './_kernel/bank.ts'
import type { Caller } from './_kernel/caller.ts'
import { realNow } from './_kernel/clock.ts'
import { createContext } from './_kernel/context.ts'
import { Problem } from './_kernel/domain/problem.ts'
import { formatError } from './_kernel/graph/errors.ts'
import { environmentOf, openEnvelope } from './_kernel/sealed-envelope.ts'
import type { Source } from '../gateway/sources.ts'

/** An environment as a subgraph serves it, with the key that its gateways seal with. */
export interface SealedBank {
  bank: Bank
  sealingKey: Buffer
}

export interface SubgraphHttpOptions {
  /** The subgraphs of this process, by name. */
  sources: ReadonlyMap<string, Source>
  /** By the name of the environment. */
  banks: ReadonlyMap<string, SealedBank>
}

const bodyBytes = 4 * 1024 * 1024
const requestTimeoutMs = 10_000

/**
 * Subgraphs over HTTP, each at `/<name>/graphql`, for the platform's own gateways and nobody else.
 * Refuses with 401 what they did not seal, before it reads the body where it can, and callers whose
 * token is not good. Everything else is answered with 200 and the problem in `errors`.
 */
export function createSubgraphHttp({ sources, banks }: SubgraphHttpOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: bodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    http: { maxHeaderSize: 32_768, headersTimeout: requestTimeoutMs },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  // What Fastify refuses itself needs no more words than its status.
  app.setErrorHandler<{ statusCode?: number }>((error, _request, reply) =>
    reply.code(error.statusCode ?? 500).send(),
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).send())
  for (const [subgraph, source] of sources) {
    app.post(`/${subgraph}/graphql`, {
      onRequest: async (request, reply) => {
        if (!banks.has(environmentOf(request.headers) ?? '')) return reply.code(401).send()
      },
      handler: async ({ headers, body, raw }, reply) => {
        const environment = environmentOf(headers)!
        const { bank, sealingKey } = banks.get(environment)!
        const to = { environment, subgraph }
        const sealed = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const envelope = openEnvelope(sealingKey, to, headers, sealed, realNow().getTime())
        if (!envelope) return reply.code(401).send()
        try {
          const caller = asBank(await bank.verifier.verify(envelope.authorization))
          const { query, variables } = JSON.parse(sealed.toString('utf8')) as Asked
          const context = createContext(bank, caller, envelope, () => raw.socket.destroyed)
          const { data, errors } = await source.run(query, variables, context)
          const { isReplayed } = context.outcome
          return send(reply, 200, {
            data,
            errors,
            ...(isReplayed && { extensions: { isReplayed } }),
          })
        } catch (error) {
          const isCaller = error instanceof Problem && error.status === 401
          return send(reply, isCaller ? 401 : 200, { errors: [formatError(error, bank.log)] })
        }
      },
    })
  }
  return app
}

/** The bank itself is one value everywhere. Nobody gains a right here: a token that says the same has them all. */
function asBank(caller: Caller): Caller {
  const { clientId, subject, partyId, scopes } = caller
  const isSame =
    clientId === bankCaller.clientId && subject === bankCaller.subject && partyId === null
  return isSame && [...bankCaller.scopes].every((scope) => scopes.has(scope)) ? bankCaller : caller
}

interface Asked {
  query: string
  variables: object
}

function send(reply: FastifyReply, status: number, answer: object): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer))
}
