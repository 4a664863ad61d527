import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Bank } from '../environment/bank.ts'

/** The upper bounds of durations in seconds, from a millisecond to ten seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The name of an operation that is not one of the platform or of a registered app. */
export const otherOperation = 'other'

/**
 * What one environment measures in this process, as Prometheus metrics. Labels have a bounded number
 * of values and no personal data; docs/operate/metrics.md lists them.
 */
export class Meters {
  readonly registry = new Registry()
  readonly requests = this.#histogram(
    'http_server_request_duration_seconds',
    'The time from the arrival of a request to the end of its response.',
    ['http_request_method', 'http_route', 'http_response_status_code'],
  )
  readonly operations = this.#histogram(
    'graphql_server_operation_duration_seconds',
    'The time to execute an operation of the graph.',
    ['graphql_operation_type', 'outcome'],
  )
  readonly operationNames = new Counter({
    name: 'graphql_server_operations_total',
    help: 'Executed operations of the graph, by the name of a documented or registered operation.',
    labelNames: ['graphql_operation_type', 'graphql_operation_name', 'outcome'],
    registers: [this.registry],
  })
  readonly subscriptions = new Gauge({
    name: 'graphql_server_subscriptions_open',
    help: 'Open subscriptions.',
    labelNames: ['transport'],
    registers: [this.registry],
  })
  readonly commits = this.#histogram(
    'database_commit_duration_seconds',
    'The time to commit a decision.',
    ['outcome'],
  )
  readonly deliveries = this.#histogram(
    'webhook_delivery_duration_seconds',
    'The time to send an event to a webhook endpoint.',
    ['outcome'],
  )

  constructor(environment: string) {
    this.registry.setDefaultLabels({ environment })
    // Known values exist from the start, so that the first increase of a counter is one.
    for (const transport of ['websocket', 'sse']) this.subscriptions.set({ transport }, 0)
    for (const outcome of ['committed', 'replayed', 'failed']) this.commits.zero({ outcome })
    for (const outcome of ['delivered', 'failed', 'dead-lettered'])
      this.deliveries.zero({ outcome })
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Histogram<Label> {
    const registers = [this.registry]
    return new Histogram({ name, help, labelNames, buckets: durationBuckets, registers })
  }
}

const meters = new WeakMap<Bank['events'], Meters>()

/** Returns what an environment measures in this process. */
export function metersOf({ events, environment }: Pick<Bank, 'events' | 'environment'>): Meters {
  let own = meters.get(events)
  if (!own) meters.set(events, (own = new Meters(environment)))
  return own
}
