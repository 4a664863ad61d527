import 'reflect-metadata'
import { command } from '../../../kernel/writing/command.ts'
import { declareEvents } from '../../../kernel/events/events.ts'
import { bankContext, startWorkers } from '../../../kernel/work/worker.ts'
import { deliverWebhooks } from '../../../subgraphs/events/delivery/deliverer.ts'
import { planWebhooks } from '../../../subgraphs/events/delivery/planner.ts'
import type { Row } from '../../../kernel/writing/writes.ts'
import { everyScope } from '../../../kernel/domain/scopes.ts'
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

/** The events subgraph with a running event log, used as one client by default. */
export interface PublishingBank extends RunningSubgraph {
  /** Emits an event of a thing, as any area does. */
  emit(thing: string, data?: Row | null, type?: string, parties?: readonly string[]): Promise<void>
  subscribe(input?: object, options?: ExecuteOptions): Promise<string>
  register(url: string, options?: ExecuteOptions): Promise<Registered>
  /** The deliveries to an endpoint, as its owner sees them. */
  deliveries(endpointId: string, options?: ExecuteOptions): Promise<any[]>
  endpoint(endpointId: string): Promise<any>
  /** Resolves with the endpoint's deliveries once none of them is due. */
  settled(endpointId: string): Promise<any[]>
  domainEvent(type: string): Promise<any[]>
}

/** Starts the subgraph with this number of deliverers, each standing in for a process. */
export async function aPublishingBank(deliverers = 1): Promise<PublishingBank> {
  const bank = await aSubgraph(events)
  // The sandbox permits http and webhooks to this machine.
  bank.bank.environment = 'sandbox'
  await bank.bank.events.start()
  const workers = [
    startWorkers(bank.bank, [planWebhooks]),
    ...Array.from({ length: deliverers }, () => startWorkers(bank.bank, [deliverWebhooks])),
  ]
  const publisher: PublishingBank = {
    ...bank,
    async emit(thing, data = {}, type = 'tests.thing.happened', parties = []) {
      const domainEvent = { type, subject: `thing/${thing}`, version: 1, data, parties }
      await command(bankContext(bank.bank), 'tests.tell', {}, async () => ({
        result: null,
        events: [domainEvent],
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
          `select (select count(*)::int from kernel.outbox) as pending,
             (select position from kernel.head) <= (select position from kernel.consumer
               where name = 'events.webhooks') as is_planned,
             (select count(*)::int from events.delivery where endpoint_id = $1
                and (next_at <= $2 or lease_until is not null)) as due`,
          [endpointId, bank.bank.now()],
        )
        const [{ pending, is_planned: isPlanned, due }] = planned as [any]
        return pending === 0 && isPlanned && due === 0 && publisher.deliveries(endpointId)
      }, 20_000)
    },
    async domainEvent(type) {
      return (await bank.events()).filter((event) => event.type === type)
    },
    async drop() {
      await Promise.all(workers.map((each) => each.stop()))
      await bank.bank.events.stop()
      await bank.drop()
    },
  }
  return publisher
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

export const clientScopes = everyScope.filter((scope) => !scope.startsWith('operations:'))
export const otherClient = {
  caller: aCaller({ clientId: 'other-client', scopes: clientScopes }),
}
export const ada = { caller: aCaller({ partyId: 'pty_ada' }) }
