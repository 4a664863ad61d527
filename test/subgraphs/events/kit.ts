import 'reflect-metadata'
import { command } from '../../../subgraphs/_kernel/command.ts'
import { declareEvents } from '../../../subgraphs/_kernel/events.ts'
import { bankContext, startWorkers } from '../../../subgraphs/_kernel/worker.ts'
import { deliverWebhooks } from '../../../subgraphs/events/delivery/deliverer.ts'
import { planWebhooks } from '../../../subgraphs/events/delivery/planner.ts'
import type { Row } from '../../../subgraphs/_kernel/writes.ts'
import { events } from '../../../subgraphs/events/index.ts'
import {
  aCaller,
  aSubgraph,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'
import { eventually } from '../../kit/platform.ts'

declareEvents({
  'tests.thing.happened': 'Something happened to a thing.',
  'tests.thing.ended': 'A thing is no more.',
})

export interface Registered {
  endpointId: string
  secret: string
}

/** The subgraph of events with its log running, as a client of its own sees it. */
export interface Teller extends RunningSubgraph {
  /** Tells an event of a thing, as any area would, and answers once it is in the log. */
  tell(thing: string, data?: Row | null, type?: string, parties?: readonly string[]): Promise<void>
  subscribe(input?: object, options?: ExecuteOptions): Promise<string>
  register(url: string, options?: ExecuteOptions): Promise<Registered>
  /** The deliveries to an endpoint as their owner sees them. */
  deliveries(endpointId: string, options?: ExecuteOptions): Promise<any[]>
  endpoint(endpointId: string): Promise<any>
  /** Until no delivery to the endpoint is due. */
  settled(endpointId: string): Promise<any[]>
  told(type: string): Promise<any[]>
}

/** Starts the subgraph; `deliverers` of them send, as in so many processes. */
export async function aTeller(deliverers = 1): Promise<Teller> {
  const bank = await aSubgraph(events)
  // The sandbox may call this machine, and takes http.
  bank.bank.environment = 'sandbox'
  await bank.bank.events.start()
  const workers = [
    startWorkers(bank.bank, [planWebhooks]),
    ...Array.from({ length: deliverers }, () => startWorkers(bank.bank, [deliverWebhooks])),
  ]
  const teller: Teller = {
    ...bank,
    async tell(thing, data = {}, type = 'tests.thing.happened', parties = []) {
      const told = { type, subject: `thing/${thing}`, version: 1, data, parties }
      await command(bankContext(bank.bank), 'tests.tell', {}, async () => ({
        result: null,
        events: [told],
      }))
    },
    async subscribe(input = {}, options = {}) {
      const { data, errors } = await bank.execute(
        `mutation ($input: CreateEventSubscriptionInput!) { createEventSubscription(input: $input) { subscriptionId } }`,
        { input: { eventType: 'tests.*', ...input } },
        options,
      )
      if (errors.length > 0) throw new Error(JSON.stringify(errors))
      return data.createEventSubscription.subscriptionId
    },
    async register(url, options = {}) {
      const { data, errors } = await bank.execute(
        `mutation ($input: RegisterWebhookEndpointInput!) { registerWebhookEndpoint(input: $input) {
          secret endpoint { endpointId } } }`,
        { input: { url } },
        options,
      )
      if (errors.length > 0) throw new Error(JSON.stringify(errors))
      const { secret, endpoint } = data.registerWebhookEndpoint
      return { secret, endpointId: endpoint.endpointId }
    },
    async deliveries(endpointId, options = {}) {
      return (await readEndpoint(bank, endpointId, options)).deliveries.nodes
    },
    endpoint: (endpointId) => readEndpoint(bank, endpointId),
    async settled(endpointId) {
      return eventually(async () => {
        const planned = await bank.rows(
          `select (select count(*)::int from kernel.outbox) as told,
             (select position from kernel.head) <= (select position from kernel.consumer) as is_planned,
             (select count(*)::int from events.delivery where endpoint_id = $1
                and (next_at <= $2 or lease_until is not null)) as due`,
          [endpointId, bank.bank.now()],
        )
        const [{ told, is_planned: isPlanned, due }] = planned as [any]
        return told === 0 && isPlanned && due === 0 && teller.deliveries(endpointId)
      }, 20_000)
    },
    async told(type) {
      return (await bank.events()).filter((event) => event.type === type)
    },
    async drop() {
      await Promise.all(workers.map((each) => each.stop()))
      await bank.bank.events.stop()
      await bank.drop()
    },
  }
  return teller
}

async function readEndpoint(
  bank: RunningSubgraph,
  endpointId: string,
  options: ExecuteOptions = {},
) {
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { webhookEndpoint(endpointId: $id) { endpointId url status statusReason failures
      failingSince heldUntil liveSecrets deliveries(first: 200) { nodes { deliveryId status eventType
      position subscriptionIds replayOf nextAt deliveredAt event { eventId subjectId }
      attempts { number at durationMs statusCode error response } } } } }`,
    { id: endpointId },
    options,
  )
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return data.webhookEndpoint
}

export const otherClient = { caller: aCaller({ clientId: 'other-client' }) }
export const ada = { caller: aCaller({ partyId: 'pty_ada' }) }
