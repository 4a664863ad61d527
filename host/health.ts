import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Drain } from './drain.ts'
import type { Readiness } from './readiness.ts'

const maxLagMs = 5000

/**
 * Serves `/livez` (whether the process responds in time) and `/readyz` (whether it can serve
 * requests of all environments of `readiness`). A restart helps a process that is not live; one
 * that is not ready, or degraded, waits for something else. During a drain, `/readyz` responds with
 * 503.
 */
export function serveHealth(
  app: FastifyInstance,
  readiness: readonly Readiness[],
  drain: Drain,
): void {
  const lag = monitorEventLoopDelay({ resolution: 100 })
  lag.enable()
  app.addHook('onClose', async () => lag.disable())
  app.get('/livez', async (_request, reply) => {
    const lagMs = Math.round(lag.max / 1e6)
    lag.reset()
    return reply.code(lagMs < maxLagMs ? 200 : 503).send({ status: 'live', lagMs })
  })
  app.get('/readyz', async (_request, reply) => {
    const { isDraining } = drain
    const reports = await Promise.all(readiness.map((each) => each.report()))
    const isReadable = reports.every((each) => each.isReadable)
    const isServing = reports.every((each) => each.isReady)
    const causes = [...new Set(reports.flatMap((each) => each.causes))]
    const findings = reports.reduce((sum, each) => sum + (each.ledgerFindings ?? 0), 0)
    const readyStatus = causes.length > 0 ? 'degraded' : 'ready'
    const status = isDraining ? 'draining' : isServing ? readyStatus : 'unready'
    return reply.code(isServing && !isDraining ? 200 : 503).send({
      status,
      database: isReadable ? 'ok' : 'unavailable',
      writes: isServing ? 'ok' : 'failing',
      ...(isReadable && { ledgerFindings: findings }),
      causes,
    })
  })
}
