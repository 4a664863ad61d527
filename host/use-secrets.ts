import type { EnvironmentName, Config } from '../kernel/environment/config.ts'
import { everyScope } from '../kernel/domain/scopes.ts'
import type { SeededClient } from '../oauth/clients.ts'
import { publicJwk } from '../oauth/keys.ts'
import type { AuthorizationServer } from '../oauth/server.ts'
import type { LiveKeys } from './live-keys.ts'
import type { EnvironmentSecrets } from './environment-secrets.ts'
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
export function secretsUser(options: WithKeys, server: AuthorizationServer) {
  const { keys } = options
  const serverKeys = () => JSON.stringify([keys.signing.map(({ kid }) => kid), keys.ring.accepted])
  const clientOf = (secrets: EnvironmentSecrets) => defaultClientOf({ ...options, secrets })
  let appliedKeys = serverKeys()
  let appliedClient = JSON.stringify(clientOf(options.secrets))
  return async (secrets: EnvironmentSecrets) => {
    keys.use(secrets, new Date())
    if (serverKeys() !== appliedKeys) {
      const next = serverKeys()
      await server.useKeys(keys.signing)
      appliedKeys = next
    }
    const client = clientOf(secrets)
    if (JSON.stringify(client) === appliedClient) return
    await server.updateClient(client)
    appliedClient = JSON.stringify(client)
  }
}
