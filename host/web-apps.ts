import type { Config, EnvironmentName } from '../kernel/environment/config.ts'

/** The default origins of common development servers. */
const devServers = [3000, 5173].flatMap((port) => [
  `http://127.0.0.1:${port}`,
  `http://localhost:${port}`,
])

/** The origins of Apollo Sandbox, which runs in the browser. */
const apolloSandbox = [
  'https://studio.apollographql.com',
  'https://sandbox.embed.apollographql.com',
]

/**
 * Returns the origins of an environment's web apps. Logins in the sandbox redirect to `/callback`
 * on these origins.
 */
export function webAppsOf({ webApps }: Config, environment: EnvironmentName): readonly string[] {
  return webApps ?? (environment === 'sandbox' ? devServers : [])
}

/**
 * Returns the origins of pages that may call an environment from a browser: its web apps, and for
 * the sandbox also Apollo Sandbox.
 */
export function webPagesOf(config: Config, environment: EnvironmentName): readonly string[] {
  const webApps = webAppsOf(config, environment)
  return environment === 'sandbox' ? [...webApps, ...apolloSandbox] : webApps
}
