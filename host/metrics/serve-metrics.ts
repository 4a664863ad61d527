import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { callerOf } from '../../gateway/envelope.ts'
import { withRefusalAudit } from '../../gateway/refusals.ts'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import type { MetricsConfig } from '../../kernel/environment/telemetry-config.ts'
import { metersOf } from '../../kernel/telemetry/meters.ts'

const { contentType } = new Registry()
let processRegistry: Registry | undefined

/** Returns the metrics of the process and of environments, as Prometheus text. */
async function textOf(banks: readonly Bank[]): Promise<string> {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  const samples = await Promise.all(banks.map((bank) => metersOf(bank).registry.getMetricsAsJSON()))
  // Prometheus accepts each name only once. The samples of two environments differ in a label.
  const environments = AggregatorRegistry.aggregate(samples)
  return `${await processRegistry.metrics()}\n${await environments.metrics()}`
}

/** Serves `/metrics` (Prometheus text) of the process and of one environment to clients. */
export function serveMetrics(app: FastifyInstance, bank: Bank): void {
  app.get('/metrics', async (request, reply) => {
    // In live, only operators may read the metrics, because they reveal routes, rates and failures.
    if (bank.environment === 'live') {
      const caller = await callerOf(bank, request)
      withRefusalAudit(bank, request, caller, () => requireScope(caller, 'operations:read'))
    }
    return reply.type(contentType).send(await textOf([bank]))
  })
}

/**
 * Serves `/metrics` of all environments at an address of its own, which clients of the bank cannot
 * reach. Responds 401 without the configured token. Returns the function that stops it.
 */
export async function servePrivateMetrics(
  { host, port, token }: MetricsConfig,
  banks: readonly Bank[],
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    if (token !== null && !isBearer(token, request.headers.authorization)) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    }
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
    textOf(banks).then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        banks[0]!.log.error({ error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  })
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function isBearer(token: string, authorization = ''): boolean {
  const [expected, actual] = [Buffer.from(`Bearer ${token}`), Buffer.from(authorization)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
