import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { liveSecrets, type Endpoint } from '../domain/endpoint.ts'
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
import { listEndpoints, loadEndpoint } from '../store/endpoint.ts'
import {
  RegisterWebhookEndpointInput,
  ReplayWebhookDeliveriesInput,
  RotateWebhookSecretInput,
} from '../model/webhook-inputs.ts'
import {
  WebhookEndpoint,
  WebhookEndpointConnection,
  WebhookEndpointSecret,
  WebhookReplay,
} from '../model/webhook.ts'

@Resolver(() => WebhookEndpoint)
export class EndpointResolver {
  @Requires('events:read')
  @Query(() => WebhookEndpoint, {
    description: 'Returns one webhook endpoint of the calling client.',
  })
  async webhookEndpoint(
    @Arg('endpointId', () => ID, { description: 'The ID of the endpoint.' })
    endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    const endpoint = await loadEndpoint(context, endpointId)
    if (endpoint) return endpoint
    throw new Problem('WEBHOOK_ENDPOINT_NOT_FOUND', { resourceId: endpointId })
  }

  @Requires('events:read')
  @Query(() => WebhookEndpointConnection, {
    description: 'Returns the webhook endpoints of the calling client in order of registration.',
  })
  webhookEndpoints(
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Endpoint>> {
    requireBank(context)
    return readPage(
      context,
      'webhookEndpoints',
      {},
      { first, after },
      (from, take) => listEndpoints(context, from, take),
      ({ createdAt, endpointId }) => [createdAt.toISOString(), endpointId],
    )
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpointSecret, {
    description:
      "Registers a URL to which the events of the calling client's subscriptions are delivered. " +
      'A client can have at most 10 endpoints. The response contains the signing secret, which ' +
      'is returned only once.',
  })
  async registerWebhookEndpoint(
    @Arg('input', () => RegisterWebhookEndpointInput, { description: 'The endpoint to register.' })
    input: RegisterWebhookEndpointInput,
    @Ctx() context: Context,
  ): Promise<object> {
    return endpointWithSecret(context, await registerEndpoint(context, input))
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpointSecret, {
    description:
      'Replaces the signing secret of a webhook endpoint. The previous secret continues to ' +
      'sign messages during the overlap. The response contains the new secret, which is ' +
      'returned only once.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, {
      description: 'The endpoint and the length of the overlap.',
    })
    input: RotateWebhookSecretInput,
    @Ctx() context: Context,
  ): Promise<object> {
    const endpoint = await rotateEndpointSecret(context, input)
    return endpointWithSecret(context, { endpoint, encrypted: endpoint.secrets[0]!.encrypted })
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpoint, {
    description:
      'Enables a disabled webhook endpoint. Its pending deliveries are sent immediately.',
  })
  enableWebhookEndpoint(
    @Arg('endpointId', () => ID, { description: 'The ID of the disabled endpoint.' })
    endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    return enableEndpoint(context, endpointId)
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpoint, {
    description: 'Permanently deletes a webhook endpoint. Its pending deliveries are not sent.',
  })
  deleteWebhookEndpoint(
    @Arg('endpointId', () => ID, { description: 'The ID of the endpoint.' })
    endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    return deleteEndpoint(context, endpointId)
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpoint, {
    description:
      'Sends an event of type `events.endpoint.tested` to an active webhook endpoint, ' +
      'regardless of subscriptions.',
  })
  testWebhookEndpoint(
    @Arg('endpointId', () => ID, { description: 'The ID of the active endpoint.' })
    endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    return testEndpoint(context, endpointId)
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookReplay, {
    description:
      'Sends events to a webhook endpoint again, up to 1,000 per request. Deliveries in progress ' +
      'are not affected.',
  })
  async replayWebhookDeliveries(
    @Arg('input', () => ReplayWebhookDeliveriesInput, {
      description: 'The endpoint, and the events to replay.',
    })
    input: ReplayWebhookDeliveriesInput,
    @Ctx() context: Context,
  ): Promise<object> {
    const replay = await replayDeliveries(context, input)
    return { ...replay, endpoint: await loadEndpoint(context, replay.endpointId) }
  }

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
