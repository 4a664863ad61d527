import { contractVersions } from '../kernel/domain/contract-versions.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { knownEvents, type DeclaredEvent } from '../kernel/events/events.ts'
import type { JsonSchema } from './json-schema.ts'

const text = { type: 'string' }

/**
 * The members of every event: CloudEvents 1.0 in structured mode, with the bank's extension
 * attributes.
 */
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
      description:
        'The event ID, which is the same in all deliveries and replays. Ignore events whose ID you have already processed.',
    },
    source: { ...text, description: 'The area that emitted the event, as `/banking/<area>`.' },
    type: { ...text, description: 'The event type, as `<area>.<entity>.<fact>`.' },
    subject: { ...text, description: 'The record that the event is about, as `<entity>/<id>`.' },
    time: { ...text, format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    sequence: {
      ...text,
      pattern: '^\\d+$',
      description:
        'The number of the event among those with the same subject, starting at 1 without gaps.',
    },
    position: {
      ...text,
      pattern: '^\\d+$',
      description: 'The number of the event in the event log, starting at 1 without gaps.',
    },
    correlationid: {
      ...text,
      description: 'The X-Request-Id of the request that caused the event.',
    },
    causationid: {
      ...text,
      description: 'The ID of the event that caused this event; omitted if a request caused it.',
    },
    actor: {
      ...text,
      description:
        'Who caused the event: a party, a person of the bank, an OAuth client, or the bank itself.',
    },
    data: {
      type: 'object',
      description: 'The data of the event. Omitted for subscriptions that request thin events.',
    },
  },
}

/** The headers of a webhook request, as defined by Standard Webhooks 1.0. */
const webhookHeaders: JsonSchema = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { ...text, description: 'The event ID, which is the same in all attempts.' },
    'webhook-timestamp': {
      ...text,
      description: 'The time of this attempt, in seconds since 1970-01-01 UTC.',
    },
    'webhook-signature': {
      ...text,
      description:
        'One signature, `v1,<base64>`, for each valid secret of the endpoint, separated by spaces.',
    },
  },
}

/** Renders the event catalog as AsyncAPI 3.0, from the declarations of the subgraphs. */
export function asyncapi(bank: Pick<Bank, 'issuer'>): JsonSchema {
  const events = [...knownEvents.values()]
  const byType = (valueOf: (event: DeclaredEvent) => unknown) =>
    Object.fromEntries(events.map((event) => [event.type, valueOf(event)]))
  const { host, protocol } = new URL(bank.issuer)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Business events of the Core Banking and Lending Platform',
      version: contractVersions.events,
      license: { name: 'MIT' },
      description:
        'Business events, emitted in the same commit as the change they report. Delivery is at least once and ' +
        'in order per subject. `position` has no gaps, so a missing event can be detected.',
    },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      webhook: {
        host: 'your-endpoint.example',
        protocol: 'https',
        description: 'Your endpoint, registered with `registerWebhookEndpoint`.',
      },
      graph: {
        host,
        pathname: '/graphql',
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        description: '`subscription { businessEvents { … } }` over graphql-transport-ws.',
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
      schemas: { CloudEvent: cloudEvent, WebhookHeaders: webhookHeaders },
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

/** Returns the area of an event type: `parties` for `parties.party.created`. */
export function areaOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
