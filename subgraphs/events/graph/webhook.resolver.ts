import { requireFound, requireScope } from '../../../kernel/authorization/auth.ts'
import { boolean, id, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Int, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import {
  deleteEndpoint,
  enableEndpoint,
  openSecret,
  registerEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  type WithSecret,
} from '../commands/endpoint.ts'
import { replayDeliveries } from '../commands/replay.ts'
import { liveSecrets, type Endpoint } from '../domain/endpoint.ts'
import {
  RegisterWebhookEndpointInput,
  ReplayWebhookDeliveriesInput,
  RotateWebhookSecretInput,
} from '../model/webhook-inputs.ts'
import { WebhookEndpoint, WebhookEndpointSecret, WebhookReplay } from '../model/webhook.ts'
import { listEndpoints, loadEndpoint } from '../store/endpoint.ts'

const endpointKey = { endpointId: id('The ID of the endpoint.') }

export const EndpointOperations = resolverOf({
  queries: {
    webhookEndpoint: lookup(WebhookEndpoint, {
      description:
        'Returns one webhook endpoint of the calling client; with `operations:read`, of any client.',
      scope: 'events:read',
      find: async (context, endpointId) =>
        requireFound(
          await loadEndpoint(context, endpointId),
          'WEBHOOK_ENDPOINT_NOT_FOUND',
          endpointId,
        ),
    }),
    webhookEndpoints: listing(WebhookEndpoint, {
      description: 'Returns the webhook endpoints of the calling client in order of registration.',
      scope: 'events:read',
      isForBankOnly: true,
      filters: {
        ofAllClients: boolean(
          'Whether to return the endpoints of all clients, which requires `operations:read`.',
        ).defaultsTo(false),
      },
      list(context, { ofAllClients }, after, take) {
        if (ofAllClients) requireScope(context.caller, 'operations:read')
        return listEndpoints(context, ofAllClients ? null : context.caller.clientId, after, take)
      },
      sortKey: ({ createdAt, endpointId }) => [createdAt.toISOString(), endpointId],
    }),
  },
  mutations: {
    registerWebhookEndpoint: operation({
      description:
        "Registers a URL to which the events of the calling client's subscriptions are " +
        'delivered. A client can have at most 10 endpoints. The response contains the signing ' +
        'secret, which is returned only once.',
      scope: 'events:subscribe',
      returns: WebhookEndpointSecret,
      args: { input: object(RegisterWebhookEndpointInput, 'The endpoint to register.') },
      resolve: async (context, { input }) =>
        endpointWithSecret(context, await registerEndpoint(context, input)),
    }),
    rotateWebhookSecret: operation({
      description:
        'Replaces the signing secret of a webhook endpoint. The previous secret continues to ' +
        'sign messages during the overlap. The response contains the new secret, which is ' +
        'returned only once.',
      scope: 'events:subscribe',
      returns: WebhookEndpointSecret,
      args: {
        input: object(RotateWebhookSecretInput, 'The endpoint and the length of the overlap.'),
      },
      async resolve(context, { input }) {
        const endpoint = await rotateEndpointSecret(context, input)
        return endpointWithSecret(context, { endpoint, encrypted: endpoint.secrets[0]!.encrypted })
      },
    }),
    enableWebhookEndpoint: operation({
      description:
        'Enables a disabled webhook endpoint of the calling client, or with `operations:manage` ' +
        'of any client. Its pending deliveries are sent immediately.',
      scope: 'events:subscribe',
      returns: WebhookEndpoint,
      args: endpointKey,
      resolve: (context, { endpointId }) => enableEndpoint(context, endpointId),
    }),
    deleteWebhookEndpoint: operation({
      description: 'Permanently deletes a webhook endpoint. Its pending deliveries are not sent.',
      scope: 'events:subscribe',
      returns: WebhookEndpoint,
      args: endpointKey,
      resolve: (context, { endpointId }) => deleteEndpoint(context, endpointId),
    }),
    testWebhookEndpoint: operation({
      description:
        'Sends an event of type `events.endpoint.tested` to an active webhook endpoint of the ' +
        'calling client, or with `operations:manage` of any client, regardless of subscriptions.',
      scope: 'events:subscribe',
      returns: WebhookEndpoint,
      args: endpointKey,
      resolve: (context, { endpointId }) => testEndpoint(context, endpointId),
    }),
    replayWebhookDeliveries: operation({
      description:
        'Sends events again to a webhook endpoint of the calling client, or with ' +
        '`operations:manage` of any client, up to 1,000 per request. Deliveries in progress are ' +
        'not affected.',
      scope: 'events:subscribe',
      returns: WebhookReplay,
      args: {
        input: object(ReplayWebhookDeliveriesInput, 'The endpoint, and the events to replay.'),
      },
      async resolve(context, { input }) {
        const replay = await replayDeliveries(context, input)
        return { ...replay, endpoint: await loadEndpoint(context, replay.endpointId) }
      },
    }),
  },
})

@Resolver(() => WebhookEndpoint)
export class EndpointResolver {
  @FieldResolver(() => Int, {
    description:
      'The number of secrets that currently sign messages: 1, or 2 while a rotated secret ' +
      'overlaps its successor.',
  })
  liveSecrets(@Root() { secrets }: Endpoint, @Ctx() context: Context): number {
    return liveSecrets(secrets, context.now()).length
  }
}

function endpointWithSecret(context: Context, registration: WithSecret) {
  return { endpoint: registration.endpoint, secret: openSecret(context, registration) }
}
