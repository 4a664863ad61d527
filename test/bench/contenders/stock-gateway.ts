import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphs, readSupergraph } from '../../../gateway/compose.ts'
import { createContext, type Context } from '../../../kernel/environment/context.ts'
import { openPlatform } from './platform.ts'

// The peer: Apollo's server and gateway as they come, in one process with the same subgraphs. The token
// is verified as in the platform.
const schemas = buildSubgraphs()
const { bank, token, port } = await openPlatform(schemas)
const gateway = new ApolloGateway({
  supergraphSdl: readSupergraph(),
  buildService: ({ name }) => new LocalGraphQLDataSource(schemas.get(name!)!),
})
const server = new ApolloServer<Context>({ gateway })
await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port },
  context: async ({ req }) => {
    const { authorization } = req.headers
    return createContext(bank, await bank.verifier.verify(authorization!), {
      authorization,
      requestId: 'bench',
      traceparent: undefined,
      idempotencyKey: undefined,
      deadlineMs: Number.MAX_SAFE_INTEGER,
    })
  },
})
process.send!({ token })
