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
