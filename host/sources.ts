import type { GraphQLSchema } from 'graphql'
import { createServiceTokens, type ServiceTokens } from '../gateway/service-tokens.ts'
import { RemoteSource } from '../gateway/remote-source.ts'
import { LocalSource, type Source } from '../gateway/sources.ts'
import { createTokenIssuer } from '../oauth/issue-token.ts'
import { signingKeys } from '../kernel/environment/signed-envelope.ts'
import type { EnvironmentName } from '../kernel/environment/config.ts'
import type { Environment } from './environments.ts'
import { fileKeyStore, type KeyStore } from './key-store.ts'
import type { LiveKeys } from './live-keys.ts'
import type { StartOptions } from './start-options.ts'

/**
 * Returns the source of each subgraph, which runs in this process or is called at its URL. Throws
 * an Error that lists the subgraphs without a source.
 */
export function createSources(
  { config, role, onStop }: StartOptions,
  schemas: ReadonlyMap<string, GraphQLSchema>,
  environments: readonly Environment[],
  keys: Readonly<Record<EnvironmentName, LiveKeys>>,
  store: KeyStore = fileKeyStore,
): Map<string, Source> {
  const tokensByEnvironment = new Map(
    environments.map((each) => [
      each.name as string,
      serviceTokensOf(each, keys[each.name], store),
    ]),
  )
  const isLocal = (name: string) => role.subgraphs.includes(name)
  const missing = [...schemas.keys()].filter((name) => !isLocal(name) && !config.subgraphUrls[name])
  if (missing.length > 0) {
    throw new Error(`SUBGRAPH_URLS must have the URLs of these subgraphs: ${missing.join(' ')}.`)
  }
  const sourceOf = (name: string, schema: GraphQLSchema): Source => {
    if (isLocal(name)) return new LocalSource(schema, name)
    const url = config.subgraphUrls[name]!
    const tokensOf = (environment: string) => tokensByEnvironment.get(environment)!
    const remote = new RemoteSource(name, url, tokensOf)
    onStop(async () => remote.close())
    return remote
  }
  return new Map([...schemas].map(([name, schema]) => [name, sourceOf(name, schema)]))
}

function serviceTokensOf({ address }: Environment, keys: LiveKeys, store: KeyStore): ServiceTokens {
  const now = () => new Date()
  const issueToken = createTokenIssuer({
    issuer: address,
    audience: address,
    signingJwks: () => keys.signing,
    sign: store.sign,
    now,
  })
  return createServiceTokens(
    signingKeys(keys.ring),
    ({ clientId, subject, scopes, partyId, grantId }, ttlSeconds) =>
      issueToken({
        clientId,
        subject,
        scope: [...scopes].join(' '),
        ttlSeconds,
        ...(partyId !== null && { partyId }),
        ...(grantId !== null && { grantId }),
      }),
    Date.now,
  )
}
