import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { SeededClient } from '../oauth/clients.ts'
import { createLogIns } from '../oauth/log-ins.ts'
import { createAuthorizationServer, type AuthorizationServer } from '../oauth/server.ts'
import { addressOf } from '../gateway/address.ts'
import { clientCertificateOf } from '../gateway/client-certificate.ts'
import type { Graph } from '../gateway/graph.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Config, EnvironmentName } from '../kernel/environment/config.ts'
import { openClock } from '../kernel/work/clock.ts'
import { openDatabase, type Database } from '../kernel/database/db.ts'
import { ReadReplica } from '../kernel/database/read-replica.ts'
import { recordFailedLogin, type FailedLogIn } from '../kernel/authorization/failed-log-ins.ts'
import { IdentityLog } from '../kernel/authorization/identity-log.ts'
import { Heartbeat } from '../kernel/database/heartbeat.ts'
import { newId } from '../kernel/environment/ids.ts'
import { RejectionLog } from '../kernel/authorization/refusals.ts'
import { Revocations } from '../kernel/authorization/revocations.ts'
import { RowSecurity } from '../kernel/authorization/row-security.ts'
import { delegableScopes, everyScope } from '../kernel/domain/scopes.ts'
import { seedPersonName, seedPrincipal } from '../kernel/authorization/principals.ts'
import { createProofVerifier } from '../kernel/authorization/proofs.ts'
import { createTokenVerifier } from '../kernel/authorization/token.ts'
import { createVault, type Vault } from '../kernel/environment/vault.ts'
import { DataKeys } from '../kernel/environment/data-keys.ts'
import { consoleOf, isLocalSandbox, seededConsole, type BankConsole } from './console.ts'
import { defaultClientOf, secretsUser, type WithKeys } from './use-secrets.ts'
import { createGraphClient } from './graph-client.ts'
import type { KeyStore } from './key-store.ts'
import { LiveKeys } from './live-keys.ts'
import { trustedProvider } from './identity-provider.ts'
import { openEvents } from './open-events.ts'
import { webAppsOf } from './web-apps.ts'
import type { EnvironmentSecrets } from './environment-secrets.ts'
import { commandLineClient, originalSecretOf, webClient } from './secrets.ts'
import { offeredPeople, sandboxStaff } from './staff.ts'

/** The credit officers of the sandbox, for whom its default client may record decisions. */
const sandboxOfficers = ['officer_mary', 'officer_sandbox']

/** An open environment: the bank, and the server that issues its tokens. */
export interface OpenBank extends BankConsole {
  bank: Bank
  authorizationServer: AuthorizationServer
  /** Uses the keys and secrets that `secrets` contains now. */
  useSecrets(secrets: EnvironmentSecrets): Promise<void>
  close(): Promise<void>
}

export interface OpenBankOptions {
  environment: EnvironmentName
  config: Config
  databaseUrl: string
  /** The origin of the environment, such as `http://127.0.0.1:4000`. */
  address: string
  secrets: EnvironmentSecrets
  /** The keys of the environment, if other parts of the process share them. */
  keys?: LiveKeys
  /** Where the keys are. Default: in the file of secrets. */
  store?: KeyStore
  graph: Graph
  log: Logger
}

/** Opens an environment on a migrated database and starts its event log. */
export async function openBank(options: OpenBankOptions): Promise<OpenBank> {
  const { environment, config, databaseUrl, secrets, graph } = options
  const keys = options.keys ?? new LiveKeys(secrets)
  const withKeys = { ...options, keys }
  const log = options.log.child({ environment })
  const database = openDatabase(databaseUrl, log, { directUrl: config.directUrls[environment] })
  const vault = createVault(keys.ring)
  const dataKeys = await openDataKeys(database, vault, config, log)
  const { pool } = database
  const clock = await openClock(pool, log)
  const heartbeat = new Heartbeat(pool, log, clock.now)
  follow(heartbeat, dataKeys, environment === 'sandbox' ? clock : null)
  const revocations = new Revocations(pool, log)
  await revocations.start(heartbeat)
  const identities = new IdentityLog(pool, log)
  let onFailedLogIn: (failure: FailedLogIn) => void = () => undefined
  const authorizationServer = await openAuthorizationServer(withKeys, {
    pool,
    revocations,
    identities,
    log,
    onFailedAuthentication: (failure) => onFailedLogIn(failure),
  })
  await seedNames(options, pool)
  const isRevoked = (caller: Caller) => revocations.isRevoked(caller)
  const { proofs, verifier } = openVerifier(withKeys, authorizationServer, pool, isRevoked)
  const refusals = new RejectionLog(pool, log)
  const rowSecurity = config.isRowSecurityOn ? await RowSecurity.open(database, log) : null
  const { archive, events } = await openEvents(options, keys, database, heartbeat, log)
  const bank: Bank = {
    ...database,
    environment,
    config,
    log,
    issuer: authorizationServer.issuer,
    now: clock.now,
    clock,
    newId,
    verifier,
    proofs,
    revocations,
    logIns: createLogIns(pool, () => new Date()),
    refusals,
    identities,
    rowSecurity,
    pageKeys: keys.pageKeys,
    vault,
    dataKeys,
    heartbeat,
    events,
    replica: null,
    isReplica: false,
    readPosition: () => events.head,
    archive,
    queryGraph: undefined as never,
  }
  bank.queryGraph = createGraphClient(graph, bank)
  onFailedLogIn = (failure) => recordFailedLogin(bank, failure)
  await events.start()
  bank.replica = await ReadReplica.open(bank)
  return {
    bank,
    authorizationServer,
    ...consoleOf(withKeys),
    useSecrets: secretsUser(withKeys, authorizationServer),
    async close() {
      authorizationServer.close()
      await closeBank(bank)
    },
  }
}

async function closeBank(bank: Bank): Promise<void> {
  await bank.replica?.close()
  await bank.heartbeat.stop()
  await bank.events.stop()
  await bank.refusals.close()
  await bank.identities.close()
  await bank.close()
}

/** Lets parts of the process follow what other processes change. */
function follow(heartbeat: Heartbeat, ...parts: ({ follow(by: Heartbeat): void } | null)[]): void {
  for (const part of parts) part?.follow(heartbeat)
}

/** Loads the keys that encrypt personal data. */
async function openDataKeys(
  { pool, cipher, onClose }: Database,
  vault: Vault,
  { isPersonalDataEncrypted: isOn }: Config,
  log: Logger,
): Promise<DataKeys> {
  const dataKeys = new DataKeys({ pool, cipher, vault, log, isOn })
  onClose(() => Promise.resolve(dataKeys.close()))
  await dataKeys.start()
  return dataKeys
}

/** Creates the verifiers of access tokens and of the proofs that key-bound tokens need. */
function openVerifier(
  { environment, config, keys }: WithKeys,
  authorizationServer: AuthorizationServer,
  pool: Pool,
  isRevoked: (caller: Caller) => boolean,
) {
  const { issuer, audience } = authorizationServer
  const isBindingRequired = config.securityProfile === 'fapi2'
  const proofs = createProofVerifier({
    origin: issuer,
    ring: keys.ring,
    isNonceRequired: isBindingRequired,
    pool,
    now: Date.now,
  })
  const { identityProvider } = config
  const others =
    environment === 'live' && identityProvider ? [trustedProvider(identityProvider)] : []
  const own = { issuer, audience, jwks: () => authorizationServer.jwks }
  const trusted = [own, ...others]
  const verifier = createTokenVerifier({
    trusted,
    proofs,
    isBindingRequired,
    now: Date.now,
    isRevoked,
  })
  return { proofs, verifier }
}

interface ServerParts {
  pool: Pool
  revocations: Revocations
  identities: IdentityLog
  log: Logger
  onFailedAuthentication: (failure: FailedLogIn) => void
}

/**
 * Publishes the reserved names of clients and users, and the people for whom the default client
 * acts.
 */
async function seedNames({ environment, secrets }: OpenBankOptions, pool: Pool): Promise<void> {
  const actsFor = environment === 'sandbox' ? sandboxOfficers : []
  await seedPrincipal(pool, secrets.clientId, actsFor)
  for (const { username } of secrets.parties ?? []) await seedPersonName(pool, username)
}

/**
 * Starts the authorization server. The environment's default client has all scopes. In the sandbox,
 * users can log in, and a web app can act for them.
 */
function openAuthorizationServer(
  options: OpenBankOptions & WithKeys,
  { pool, revocations, identities, log, onFailedAuthentication }: ServerParts,
): Promise<AuthorizationServer> {
  const { environment, config, address, secrets, keys } = options
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
  const commandLine: SeededClient = {
    clientId: commandLineClient.client_id,
    label: 'Programs on your machine',
    scopes: everyScope,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: commandLineClient.redirect_uris,
    isFirstParty: true,
  }
  const employees = sandboxStaff(originalSecretOf(secrets)).map(({ username, password }) => ({
    username,
    password,
    partyId: null,
  }))
  const isLocal = isLocalSandbox(environment, config.host, address)
  return createAuthorizationServer({
    issuer: address,
    audience: address,
    pool,
    signingJwks: keys.signing,
    ...(options.store && { sign: options.store.sign }),
    ring: keys.ring,
    profile: config.securityProfile,
    isLoopbackAllowed: isLocal,
    clients: [
      defaultClientOf(options),
      seededConsole(address, keys),
      ...(secrets.parties ? [webApp, commandLine] : []),
    ],
    offeredPeople: isLocal ? offeredPeople(originalSecretOf(secrets), secrets.parties) : [],
    people: secrets.parties ? [...secrets.parties, ...employees] : [],
    now: () => new Date(),
    revoker: revocations,
    addressOf: (request) => addressOf(config, request),
    certificateOf:
      config.clientCertificateHeader === null
        ? null
        : (request) => clientCertificateOf(config, request),
    onFailedAuthentication,
    identities,
    log,
  })
}
