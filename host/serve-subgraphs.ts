import type { AddressInfo } from 'node:net'
import type { Source } from '../gateway/sources.ts'
import { startWorkers, type Worker } from '../subgraphs/_kernel/worker.ts'
import { createSubgraphHttp, type SealedBank } from '../subgraphs/serve.ts'
import { serveHealth } from './health.ts'
import type { OpenBank } from './open-bank.ts'

export interface ServeSubgraphsOptions {
  /** The subgraphs of this process, by name. */
  sources: ReadonlyMap<string, Source>
  /** The environments they serve, the first of them named by the health checks. */
  environments: readonly { open: OpenBank; sealingKey: Buffer }[]
  port: number
  workers: readonly Worker[]
}

/**
 * Serves subgraphs to the platform's gateways, for every environment at once, and does their work
 * beside it. It listens on the loopback alone. Stops in order: requests, workers, log, database.
 */
export async function serveSubgraphs(
  options: ServeSubgraphsOptions,
): Promise<{ port: number; stop(): Promise<void> }> {
  const { sources, environments, port, workers } = options
  const banks = new Map<string, SealedBank>(
    environments.map(({ open: { bank }, sealingKey }) => [bank.environment, { bank, sealingKey }]),
  )
  const app = createSubgraphHttp({ sources, banks })
  const health = serveHealth(app, environments[0]!.open.bank)
  await app.listen({ host: '127.0.0.1', port })
  const running = environments.map(({ open }) => startWorkers(open.bank, workers))
  return {
    port: (app.server.address() as AddressInfo).port,
    async stop() {
      health.drain()
      await app.close()
      await Promise.all(running.map((each) => each.stop()))
      for (const { open } of environments) await open.close()
    },
  }
}
