import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { requireTarget } from './delivery/address-guard.ts'
import { newSecret } from '../_kernel/webhook-signature.ts'
import {
  isGivenUp,
  moveEndpoint,
  mostEndpoints,
  newEndpoint,
  overlapHours,
  requireCalled,
  rotateSecret,
  type DisableReason,
  type Endpoint,
} from './domain/endpoint.ts'
import { moveSubscription } from './domain/subscription.ts'
import { tellEndpoint, tellSubscription, type endpointEvents } from './events.ts'
import { countOf } from './store/client.ts'
import {
  countOtherActive,
  findEndpoint,
  holdHealth,
  insertEndpoint,
  updateEndpoint,
} from './store/endpoint.ts'
import { readPlaces } from './store/log.ts'
import { findActiveSubscriptions, updateSubscriptions } from './store/subscription.ts'

export interface EndpointAsked {
  endpointId?: string | null
  url: string
  description?: string | null
}

/** An endpoint with its new, encrypted secret; null when no secret was generated. */
export interface WithSecret {
  endpoint: Endpoint
  sealed: string | null
}

/**
 * Registers a webhook endpoint of the calling client. Repeating the same id and content returns the
 * existing endpoint, without its secret.
 * Rejects with NOT_FOR_DELEGATED_USERS, TARGET_URL_NOT_HTTPS, TARGET_URL_NOT_ALLOWED,
 * RESOURCE_EXISTS and WEBHOOK_ENDPOINT_LIMIT_REACHED.
 */
export function registerEndpoint(context: Context, asked: EndpointAsked): Promise<WithSecret> {
  requireBank(context)
  const contentHash = fingerprint('registerWebhookEndpoint', asked)
  const { clientId } = context.caller
  return command<WithSecret>(context, 'registerWebhookEndpoint', asked, async () => {
    await requireTarget(context.bank, asked.url)
    const existing = asked.endpointId ? await findEndpoint(context, asked.endpointId) : null
    if (existing) {
      const { endpointId: resourceId } = existing
      const isSame = existing.clientId === clientId && existing.contentHash === contentHash
      if (!isSame) throw new Problem('RESOURCE_EXISTS', { resourceId })
      return { result: { endpoint: existing, sealed: null }, resourceId }
    }
    if ((await countOf(context, 'endpoints', clientId)) >= mostEndpoints) {
      const detail = `A client can have at most ${mostEndpoints} webhook endpoints. Delete one first.`
      throw new Problem('WEBHOOK_ENDPOINT_LIMIT_REACHED', { detail })
    }
    const endpointId = asked.endpointId ?? context.newId('webhookEndpoint')
    const sealed = sealNewSecret(context, endpointId)
    const endpoint = newEndpoint({
      endpointId,
      clientId,
      url: asked.url,
      description: asked.description ?? null,
      sealed,
      contentHash,
      end: (await readPlaces(context)).end,
      now: context.now(),
    })
    const decided = told(endpoint, insertEndpoint(endpoint), 'events.endpoint.registered')
    return { ...decided, result: { endpoint, sealed } }
  })
}

/** Decrypts the secret for the one response that contains it. */
export function openSecret({ bank }: Context, { endpoint, sealed }: WithSecret): string | null {
  return sealed && bank.vault.open(sealed, placeOf(endpoint.endpointId))
}

/** Encrypts a new secret, because the stored response must not contain it in plain text. */
function sealNewSecret({ bank }: Context, endpointId: string): string {
  return bank.vault.seal(newSecret(), placeOf(endpointId))
}

const placeOf = (endpointId: string) => `webhook-endpoint/${endpointId}`

/** Enables a disabled endpoint of the calling client. Rejects as `changeEndpoint` does. */
export function enableEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'enableWebhookEndpoint', { endpointId }, async (before) => {
    await requireTarget(context.bank, before.url)
    const { end } = await readPlaces(context)
    const after = moveEndpoint(before, 'enable', { end, now: context.now() })
    return told(after, updateEndpoint(after, true), 'events.endpoint.enabled')
  })
}

/** Deletes an endpoint; its pending deliveries are not sent. Rejects as `changeEndpoint` does. */
export function deleteEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'deleteWebhookEndpoint', { endpointId }, async (before) => {
    const at = { end: before.afterPosition, now: context.now() }
    const after = moveEndpoint(before, 'delete', at)
    return told(after, updateEndpoint(after), 'events.endpoint.deleted')
  })
}

/** Rotates the secret of an endpoint. Rejects as `changeEndpoint` and `rotateSecret` do. */
export function rotateEndpointSecret(
  context: Context,
  input: { endpointId: string; overlapHours?: number | null },
): Promise<Endpoint> {
  return changeEndpoint(context, 'rotateWebhookSecret', input, async (before) => {
    const hours = input.overlapHours ?? overlapHours.fallback
    const sealed = sealNewSecret(context, input.endpointId)
    const after = rotateSecret(before, sealed, hours, context.now())
    return told(after, updateEndpoint(after), 'events.endpoint.secret-rotated')
  })
}

/** Sends a test event to an endpoint. Rejects as `changeEndpoint` does, and with STATE_CONFLICT. */
export function testEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'testWebhookEndpoint', { endpointId }, async (before) => {
    requireCalled(before)
    return told(before, [], 'events.endpoint.tested')
  })
}

/**
 * Changes an endpoint of the calling client.
 * Rejects with NOT_FOR_DELEGATED_USERS, WEBHOOK_ENDPOINT_NOT_FOUND, INVALID_STATE_TRANSITION and
 * as `decide` does.
 */
function changeEndpoint(
  context: Context,
  operation: string,
  input: { endpointId: string },
  decide: (before: Endpoint) => Promise<Decision<Endpoint>>,
): Promise<Endpoint> {
  requireBank(context)
  return command(context, operation, input, async () =>
    decide(await findOwnEndpoint(context, input.endpointId)),
  )
}

/**
 * An endpoint of the calling client. Rejects with WEBHOOK_ENDPOINT_NOT_FOUND, also for those of
 * other clients.
 */
export async function findOwnEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(context, endpointId)
  if (endpoint?.clientId === context.caller.clientId) return endpoint
  throw new Problem('WEBHOOK_ENDPOINT_NOT_FOUND', { resourceId: endpointId })
}

function told(
  endpoint: Endpoint,
  writes: Decision<Endpoint>['writes'],
  type: keyof typeof endpointEvents,
): Decision<Endpoint> {
  const events = [tellEndpoint(type, endpoint)]
  return { result: endpoint, resourceId: endpoint.endpointId, writes, events }
}

/**
 * Disables a failing endpoint and emits the event. With the last active endpoint of a client, its
 * active subscriptions are disabled too, because nothing would receive their events.
 */
export async function disableEndpoint(
  context: Context,
  { endpointId, url }: Pick<Endpoint, 'endpointId' | 'url'>,
  reason: DisableReason,
): Promise<void> {
  await command(context, 'events.disable-endpoint', { endpointId, reason }, async () => {
    const before = await findEndpoint(context, endpointId)
    const now = context.now()
    if (before?.status !== 'active' || before.url !== url) return { result: null }
    // Another request may have succeeded since the one that failed.
    if (reason === 'failing' && !isGivenUp(before.failingSince, now)) return { result: null }
    const places = await readPlaces(context)
    const after = moveEndpoint(before, 'disable', { end: places.end, now, reason })
    const isLast = (await countOtherActive(context, before)) === 0
    const heard = isLast ? await findActiveSubscriptions(context, before.clientId) : []
    const unheard = heard.map((each) => moveSubscription(each, 'disable', places, now))
    return {
      result: null,
      writes: [holdHealth(before), ...updateEndpoint(after), ...updateSubscriptions(unheard)],
      events: [
        tellEndpoint('events.endpoint.disabled', after),
        ...unheard.map((each) => tellSubscription('events.subscription.disabled', each)),
      ],
    }
  })
}
