import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { DerivedKeys } from '../kernel/environment/key-ring.ts'
import { environmentOf } from '../kernel/environment/signed-envelope.ts'
import type { Source } from '../gateway/sources.ts'
import { startWorkers, type Worker } from '../kernel/work/worker.ts'
import { createSubgraphHttp, type BankEndpoint } from '../subgraphs/serve.ts'
import { Drain } from './drain.ts'
import { serveHealth } from './health.ts'
import { measureEnvironment, measureWorkers } from './metrics/environment-metrics.ts'
import { measureRequests } from './metrics/measure-requests.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { Readiness } from './readiness.ts'
import type { OpenBank } from './open-bank.ts'
import { traceRequests } from './trace-requests.ts'

export interface ServeSubgraphsOptions {
  /** The subgraphs of this process, by name. */
  sources: ReadonlyMap<string, Source>
  /** The environments that the subgraphs serve. */
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
  const readiness = environments.map(({ open }) => new Readiness(open.bank))
  serveHealth(app, readiness, drain)
  const first = environments[0]!.open.bank
  const bankOf = ({ headers }: FastifyRequest) =>
    banks.get(environmentOf(headers) ?? '')?.bank ?? first
  measureRequests(app, bankOf)
  traceRequests(app, bankOf, first.log)
  environments.forEach(({ open }, at) => measureEnvironment(open.bank, readiness[at]!))
  serveMetrics(app, first)
  await Promise.all(readiness.map((each) => each.start()))
  await app.listen({ host: '127.0.0.1', port })
  const startedWorkers = environments.map(({ open }, at) => {
    const started = startWorkers(open.bank, workers)
    readiness[at]!.watchWorkers(() => started.delays())
    measureWorkers(open.bank, started)
    return started
  })
  return {
    port: (app.server.address() as AddressInfo).port,
    drain: () => drain.start(),
    async stop() {
      await drain.close()
      await Promise.all(startedWorkers.map((each) => each.stop()))
      await Promise.all(readiness.map((each) => each.stop()))
      for (const { open } of environments) await open.close()
    },
  }
}
