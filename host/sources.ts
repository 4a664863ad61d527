import type { GraphQLSchema } from 'graphql'
import { createPassport, type Passport } from '../gateway/passport.ts'
import { RemoteSource } from '../gateway/remote-source.ts'
import { LocalSource, type Source } from '../gateway/sources.ts'
import { createMint } from '../oauth/server.ts'
import { sealingKey } from '../subgraphs/_kernel/sealed-envelope.ts'
import type { Environment } from './environments.ts'
import type { Secrets } from './secrets.ts'
import type { StartOptions } from './start-options.ts'

/**
 * Where each subgraph of the supergraph is asked: here, or at its address.
 * Refuses with an Error that names every subgraph that is neither here nor has an address.
 */
export function createSources(
  { config, role, onStop }: StartOptions,
  schemas: ReadonlyMap<string, GraphQLSchema>,
  environments: readonly Environment[],
  secrets: Secrets,
): Map<string, Source> {
  const passports = new Map(
    environments.map((each) => [each.name as string, passport(each, secrets)]),
  )
  const isHere = (name: string) => role.subgraphs.includes(name)
  const lost = [...schemas.keys()].filter((name) => !isHere(name) && !config.subgraphUrls[name])
  if (lost.length > 0) {
    throw new Error(`SUBGRAPH_URLS must say where these subgraphs are: ${lost.join(' ')}.`)
  }
  const sourceOf = (name: string, schema: GraphQLSchema): Source => {
    if (isHere(name)) return new LocalSource(schema)
    const url = config.subgraphUrls[name]!
    const remote = new RemoteSource(name, url, (environment) => passports.get(environment)!)
    onStop(async () => remote.close())
    return remote
  }
  return new Map([...schemas].map(([name, schema]) => [name, sourceOf(name, schema)]))
}

/** The key that seals requests of an environment: every process that shares its secrets has it. */
export function sealingKeyOf(secrets: Secrets, { name }: Pick<Environment, 'name'>): Buffer {
  return sealingKey(secrets[name].cookieKey)
}

function passport(environment: Environment, secrets: Secrets): Passport {
  const { address } = environment
  const { signingJwk } = secrets[environment.name]
  const now = () => new Date()
  const mint = createMint({ issuer: address, audience: address, signingJwks: [signingJwk], now })
  return createPassport(
    sealingKeyOf(secrets, environment),
    ({ clientId, subject, scopes, partyId, grantId }, ttlSeconds) =>
      mint({
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
