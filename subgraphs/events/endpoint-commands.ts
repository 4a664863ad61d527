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

/** An endpoint with the secret that was made for it; null where it was not made just now. */
export interface WithSecret {
  endpoint: Endpoint
  sealed: string | null
}

/**
 * Registers an address of the calling client. The same id with the same content answers the
 * endpoint that is there, without its secret.
 * Refuses with NOT_FOR_DELEGATED_USERS, TARGET_URL_NOT_HTTPS, TARGET_URL_NOT_ALLOWED,
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
      const detail = `A client has at most ${mostEndpoints}; delete one that is not needed.`
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

/** The secret itself, for the one answer that shows it. */
export function openSecret({ bank }: Context, { endpoint, sealed }: WithSecret): string | null {
  return sealed && bank.vault.open(sealed, placeOf(endpoint.endpointId))
}

/** The plain secret never leaves this process but in the one answer, also when that is remembered. */
function sealNewSecret({ bank }: Context, endpointId: string): string {
  return bank.vault.seal(newSecret(), placeOf(endpointId))
}

const placeOf = (endpointId: string) => `webhook-endpoint/${endpointId}`

/** Has an endpoint of the calling client called again. Refuses as `changeEndpoint` does. */
export function enableEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'enableWebhookEndpoint', { endpointId }, async (before) => {
    await requireTarget(context.bank, before.url)
    const { end } = await readPlaces(context)
    const after = moveEndpoint(before, 'enable', { end, now: context.now() })
    return told(after, updateEndpoint(after, true), 'events.endpoint.enabled')
  })
}

/** Forgets an endpoint; what waits for it is not sent. Refuses as `changeEndpoint` does. */
export function deleteEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'deleteWebhookEndpoint', { endpointId }, async (before) => {
    const at = { end: before.afterPosition, now: context.now() }
    const after = moveEndpoint(before, 'delete', at)
    return told(after, updateEndpoint(after), 'events.endpoint.deleted')
  })
}

/** Gives an endpoint a new secret. Refuses as `changeEndpoint` and `rotateSecret` do. */
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

/** Has an event sent to an endpoint to try it. Refuses as `changeEndpoint` does, and with STATE_CONFLICT. */
export function testEndpoint(context: Context, endpointId: string): Promise<Endpoint> {
  return changeEndpoint(context, 'testWebhookEndpoint', { endpointId }, async (before) => {
    requireCalled(before)
    return told(before, [], 'events.endpoint.tested')
  })
}

/**
 * Does something to an endpoint of the calling client.
 * Refuses with NOT_FOR_DELEGATED_USERS, WEBHOOK_ENDPOINT_NOT_FOUND, INVALID_STATE_TRANSITION and
 * whatever `decide` refuses with.
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

/** Refuses with WEBHOOK_ENDPOINT_NOT_FOUND what is not there, and what is another client's. */
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
 * The bank gives up an endpoint, and tells it. With the last one that was called go the client's
 * active subscriptions: nobody would receive them.
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
    // It may have answered another request since the one that failed.
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
