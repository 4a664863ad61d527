import type { ConsoleSettings } from '../gateway/console.ts'
import { isLoopbackHost } from '../kernel/domain/loopback.ts'
import type { Config, EnvironmentName } from '../kernel/environment/config.ts'
import { serverMetadata } from '../oauth/metadata.ts'
import type { EnvironmentSecrets } from './environment-secrets.ts'
import { consoleClient, originalSecretOf } from './secrets.ts'
import { offeredPeople } from './staff.ts'

/**
 * Whether this is a sandbox that only this machine can reach: at the address on which it listens, and
 * at the origin that clients use.
 */
export const isLocalSandbox = (
  environment: EnvironmentName,
  host: string,
  origin: string,
): boolean =>
  environment === 'sandbox' && isLoopbackHost(host) && isLoopbackHost(new URL(origin).hostname)

/** Returns what the console of an environment must know before anybody is logged in. */
export function consoleSettingsOf({
  environment,
  config,
  address,
  secrets,
}: {
  environment: EnvironmentName
  config: Config
  address: string
  secrets: EnvironmentSecrets
}): ConsoleSettings {
  const isLocal = isLocalSandbox(environment, config.host, address)
  return {
    issuer: address,
    authorizationServer: serverMetadata(
      address,
      config.securityProfile,
      config.clientCertificateHeader !== null,
    ),
    clientId: consoleClient(address).client_id,
    people: isLocal ? offeredPeople(originalSecretOf(secrets), secrets.parties) : [],
  }
}
