import { randomUUID } from 'node:crypto'
import { diag, DiagLogLevel, type Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import * as sdk from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TracingConfig } from '../kernel/environment/telemetry-config.ts'
import { useTracer } from '../kernel/telemetry/tracing.ts'
import { thisRelease } from './releases.ts'

/**
 * Sends the traces of this process to a collector, over HTTP (OTLP). `stop` sends what remains and
 * ends it. This module loads the libraries, so a process without traces does not import it.
 */
export function startTracing(
  { endpoint, headers, serviceName, sampler, ratio }: TracingConfig,
  log: Logger,
): { tracer: Tracer; stop(): Promise<void> } {
  const report = (message: string) => log.warn({ message }, 'the traces could not be sent')
  const ignore = () => undefined
  const logger = { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
  const [, parentBased, kind] = /^(parentbased_)?(.+)$/.exec(sampler)!
  const root =
    kind === 'always_on'
      ? new sdk.AlwaysOnSampler()
      : kind === 'always_off'
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(ratio)
  const exporter = new OTLPTraceExporter({ url: endpoint, headers })
  const provider = new sdk.TracerProvider({
    sampler: parentBased ? new sdk.ParentBasedSampler({ root }) : root,
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': thisRelease.version,
      'service.instance.id': randomUUID(),
    }),
  })
  const tracer = provider.getTracer('bankgraph', thisRelease.version)
  useTracer(tracer)
  return {
    tracer,
    async stop() {
      useTracer(null)
      await provider.shutdown().catch((error: Error) => report(error.message))
      diag.disable()
    },
  }
}
