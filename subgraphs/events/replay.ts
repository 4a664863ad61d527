import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { replayStep, type ReplayStep } from './domain/delivery.ts'
import { invalid, requireCalled } from './domain/endpoint.ts'
import { wake } from './delivery/wake.ts'
import { findOwnEndpoint } from './endpoint-commands.ts'
import {
  findReplayable,
  insertReplays,
  reviveDeliveries,
  type ReplayAsked,
} from './store/replay.ts'

/** The maximum number of events per replay. */
export const mostReplayed = 1000

export interface Replay {
  endpointId: string
  /** The number of deliveries planned, for the first time or again. */
  planned: number
  /** The position from which the next replay continues; null when no events remain. */
  nextPosition: bigint | null
}

export interface ReplayInput {
  endpointId: string
  eventIds?: readonly string[] | null
  range?: { after: bigint; upTo?: bigint | null } | null
  allFailed?: boolean | null
}

/**
 * Sends events to an endpoint of the calling client again: by id, by a range of the log, or all
 * dead letters, up to 1,000 at a time. Deliveries in progress are left alone.
 * Rejects with NOT_FOR_DELEGATED_USERS, WEBHOOK_ENDPOINT_NOT_FOUND, STATE_CONFLICT,
 * VALIDATION_FAILED and EVENT_NOT_FOUND.
 */
export async function replayDeliveries(context: Context, input: ReplayInput): Promise<Replay> {
  requireBank(context)
  const { endpointId } = input
  const asked = requireOneChoice(input)
  const replay = await command(context, 'replayWebhookDeliveries', input, async () => {
    const endpoint = await findOwnEndpoint(context, endpointId)
    requireCalled(endpoint)
    const found = await findReplayable(context, endpoint, asked, mostReplayed + 1)
    const events = found.slice(0, mostReplayed)
    const known = new Set(events.map(({ eventId }) => eventId))
    const missing = asked.eventIds?.findIndex((eventId) => !known.has(eventId)) ?? -1
    if (missing >= 0) {
      throw missingReference('EVENT_NOT_FOUND', asked.eventIds![missing]!, `/eventIds/${missing}`)
    }
    const to = (...steps: ReplayStep[]) =>
      events.filter(({ status }) => steps.includes(replayStep(status)))
    const [planned, revived] = [to('plan', 'repeat'), to('revive')]
    const nextPosition = found.length > mostReplayed ? events.at(-1)!.position : null
    return {
      result: { endpointId, planned: planned.length + revived.length, nextPosition },
      resourceId: endpointId,
      writes: [...insertReplays(context, endpoint, planned), ...reviveDeliveries(context, revived)],
    }
  })
  wake(context.bank)
  return replay
}

/** Checks that exactly one selection of events is given. Rejects with VALIDATION_FAILED. */
function requireOneChoice({ eventIds, range, allFailed }: ReplayInput): ReplayAsked {
  if ([eventIds, range, allFailed || null].filter((choice) => choice != null).length !== 1) {
    const detail = 'Give exactly one of eventIds, range and allFailed.'
    throw invalid('VALIDATION_FAILED', '', detail)
  }
  if (eventIds && (eventIds.length === 0 || eventIds.length > mostReplayed)) {
    throw invalid(
      'VALIDATION_FAILED',
      '/eventIds',
      `Give from 1 to ${mostReplayed} event identifiers.`,
    )
  }
  return {
    eventIds: eventIds ?? null,
    after: range?.after ?? 0n,
    upTo: range?.upTo ?? null,
    onlyFailed: allFailed === true,
  }
}
