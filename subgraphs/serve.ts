import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { bankCaller } from '../kernel/authorization/auth.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Envelope } from '../kernel/environment/envelope.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import type { DerivedKeys } from '../kernel/environment/key-ring.ts'
import { realNow } from '../kernel/work/clock.ts'
import { createContext } from '../kernel/environment/context.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { formatError } from '../kernel/graph/errors.ts'
import { environmentOf, verifyEnvelope } from '../kernel/environment/signed-envelope.ts'
import type { Source } from '../gateway/sources.ts'

/** An environment served by this process, with the key with which its gateways sign requests. */
export interface BankEndpoint {
  bank: Bank
  signingKeys: DerivedKeys<Buffer>
}

export interface SubgraphHttpOptions {
  /** The subgraphs of this process, by name. */
  sources: ReadonlyMap<string, Source>
  /** The environments that are served, by name. */
  banks: ReadonlyMap<string, BankEndpoint>
}

const maxBodyBytes = 4 * 1024 * 1024
const requestTimeoutMs = 10_000

/**
 * Serves subgraphs over HTTP, each at `/<name>/graphql`, only for the platform's own gateways.
 * Responds 401 to a request without a valid signature of a gateway, and to an invalid token. A
 * request for an unknown environment is rejected before its body is read. Any other error in the
 * processing of a signed request is returned in `errors` with status 200.
 */
export function createSubgraphHttp({ sources, banks }: SubgraphHttpOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    http: { maxHeaderSize: 32_768, headersTimeout: requestTimeoutMs },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  // Rejections by Fastify itself are sent with the status code only.
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
        const { bank, signingKeys } = banks.get(environment)!
        const recipient = { environment, subgraph }
        const signedBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const envelope = verifyEnvelope(
          signingKeys.accepted(),
          recipient,
          headers,
          signedBody,
          realNow().getTime(),
        )
        if (!envelope) return reply.code(401).send()
        try {
          const caller = asBank(await bank.verifier.verifyWithoutProof(envelope.authorization))
          const { query, variables } = JSON.parse(signedBody.toString('utf8')) as GraphRequest
          const reading = await bankOf(bank, envelope)
          const context = createContext(reading, caller, envelope, () => raw.socket.destroyed)
          const { data, errors } = await source.run(query, variables, context)
          const { isReplayed } = context.outcome
          return send(reply, 200, {
            data,
            errors,
            ...(isReplayed && { extensions: { isReplayed } }),
          })
        } catch (error) {
          const isUnauthenticated = error instanceof Problem && error.status === 401
          return send(reply, isUnauthenticated ? 401 : 200, {
            errors: [formatError(error, bank.log)],
          })
        }
      },
    })
  }
  return app
}

/** Returns the bank of the replica if the request may read from it. */
async function bankOf(bank: Bank, { replicaPosition: position }: Envelope): Promise<Bank> {
  const { replica } = bank
  if (position === undefined || !replica) return bank
  return (await replica.hasReached(position)) ? replica.bank : bank
}

/**
 * Replaces the caller with `bankCaller` if the token identifies the bank, because other code
 * compares callers with `bankCaller` by identity. The replacement adds no scopes: the token must
 * already carry every scope of the bank.
 */
function asBank(caller: Caller): Caller {
  const { clientId, subject, partyId, scopes } = caller
  const isBankIdentity =
    clientId === bankCaller.clientId && subject === bankCaller.subject && partyId === null
  return isBankIdentity && [...bankCaller.scopes].every((scope) => scopes.has(scope))
    ? bankCaller
    : caller
}

interface GraphRequest {
  query: string
  variables: object
}

function send(reply: FastifyReply, status: number, response: object): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(response))
}
