import type { AddressInfo } from 'node:net'
import type { DerivedKeys } from '../kernel/environment/key-ring.ts'
import type { Source } from '../gateway/sources.ts'
import { startWorkers, type Worker } from '../kernel/work/worker.ts'
import { createSubgraphHttp, type BankEndpoint } from '../subgraphs/serve.ts'
import { Drain } from './drain.ts'
import { serveHealth } from './health.ts'
import type { OpenBank } from './open-bank.ts'

export interface ServeSubgraphsOptions {
  /** The subgraphs of this process, by name. */
  sources: ReadonlyMap<string, Source>
  /** The environments that the subgraphs serve. Health checks use the database of the first one. */
  environments: readonly { open: OpenBank; signingKeys: DerivedKeys<Buffer> }[]
  port: number
  workers: readonly Worker[]
}

/**
 * Serves subgraphs to the gateways for all environments, and runs their workers. Listens only on
 * the loopback interface. `stop` ends requests, workers, the event log and the database
 * connections, in this order.
 */
export async function serveSubgraphs(
  options: ServeSubgraphsOptions,
): Promise<{ port: number; drain(): void; stop(): Promise<void> }> {
  const { sources, environments, port, workers } = options
  const banks = new Map<string, BankEndpoint>(
    environments.map(({ open: { bank }, signingKeys }) => [
      bank.environment,
      { bank, signingKeys },
    ]),
  )
  const app = createSubgraphHttp({ sources, banks })
  const drain = new Drain(app)
  serveHealth(app, environments[0]!.open.bank, drain)
  await app.listen({ host: '127.0.0.1', port })
  const startedWorkers = environments.map(({ open }) => startWorkers(open.bank, workers))
  return {
    port: (app.server.address() as AddressInfo).port,
    drain: () => drain.start(),
    async stop() {
      await drain.close()
      await Promise.all(startedWorkers.map((each) => each.stop()))
      for (const { open } of environments) await open.close()
    },
  }
}
