import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { knownEvents, type DeclaredEvent } from '../subgraphs/_kernel/events.ts'
import type { JsonSchema } from './json-schema.ts'

const text = { type: 'string' }

/** What every event carries: CloudEvents 1.0, structured, with our extensions. */
const cloudEvent: JsonSchema = {
  type: 'object',
  required:
    'specversion id source type subject time datacontenttype sequence position correlationid actor'.split(
      ' ',
    ),
  properties: {
    specversion: { const: '1.0' },
    id: {
      ...text,
      description: 'The same over all deliveries and replays: drop what you have seen.',
    },
    source: { ...text, description: '`/banking/<area>`.' },
    type: { ...text, description: '`<area>.<entity>.<fact>`.' },
    subject: { ...text, description: '`<entity>/<id>` of the record it is about.' },
    time: { ...text, format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    sequence: {
      ...text,
      pattern: '^\\d+$',
      description: 'Its place among the events of its subject, dense from 1.',
    },
    position: { ...text, pattern: '^\\d+$', description: 'Its place in the log, dense from 1.' },
    correlationid: { ...text, description: 'The X-Request-Id of the request that caused it.' },
    causationid: { ...text, description: 'The event that caused it, if one did.' },
    actor: { ...text, description: 'The party or the OAuth client that acted.' },
    data: { type: 'object', description: 'Left out for subscriptions that ask for thin events.' },
  },
}

/** Standard Webhooks 1.0. */
const headers: JsonSchema = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { ...text, description: 'The id of the event, the same over all attempts.' },
    'webhook-timestamp': { ...text, description: 'Of this attempt, in seconds since 1970.' },
    'webhook-signature': {
      ...text,
      description: 'One `v1,<base64>` for each live secret of the endpoint, with a space between.',
    },
  },
}

/** The event catalogue as AsyncAPI 3.0, rendered from what the subgraphs declare. */
export function asyncapi(bank: Bank): JsonSchema {
  const events = [...knownEvents.values()]
  const byType = (each: (event: DeclaredEvent) => unknown) =>
    Object.fromEntries(events.map((event) => [event.type, each(event)]))
  const { host, protocol } = new URL(bank.issuer)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Business events of the Core Banking and Lending Platform',
      version: '1.0.0',
      license: { name: 'MIT' },
      description:
        'Facts of the business, told in the commit that made them true. At least once, in the ' +
        'order of each subject; `position` proves that nothing is missing.',
    },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      webhook: {
        host: 'your-endpoint.example',
        protocol: 'https',
        description: 'An endpoint of yours, registered with `registerWebhookEndpoint`.',
      },
      graph: {
        host,
        pathname: '/graphql',
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        description: '`subscription { businessEvents { … } }`, graphql-transport-ws.',
      },
    },
    channels: byType(({ type, meaning }) => ({
      address: type,
      description: meaning,
      messages: { event: { $ref: `#/components/messages/${type}` } },
    })),
    operations: byType(({ type, meaning }) => ({
      action: 'send',
      summary: meaning,
      channel: { $ref: `#/channels/${type}` },
      tags: [{ name: areaOf(type) }],
    })),
    components: {
      messages: byType(messageOf),
      schemas: { CloudEvent: cloudEvent, WebhookHeaders: headers },
    },
  }
}

function messageOf({ type, meaning, data }: DeclaredEvent): JsonSchema {
  return {
    name: type,
    title: type,
    summary: meaning,
    contentType: 'application/cloudevents+json',
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
    payload: {
      allOf: [
        { $ref: '#/components/schemas/CloudEvent' },
        { type: 'object', properties: { type: { const: type }, data } },
      ],
    },
  }
}

/** `parties` of `parties.party.created`. */
export function areaOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
