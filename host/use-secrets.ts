import type { EnvironmentName, Config } from '../kernel/environment/config.ts'
import { everyScope } from '../kernel/domain/scopes.ts'
import type { SeededClient } from '../oauth/clients.ts'
import { publicJwk } from '../oauth/keys.ts'
import type { AuthorizationServer } from '../oauth/server.ts'
import type { LiveKeys } from './live-keys.ts'
import type { EnvironmentSecrets } from './environment-secrets.ts'
import { seededConsole } from './console.ts'
import { clientKeyOf } from './secrets.ts'

/** What depends on the keys and secrets of an environment. */
export interface WithKeys {
  environment: EnvironmentName
  config: Config
  secrets: EnvironmentSecrets
  keys: LiveKeys
}

/** Returns the environment's default client, which has all scopes. */
export function defaultClientOf({ environment, config, secrets, keys }: WithKeys): SeededClient {
  const { formerClientSecret: former } = secrets
  return {
    clientId: secrets.clientId,
    ...(config.securityProfile === 'fapi2'
      ? { jwks: { keys: keys.ring.accepted.map((secret) => publicJwk(clientKeyOf(secret))) } }
      : {
          secret: secrets.clientSecret,
          formerSecret: former ? { ...former, until: new Date(former.until) } : null,
        }),
    label: `The ${environment} environment's own client`,
    scopes: everyScope,
    grantTypes: ['client_credentials'],
  }
}

/**
 * Returns the function that uses the keys and secrets of an environment as they are now. What did
 * not change, or failed the last time, is decided by what was applied.
 */
export function secretsUser(options: WithKeys & { address: string }, server: AuthorizationServer) {
  const { keys, address } = options
  const serverKeys = () => JSON.stringify([keys.signing.map(({ kid }) => kid), keys.ring.accepted])
  const clientsOf = (secrets: EnvironmentSecrets) => [
    defaultClientOf({ ...options, secrets }),
    seededConsole(address, keys),
  ]
  let appliedKeys = serverKeys()
  let appliedClients = JSON.stringify(clientsOf(options.secrets))
  return async (secrets: EnvironmentSecrets) => {
    keys.use(secrets, new Date())
    if (serverKeys() !== appliedKeys) {
      const next = serverKeys()
      await server.useKeys(keys.signing)
      appliedKeys = next
    }
    const clients = clientsOf(secrets)
    if (JSON.stringify(clients) === appliedClients) return
    for (const client of clients) await server.updateClient(client)
    appliedClients = JSON.stringify(clients)
  }
}
