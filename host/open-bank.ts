import type { Logger } from 'pino'
import type { ExecutionResult } from 'graphql'
import { print } from 'graphql'
import { createAuthorizationServer, type AuthorizationServer } from '../oauth/server.ts'
import { problemOfFormatted } from '../gateway/errors.ts'
import type { Graph } from '../gateway/graph.ts'
import { prepare, type Operation } from '../gateway/operation.ts'
import type { Ask, Bank } from '../subgraphs/_kernel/bank.ts'
import type { Config, EnvironmentName } from '../subgraphs/_kernel/config.ts'
import { openClock } from '../subgraphs/_kernel/clock.ts'
import { openDatabase } from '../subgraphs/_kernel/db.ts'
import { newId } from '../subgraphs/_kernel/ids.ts'
import { EventLog } from '../subgraphs/_kernel/log.ts'
import { everyScope } from '../subgraphs/_kernel/scopes.ts'
import { createTokenVerifier } from '../subgraphs/_kernel/token.ts'
import { createVault } from '../subgraphs/_kernel/vault.ts'
import { bankContext } from '../subgraphs/_kernel/worker.ts'
import type { EnvironmentSecrets } from './secrets.ts'

/** One environment in this process: the bank, and the server that issues its tokens. */
export interface OpenBank {
  bank: Bank
  authorizationServer: AuthorizationServer
  close(): Promise<void>
}

export interface OpenBankOptions {
  environment: EnvironmentName
  config: Config
  databaseUrl: string
  /** The address without a path, `http://127.0.0.1:4000`. */
  address: string
  secrets: EnvironmentSecrets
  graph: Graph
  log: Logger
}

/** Opens an environment on a migrated database and starts its log. */
export async function openBank(options: OpenBankOptions): Promise<OpenBank> {
  const { environment, config, databaseUrl, address, secrets, graph } = options
  const log = options.log.child({ environment })
  const database = openDatabase(databaseUrl, log)
  const clock = await openClock(database.pool, log, environment === 'sandbox')
  const authorizationServer = await createAuthorizationServer({
    issuer: address,
    audience: address,
    pool: database.pool,
    signingJwk: secrets.signingJwk,
    cookieKey: secrets.cookieKey,
    clients: [
      {
        clientId: secrets.clientId,
        secret: secrets.clientSecret,
        label: `The ${environment} environment's own client`,
        scopes: everyScope,
        grantTypes: ['client_credentials'],
      },
    ],
    now: () => new Date(),
    log,
  })
  const { issuer, audience, jwks } = authorizationServer
  const verifier = createTokenVerifier({
    trusted: [
      { issuer, audience, jwks },
      ...(environment === 'live' && config.identityProvider ? [config.identityProvider] : []),
    ],
    now: Date.now,
  })
  const events = new EventLog(database.pool, log)
  const bank: Bank = {
    ...database,
    environment,
    config,
    log,
    issuer,
    now: clock.now,
    clock,
    newId,
    verifier,
    pageKeys: secrets.pageKeys,
    vault: createVault(secrets.cookieKey),
    events,
    ask: undefined as never,
  }
  bank.ask = asker(graph, bank)
  await events.start()
  return {
    bank,
    authorizationServer,
    async close() {
      authorizationServer.close()
      await clock.close()
      await events.stop()
      await database.close()
    },
  }
}

/** Questions the bank asks its own graph, each prepared once. */
function asker(graph: Graph, bank: Bank): Ask {
  const prepared = new WeakMap<object, Operation>()
  return async (document, variables) => {
    let operation = prepared.get(document)
    if (!operation) {
      operation = prepare(document, print(document))
      prepared.set(document, operation)
    }
    const answer = await graph.run(operation, variables as object, bankContext(bank))
    return dataOf(answer) as never
  }
}

function dataOf({ data, errors }: ExecutionResult): unknown {
  if (errors) throw problemOfFormatted(errors[0]!)
  return data
}
