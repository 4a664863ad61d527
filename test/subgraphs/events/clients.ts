import { aCaller, type Answer } from '../../kit/subgraph.ts'
import { eventually } from '../../kit/platform.ts'
import { clientScopes, type Registered, type PublishingBank } from './kit.ts'
import { aReceiver, type Answering, type Receiver } from './receiver.ts'

/** An OAuth client with one subscription, to the tests' events, and one endpoint. */
export interface Client extends Registered {
  options: { caller: ReturnType<typeof aCaller> }
  subscriptionId: string
  dependencies: Receiver
  /** Runs a mutation of events as this client; its result is `answer`. */
  does(name: string, input?: Record<string, unknown>): Promise<Answer>
  /** Its deliveries, once none of them is due. */
  settled(): Promise<any[]>
}

const selections: Record<string, string> = {
  replayWebhookDeliveries: '{ planned nextPosition }',
  rotateWebhookSecret: '{ secret endpoint { liveSecrets } }',
}

/**
 * What is left to plan or to send. Without an active endpoint nothing is planned, so the event that
 * reports the end of the last endpoint does not count.
 */
const leftSql = `
  select (select count(*) from kernel.outbox)
    + (select count(*) from kernel.head h, kernel.consumer c
      where c.name = 'events.webhooks' and h.position > c.position
       and exists (select from events.endpoint where status = 'active'))
    + (select count(*) from events.delivery d join events.endpoint p using (endpoint_id)
       where d.endpoint_id = $1 and p.status = 'active' and (d.next_at <= $2 or d.lease_until is not null))
    as left`

let made = 0

export async function aClient(bank: PublishingBank, answering?: Answering): Promise<Client> {
  const options = { caller: aCaller({ clientId: `client-${++made}`, scopes: clientScopes }) }
  const receiver = await aReceiver(answering)
  const subscriptionId = await bank.subscribe({}, options)
  const registered = await bank.register(receiver.url, options)
  const { endpointId } = registered
  return {
    ...registered,
    options,
    subscriptionId,
    dependencies: receiver,
    does(name, input = { endpointId }) {
      const args = Object.keys(input)
      const inputType = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`
      const declared = args.map((each) => `$${each}: ${each === 'input' ? inputType : 'ID!'}`)
      const passed = args.map((each) => `${each}: $${each}`)
      const document = `mutation (${declared.join(', ')}) {
        answer: ${name}(${passed.join(', ')}) ${selections[name] ?? '{ status }'} }`
      return bank.execute(document, input, options)
    },
    settled: () =>
      eventually(async () => {
        const [row] = await bank.rows(leftSql, [endpointId, bank.bank.now()])
        return Number(row!['left']) === 0 && bank.deliveries(endpointId, options)
      }, 20_000),
  }
}

/** Responds to every request with this status. */
export const answering =
  (status: number): Answering =>
  (_got, response) =>
    response.writeHead(status).end()

export const daysMs = (count: number) => count * 86_400_000
