import type { Logger } from 'pino'
import type { Secrets } from './environment-secrets.ts'
import { fileKeyStore, type KeyStore } from './key-store.ts'
import { reloadSecrets } from './secrets.ts'

const pollMs = 5000

/**
 * Reads the file of secrets regularly and gives the secrets to the running environments, which then
 * use new keys and end the use of former ones. If the file is damaged, the known keys remain.
 * Returns the function that stops.
 */
export function followSecrets(
  dataDir: string,
  use: (secrets: Secrets) => Promise<void>,
  log: Pick<Logger, 'warn'>,
  store: KeyStore = fileKeyStore,
  everyMs = pollMs,
): () => Promise<void> {
  let running = Promise.resolve()
  const run = () => {
    running = running
      .then(async () => use(await reloadSecrets(dataDir, store)))
      .catch((error: Error) => {
        log.warn({ error: error.message }, 'failed to use the secrets; the known ones remain')
      })
  }
  run()
  const timer = setInterval(run, everyMs).unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
