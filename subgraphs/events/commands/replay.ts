import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { replayStep, type ReplayStep } from '../domain/delivery.ts'
import { invalid, requireActiveEndpoint } from '../domain/endpoint.ts'
import { wake } from '../delivery/wake.ts'
import { requireOperableEndpoint } from './endpoint.ts'
import {
  findReplayable,
  insertReplays,
  reviveDeliveries,
  type ReplayRequest,
} from '../store/replay.ts'

/** The maximum number of events per replay. */
export const maxReplayed = 1000

export interface Replay {
  endpointId: string
  /** The number of deliveries that the replay created or reset. */
  planned: number
  /** The position after which the next replay continues; null if no events remain. */
  nextPosition: bigint | null
}

export interface ReplayInput {
  endpointId: string
  eventIds?: readonly string[] | null
  range?: { after: bigint; upTo?: bigint | null } | null
  allFailed?: boolean | null
}

/**
 * Sends events again to an endpoint that the caller may operate. The events are selected by ID, by
 * a range of positions in the event log, or as all dead letters. Each request replays at most 1,000
 * events, and searches at most 50,000 archived events of a range. Deliveries in progress are not
 * changed.
 * Throws NOT_FOR_DELEGATED_USERS, WEBHOOK_ENDPOINT_NOT_FOUND, EVENT_NOT_FOUND, VALIDATION_FAILED,
 * EVENT_ARCHIVE_UNAVAILABLE, TIMEOUT, and STATE_CONFLICT if the endpoint is not active.
 */
export async function replayDeliveries(context: Context, input: ReplayInput): Promise<Replay> {
  requireBank(context)
  const { endpointId } = input
  const request = requireOneChoice(input)
  const replay = await command(context, 'replayWebhookDeliveries', input, async () => {
    const endpoint = await requireOperableEndpoint(context, endpointId)
    requireActiveEndpoint(endpoint)
    const found = await findReplayable(context, endpoint, request, maxReplayed + 1)
    const events = found.events.slice(0, maxReplayed)
    const foundIds = new Set(events.map(({ eventId }) => eventId))
    const missingIndex = request.eventIds?.findIndex((eventId) => !foundIds.has(eventId)) ?? -1
    if (missingIndex >= 0) {
      throw missingReference(
        'EVENT_NOT_FOUND',
        request.eventIds![missingIndex]!,
        `/eventIds/${missingIndex}`,
      )
    }
    const eventsWithStep = (...steps: ReplayStep[]) =>
      events.filter(({ status }) => steps.includes(replayStep(status)))
    const plannedEvents = eventsWithStep('plan', 'repeat')
    const deadLetters = eventsWithStep('revive')
    const nextPosition =
      found.events.length > maxReplayed ? events.at(-1)!.position : found.searchedThrough
    return {
      result: { endpointId, planned: plannedEvents.length + deadLetters.length, nextPosition },
      resourceId: endpointId,
      writes: [
        ...insertReplays(context, endpoint, plannedEvents),
        ...reviveDeliveries(context, deadLetters),
      ],
    }
  })
  wake(context.bank)
  return replay
}

/** Checks that exactly one selection of events is given. Throws VALIDATION_FAILED. */
function requireOneChoice({ eventIds, range, allFailed }: ReplayInput): ReplayRequest {
  if ([eventIds, range, allFailed || null].filter((choice) => choice != null).length !== 1) {
    const detail = 'Send exactly one of eventIds, range and allFailed.'
    throw invalid('VALIDATION_FAILED', '', detail)
  }
  if (eventIds && (eventIds.length === 0 || eventIds.length > maxReplayed)) {
    throw invalid('VALIDATION_FAILED', '/eventIds', `Send from 1 to ${maxReplayed} event IDs.`)
  }
  return {
    eventIds: eventIds ?? null,
    after: range?.after ?? 0n,
    upTo: range?.upTo ?? null,
    onlyFailed: allFailed === true,
  }
}
