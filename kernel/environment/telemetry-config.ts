import type { Variables } from './variables.ts'

/** The private address at which a process serves the metrics of all its environments. */
export interface MetricsConfig {
  host: string
  port: number
  /** The bearer token that a request must have; null if none is needed. */
  token: string | null
}

/** Returns the private address of the metrics; null if there is none. */
export function metricsConfig(variables: Variables): MetricsConfig | null {
  const { METRICS_HOST: host, METRICS_PORT: port, METRICS_TOKEN: token = null } = variables
  return port === undefined ? null : { host, port, token }
}

/** Where and how many traces are sent. */
export interface TracingConfig {
  /** The URL to which spans are posted. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  /** A value of OTEL_TRACES_SAMPLER. */
  sampler: string
  /** The share of traces that the samplers `traceidratio` record. */
  ratio: number
}

/**
 * Returns where traces are sent; null if they are off. The settings are those of the specification
 * of OpenTelemetry: the path is appended to the general endpoint, and not to that of traces.
 */
export function tracingConfig(variables: Variables): TracingConfig | null {
  const general = variables.OTEL_EXPORTER_OTLP_ENDPOINT
  const endpoint =
    variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (general === undefined ? undefined : `${general.replace(/\/$/, '')}/v1/traces`)
  if (endpoint === undefined || variables.OTEL_TRACES_EXPORTER === 'none') return null
  return {
    endpoint,
    headers: headersOf(variables.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    serviceName: variables.OTEL_SERVICE_NAME,
    sampler: variables.OTEL_TRACES_SAMPLER,
    ratio: variables.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** Parses a list like `api-key=secret,tenant=bank`, whose values are percent-encoded. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    return name === undefined ? [] : [[name, decodeURIComponent(value!)] as const]
  })
  return Object.fromEntries(pairs)
}
