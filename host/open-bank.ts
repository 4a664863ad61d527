import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { ExecutionResult } from 'graphql'
import { print } from 'graphql'
import type { SeededClient } from '../oauth/clients.ts'
import { createAuthorizationServer, type AuthorizationServer } from '../oauth/server.ts'
import { addressOf } from '../gateway/address.ts'
import { problemOfFormatted } from '../gateway/errors.ts'
import type { Graph } from '../gateway/graph.ts'
import { prepare, type Operation } from '../gateway/operation.ts'
import type { Ask, AskedFor, Bank } from '../subgraphs/_kernel/bank.ts'
import type { Config, EnvironmentName } from '../subgraphs/_kernel/config.ts'
import { Carrier } from '../subgraphs/_kernel/carrier.ts'
import { openClock } from '../subgraphs/_kernel/clock.ts'
import { createContext, type Context } from '../subgraphs/_kernel/context.ts'
import { openDatabase } from '../subgraphs/_kernel/db.ts'
import { recordFailedLogIn, type FailedLogIn } from '../subgraphs/_kernel/failed-log-ins.ts'
import { newId } from '../subgraphs/_kernel/ids.ts'
import { EventLog } from '../subgraphs/_kernel/log.ts'
import { Refusals } from '../subgraphs/_kernel/refusals.ts'
import { Revocations } from '../subgraphs/_kernel/revocations.ts'
import { RowSecurity } from '../subgraphs/_kernel/row-security.ts'
import { delegableScopes, everyScope } from '../subgraphs/_kernel/scopes.ts'
import { seedPersonName, seedPrincipal } from '../subgraphs/_kernel/principals.ts'
import { createTokenVerifier } from '../subgraphs/_kernel/token.ts'
import { createVault } from '../subgraphs/_kernel/vault.ts'
import { bankContext } from '../subgraphs/_kernel/worker.ts'
import { webAppsOf } from './web-apps.ts'
import { signingJwksOf, webClient, type EnvironmentSecrets } from './secrets.ts'

/** People of the sandbox's bank, in whose names its own client may record decisions. */
const sandboxOfficers = ['officer_mary', 'officer_sandbox']

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
  const { environment, config, databaseUrl, secrets, graph } = options
  const log = options.log.child({ environment })
  const database = openDatabase(databaseUrl, log)
  const clock = await openClock(database.pool, log, environment === 'sandbox')
  const revocations = new Revocations(database.pool, log)
  await revocations.start()
  const { pool } = database
  let failed: (failure: FailedLogIn) => void = () => undefined
  const authorizationServer = await openAuthorizationServer(options, {
    pool,
    revocations,
    log,
    failed: (failure) => failed(failure),
  })
  const { issuer, audience, jwks } = authorizationServer
  await seedNames(options, pool)
  const verifier = createTokenVerifier({
    trusted: [
      { issuer, audience, jwks },
      ...(environment === 'live' && config.identityProvider ? [config.identityProvider] : []),
    ],
    now: Date.now,
    isRevoked: (caller) => revocations.isRevoked(caller),
  })
  const refusals = new Refusals(database.pool, log)
  const rowSecurity = config.isRowSecurityOn ? await RowSecurity.open(database, log) : null
  const carrier = config.natsUrl ? new Carrier(config.natsUrl, secrets.cookieKey, log) : null
  const events = new EventLog(database.pool, log, carrier)
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
    revocations,
    refusals,
    rowSecurity,
    pageKeys: secrets.pageKeys,
    vault: createVault(secrets.cookieKey),
    events,
    ask: undefined as never,
  }
  bank.ask = asker(graph, bank)
  failed = (failure) => recordFailedLogIn(bank, failure)
  await events.start()
  return {
    bank,
    authorizationServer,
    async close() {
      authorizationServer.close()
      await revocations.close()
      await clock.close()
      await events.stop()
      await refusals.close()
      await database.close()
    },
  }
}

interface ServerParts {
  pool: Pool
  revocations: Revocations
  log: Logger
  failed: (failure: FailedLogIn) => void
}

/** Publishes whose names are taken, and whom the environment's own client acts for. */
async function seedNames({ environment, secrets }: OpenBankOptions, pool: Pool): Promise<void> {
  const actsFor = environment === 'sandbox' ? sandboxOfficers : []
  await seedPrincipal(pool, secrets.clientId, actsFor)
  for (const { username } of secrets.parties ?? []) await seedPersonName(pool, username)
}

/** The environment's own client has every scope; in the sandbox people log in too, and a web app may act for them. */
function openAuthorizationServer(
  { environment, config, address, secrets }: OpenBankOptions,
  { pool, revocations, log, failed }: ServerParts,
): Promise<AuthorizationServer> {
  const { client_id: clientId, redirect_uris: redirectUris } = webClient(
    webAppsOf(config, environment),
  )
  const webApp: SeededClient = {
    clientId,
    label: 'bankgraph for web apps',
    scopes: delegableScopes,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris,
  }
  const own: SeededClient = {
    clientId: secrets.clientId,
    secret: secrets.clientSecret,
    label: `The ${environment} environment's own client`,
    scopes: everyScope,
    grantTypes: ['client_credentials'],
  }
  return createAuthorizationServer({
    issuer: address,
    audience: address,
    pool,
    signingJwks: signingJwksOf(secrets),
    cookieKey: secrets.cookieKey,
    clients: secrets.parties ? [own, webApp] : [own],
    people: secrets.parties ?? [],
    now: () => new Date(),
    revoker: revocations,
    addressOf: (request) => addressOf(config, request),
    failed,
    log,
  })
}

/** Questions the bank asks its own graph, each prepared once. */
function asker(graph: Graph, bank: Bank): Ask {
  const prepared = new WeakMap<object, Operation>()
  return async (document, variables, askedFor) => {
    let operation = prepared.get(document)
    if (!operation) {
      operation = prepare(document, print(document))
      prepared.set(document, operation)
    }
    const context = askedFor ? contextFor(bank, askedFor) : bankContext(bank)
    const answer = await graph.run(operation, variables as object, context)
    return dataOf(answer) as never
  }
}

function contextFor(bank: Bank, { caller, idempotencyKey }: AskedFor): Context {
  const { envelope } = bankContext(bank)
  return createContext(bank, caller, { ...envelope, idempotencyKey })
}

function dataOf({ data, errors }: ExecutionResult): unknown {
  if (errors) throw problemOfFormatted(errors[0]!)
  return data
}
