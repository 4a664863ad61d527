import type { Logger } from 'pino'
import type { EnvironmentName } from '../kernel/environment/config.ts'
import type { AuthorizationServer } from '../oauth/server.ts'
import { reloadSecrets, signingJwksOf } from './secrets.ts'

const pollMs = 5000

type Servers = Partial<Record<EnvironmentName, Pick<AuthorizationServer, 'useSigningKeys'>>>

/**
 * Gives the authorization servers the signing keys in the file of secrets whenever these change, or
 * when a new key begins to sign. Returns the function that stops.
 */
export function followSigningKeys(
  dataDir: string,
  servers: Servers,
  log: Pick<Logger, 'warn'>,
  everyMs = pollMs,
): () => Promise<void> {
  const used = new Map<string, string>()
  const follow = async () => {
    const secrets = await reloadSecrets(dataDir)
    for (const name of ['live', 'sandbox'] as const) {
      const signingJwks = signingJwksOf(secrets[name], new Date())
      const kids = signingJwks.map(({ kid }) => kid).join(' ')
      const before = used.get(name)
      if (before !== kids && before !== undefined) await servers[name]?.useSigningKeys(signingJwks)
      used.set(name, kids)
    }
  }
  let running = Promise.resolve()
  const run = () => {
    running = running.then(follow).catch((error: Error) => {
      log.warn({ error: error.message }, 'failed to read the signing keys; the known ones remain')
    })
  }
  run()
  const timer = setInterval(run, everyMs).unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
