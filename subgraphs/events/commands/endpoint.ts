import { decryptIn, encryptIn } from '../../../kernel/environment/vault-columns.ts'
import { endpointSecrets } from '../store/vault-columns.ts'
import type { DisableReason } from '../model/enumerations.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank, requireFound } from '../../../kernel/authorization/auth.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { requireTarget } from '../delivery/address-guard.ts'
import { newSecret } from '../../../kernel/events/webhook-signature.ts'
import {
  isAbandoned,
  transitionEndpoint,
  maxEndpoints,
  newEndpoint,
  overlapHours,
  requireActiveEndpoint,
  rotateSecret,
  type Endpoint,
} from '../domain/endpoint.ts'
import { transitionSubscription } from '../domain/subscription.ts'
import { endpointEvent, subscriptionEvent, type endpointEvents } from '../events.ts'
import { countOf } from '../store/client.ts'
import {
  countOtherActive,
  findEndpoint,
  requireUnchangedHealth,
  insertEndpoint,
  updateEndpoint,
} from '../store/endpoint.ts'
import { readLogPositions } from '../store/log.ts'
import { findActiveSubscriptions, updateSubscriptions } from '../store/subscription.ts'

export interface EndpointRequest {
  endpointId?: string | null
  url: string
  description?: string | null
}

/** An endpoint and, if one was generated, its new secret. */
export interface WithSecret {
  endpoint: Endpoint
  /** The new secret, encrypted; null if no secret was generated. */
  encrypted: string | null
}

/**
 * Registers a webhook endpoint of the calling client. A repeated request with the same ID and
 * content returns the existing endpoint without its secret.
 * Throws NOT_FOR_DELEGATED_USERS, TARGET_URL_NOT_HTTPS, TARGET_URL_NOT_ALLOWED, RESOURCE_EXISTS,
 * WEBHOOK_ENDPOINT_LIMIT_REACHED.
 */
export function registerEndpoint(context: Context, request: EndpointRequest): Promise<WithSecret> {
  requireBank(context)
  const contentHash = fingerprint('registerWebhookEndpoint', request)
  const { clientId } = context.caller
  return command<WithSecret>(context, 'registerWebhookEndpoint', request, async () => {
    await requireTarget(context.bank, request.url)
    const existing = request.endpointId ? await findEndpoint(context, request.endpointId) : null
    if (existing) {
      const { endpointId: resourceId } = existing
      const isRepeated = existing.clientId === clientId && existing.contentHash === contentHash
      if (!isRepeated) throw new Problem('RESOURCE_EXISTS', { resourceId })
      return { result: { endpoint: existing, encrypted: null }, resourceId }
    }
    if ((await countOf(context, 'endpoints', clientId)) >= maxEndpoints) {
      const detail = `A client can have at most ${maxEndpoints} webhook endpoints. Delete one first.`
      throw new Problem('WEBHOOK_ENDPOINT_LIMIT_REACHED', { detail })
    }
    const endpointId = request.endpointId ?? context.newId('webhookEndpoint')
    const encrypted = encryptNewSecret(context, endpointId)
    const endpoint = newEndpoint({
      endpointId,
      clientId,
      url: request.url,
      description: request.description ?? null,
      encrypted,
      contentHash,
      end: (await readLogPositions(context)).end,
      now: context.now(),
    })
    const decision = decisionWithEvent(
      endpoint,
      insertEndpoint(endpoint),
      'events.endpoint.registered',
    )
    return { ...decision, result: { endpoint, encrypted } }
  })
}

/** Returns the decrypted secret, for the only response that contains it; null if there is none. */
export function openSecret(
  { bank }: Context,
  { endpoint, encrypted: encryptedSecret }: WithSecret,
): string | null {
  const row = { endpoint_id: endpoint.endpointId }
  return encryptedSecret && decryptIn(bank.vault, endpointSecrets, encryptedSecret, row)
}

/**
 * Generates a secret and returns it encrypted, because the stored response of the command must not
 * contain it in plain text.
 */
function encryptNewSecret({ bank }: Context, endpointId: string): string {
  return encryptIn(bank.vault, endpointSecrets, newSecret(), { endpoint_id: endpointId })
}

/**
 * Enables a disabled endpoint that the caller may operate. Throws TARGET_URL_NOT_HTTPS,
 * TARGET_URL_NOT_ALLOWED, INVALID_STATE_TRANSITION, and whatever `changeEndpoint` throws.
 */
export function enableEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  const enable = async (before: Endpoint) => {
    await requireTarget(context.bank, before.url)
    const { end } = await readLogPositions(context)
    const after = transitionEndpoint(before, 'enable', { end, now: context.now() })
    return decisionWithEvent(after, updateEndpoint(after, true), 'events.endpoint.enabled')
  }
  const input = { endpointId }
  return changeEndpoint(context, 'enableWebhookEndpoint', input, enable, requireOperableEndpoint)
}

/**
 * Deletes an endpoint. Its pending deliveries are not sent. Throws INVALID_STATE_TRANSITION, and
 * whatever `changeEndpoint` throws.
 */
export function deleteEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'deleteWebhookEndpoint', { endpointId }, async (before) => {
    const stamp = { end: before.afterPosition, now: context.now() }
    const after = transitionEndpoint(before, 'delete', stamp)
    return decisionWithEvent(after, updateEndpoint(after), 'events.endpoint.deleted')
  })
}

/** Rotates the secret of an endpoint. Throws whatever `changeEndpoint` and `rotateSecret` throw. */
export function rotateEndpointSecret(
  context: Context,
  input: { endpointId: string; overlapHours?: number | null },
): Promise<Endpoint> {
  return changeEndpoint(context, 'rotateWebhookSecret', input, async (before) => {
    const hours = input.overlapHours ?? overlapHours.fallback
    const encrypted = encryptNewSecret(context, input.endpointId)
    const after = rotateSecret(before, encrypted, hours, context.now())
    return decisionWithEvent(after, updateEndpoint(after), 'events.endpoint.secret-rotated')
  })
}

/**
 * Sends a test event to an endpoint that the caller may operate. Throws STATE_CONFLICT if the
 * endpoint is not active, and whatever `changeEndpoint` throws.
 */
export function testEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  const test = (before: Endpoint) => {
    requireActiveEndpoint(before)
    return decisionWithEvent(before, [], 'events.endpoint.tested')
  }
  const input = { endpointId }
  return changeEndpoint(context, 'testWebhookEndpoint', input, test, requireOperableEndpoint)
}

/**
 * Changes the endpoint that `requireEndpoint` returns. Throws NOT_FOR_DELEGATED_USERS,
 * WEBHOOK_ENDPOINT_NOT_FOUND, and whatever `decide` throws.
 */
function changeEndpoint(
  context: Context,
  operation: string,
  input: { endpointId: string },
  decide: (before: Endpoint) => Promise<Decision<Endpoint>> | Decision<Endpoint>,
  requireEndpoint = requireOwnEndpoint,
): Promise<Endpoint> {
  requireBank(context)
  return command(context, operation, input, async () =>
    decide(await requireEndpoint(context, input.endpointId)),
  )
}

/**
 * Returns an endpoint of the calling client. Throws WEBHOOK_ENDPOINT_NOT_FOUND if the endpoint does
 * not exist or belongs to another client.
 */
async function requireOwnEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(context, endpointId)
  if (endpoint?.clientId === context.caller.clientId) return endpoint
  throw new Problem('WEBHOOK_ENDPOINT_NOT_FOUND', { resourceId: endpointId })
}

/**
 * Returns an endpoint that the caller may operate: one of the calling client, or with
 * `operations:manage` of any client. Throws WEBHOOK_ENDPOINT_NOT_FOUND if there is none.
 */
export async function requireOperableEndpoint(
  context: Context,
  endpointId: string,
): Promise<Endpoint> {
  if (!context.caller.scopes.has('operations:manage')) {
    return requireOwnEndpoint(context, endpointId)
  }
  const endpoint = await findEndpoint(context, endpointId)
  return requireFound(endpoint, 'WEBHOOK_ENDPOINT_NOT_FOUND', endpointId)
}

function decisionWithEvent(
  endpoint: Endpoint,
  writes: Decision<Endpoint>['writes'],
  type: keyof typeof endpointEvents,
): Decision<Endpoint> {
  const events = [endpointEvent(type, endpoint)]
  return { result: endpoint, resourceId: endpoint.endpointId, writes, events }
}

/**
 * Disables an endpoint that is gone or failing, and emits an event. Does nothing if the endpoint is
 * no longer active or has recovered. If it was the client's last active endpoint, the client's
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
    // A later request to the endpoint may have succeeded in the meantime.
    if (reason === 'failing' && !isAbandoned(before.failingSince, now)) return { result: null }
    const positions = await readLogPositions(context)
    const after = transitionEndpoint(before, 'disable', { end: positions.end, now, reason })
    const isLast = (await countOtherActive(context, before)) === 0
    const subscriptions = isLast ? await findActiveSubscriptions(context, before.clientId) : []
    const disabledSubscriptions = subscriptions.map((each) =>
      transitionSubscription(each, 'disable', positions, now),
    )
    return {
      result: null,
      writes: [
        requireUnchangedHealth(before),
        ...updateEndpoint(after),
        ...updateSubscriptions(disabledSubscriptions),
      ],
      events: [
        endpointEvent('events.endpoint.disabled', after),
        ...disabledSubscriptions.map((each) =>
          subscriptionEvent('events.subscription.disabled', each),
        ),
      ],
    }
  })
}
