import type { Config, EnvironmentName } from '../subgraphs/_kernel/config.ts'

/** Where the development servers of web apps are by custom. */
const devServers = [3000, 5173].flatMap((port) => [
  `http://127.0.0.1:${port}`,
  `http://localhost:${port}`,
])

/** Apollo Sandbox runs in the browser, from its own address. */
const apolloSandbox = [
  'https://studio.apollographql.com',
  'https://sandbox.embed.apollographql.com',
]

/** The web apps of an environment, by the addresses their pages come from; in the sandbox people come back to their `/callback`. */
export function webAppsOf({ webApps }: Config, environment: EnvironmentName): readonly string[] {
  return webApps ?? (environment === 'sandbox' ? devServers : [])
}

/** Whose pages, beside its own, may call an environment from a browser. */
export function webPagesOf(config: Config, environment: EnvironmentName): readonly string[] {
  const webApps = webAppsOf(config, environment)
  return environment === 'sandbox' ? [...webApps, ...apolloSandbox] : webApps
}
