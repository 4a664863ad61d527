import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { liveSecrets, type Endpoint } from '../domain/endpoint.ts'
import {
  deleteEndpoint,
  enableEndpoint,
  openSecret,
  registerEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  type WithSecret,
} from '../endpoint-commands.ts'
import { replayDeliveries } from '../replay.ts'
import { listEndpoints, loadEndpoint } from '../store/endpoint.ts'
import {
  RegisterWebhookEndpointInput,
  ReplayWebhookDeliveriesInput,
  RotateWebhookSecretInput,
  WebhookEndpoint,
  WebhookEndpointConnection,
  WebhookEndpointSecret,
  WebhookReplay,
} from './webhook.types.ts'

@Resolver(() => WebhookEndpoint)
export class EndpointResolver {
  @Requires('events:read')
  @Query(() => WebhookEndpoint, { description: 'One webhook endpoint of the calling client.' })
  async webhookEndpoint(
    @Arg('endpointId', () => ID) endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    const endpoint = await loadEndpoint(context, endpointId)
    if (endpoint) return endpoint
    throw new Problem('WEBHOOK_ENDPOINT_NOT_FOUND', { resourceId: endpointId })
  }

  @Requires('events:read')
  @Query(() => WebhookEndpointConnection, {
    description: 'The webhook endpoints of the calling client in the order they were registered.',
  })
  webhookEndpoints(
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
    description: 'Registers an address that the calling client’s subscriptions are delivered to.',
  })
  async registerWebhookEndpoint(
    @Arg('input', () => RegisterWebhookEndpointInput) input: RegisterWebhookEndpointInput,
    @Ctx() context: Context,
  ): Promise<object> {
    return shown(context, await registerEndpoint(context, input))
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpointSecret, {
    description: 'Gives an endpoint a new secret; the former one signs beside it for a while.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput) input: RotateWebhookSecretInput,
    @Ctx() context: Context,
  ): Promise<object> {
    const endpoint = await rotateEndpointSecret(context, input)
    return shown(context, { endpoint, sealed: endpoint.secrets[0]!.sealed })
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpoint, {
    description: 'Calls a disabled endpoint again; what waited for it goes out at once.',
  })
  enableWebhookEndpoint(
    @Arg('endpointId', () => ID) endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    return enableEndpoint(context, endpointId)
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpoint, {
    description: 'Forgets an endpoint; what waits for it is not sent.',
  })
  deleteWebhookEndpoint(
    @Arg('endpointId', () => ID) endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    return deleteEndpoint(context, endpointId)
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookEndpoint, {
    description: 'Sends `events.endpoint.tested` to an endpoint, whatever is subscribed to.',
  })
  testWebhookEndpoint(
    @Arg('endpointId', () => ID) endpointId: string,
    @Ctx() context: Context,
  ): Promise<Endpoint> {
    return testEndpoint(context, endpointId)
  }

  @Requires('events:subscribe')
  @Mutation(() => WebhookReplay, {
    description: 'Sends events to an endpoint again, 1,000 at a time.',
  })
  async replayWebhookDeliveries(
    @Arg('input', () => ReplayWebhookDeliveriesInput) input: ReplayWebhookDeliveriesInput,
    @Ctx() context: Context,
  ): Promise<object> {
    const replay = await replayDeliveries(context, input)
    return { ...replay, endpoint: await loadEndpoint(context, replay.endpointId) }
  }

  @FieldResolver(() => Int)
  liveSecrets(@Root() { secrets }: Endpoint, @Ctx() context: Context): number {
    return liveSecrets(secrets, context.now()).length
  }
}

function shown(context: Context, made: WithSecret) {
  return { endpoint: made.endpoint, secret: openSecret(context, made) }
}
