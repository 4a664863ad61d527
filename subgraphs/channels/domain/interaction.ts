import type { Decision } from '../model/routing-decision.ts'
import { interactionStates, type Interaction, type NewInteraction } from '../model/interaction.ts'
import type { Medium } from '../model/enumerations.ts'
import { assertTransition } from '../../../kernel/domain/states.ts'
import { Problem } from './problems.ts'
import type { Channel } from '../model/setup.ts'
import { invalid, liveMedia } from './medium.ts'
import { isOpen, opensAt } from './opening-hours.ts'
import type { Work } from './routing.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

export interface PastInteraction extends NewInteraction {
  agentId?: string | null
  notes?: string | null
  startedAt?: Date | null
  endedAt?: Date | null
}

type InteractionStamp = Versioned & { interactionId: string }

function commonFields(request: NewInteraction, stamp: InteractionStamp) {
  return {
    ...stamp,
    partyId: request.partyId ?? null,
    caseId: request.caseId ?? null,
    channel: request.channel,
    channelId: request.channelId ?? null,
    direction: request.direction ?? ('inbound' as const),
    subject: request.subject,
    language: request.language ?? null,
    segment: request.segment ?? null,
    skills: [...new Set(request.skills)],
    routingProfileId: request.routingProfileId ?? null,
  }
}

/**
 * Creates the record of a past contact. Throws INVALID_DATE_RANGE if the contact ended before it
 * started, and VALIDATION_FAILED if its end is in the future.
 */
export function pastInteraction(request: PastInteraction, stamp: InteractionStamp): Interaction {
  const endedAt = request.endedAt ?? stamp.createdAt
  const startedAt = request.startedAt ?? endedAt
  if (endedAt > stamp.createdAt)
    throw invalid('/endedAt', 'IN_FUTURE', '`endedAt` must not be in the future.')
  if (startedAt > endedAt) {
    const detail = '`endedAt` must not be before `startedAt`.'
    const code = 'INVALID_DATE_RANGE'
    throw new Problem(code, { detail, errors: [{ pointer: '/endedAt', code, detail }] })
  }
  return {
    ...commonFields(request, stamp),
    notes: request.notes ?? null,
    queueId: null,
    agentId: request.agentId ?? null,
    status: 'completed',
    decision: null,
    waitingSince: null,
    startedAt,
    endedAt,
  }
}

/** Creates a waiting interaction that has not been routed yet. */
export function newInteraction(request: NewInteraction, stamp: InteractionStamp): Interaction {
  return {
    ...commonFields(request, stamp),
    notes: null,
    queueId: null,
    agentId: null,
    status: 'waiting',
    decision: null,
    waitingSince: stamp.createdAt,
    startedAt: stamp.createdAt,
    endedAt: null,
  }
}

/** Returns the properties of an interaction that routing decides on. */
export function workOf(interaction: Interaction): Work {
  const { channel, direction, partyId, routingProfileId, language, segment, skills } = interaction
  const waitingSince = interaction.waitingSince ?? interaction.startedAt
  return { channel, direction, partyId, routingProfileId, language, segment, skills, waitingSince }
}

/**
 * Applies a routing decision: assigns the agent, or lets the interaction wait in the queue. Throws
 * INVALID_STATE_TRANSITION if the decision names an agent and the interaction is not waiting.
 */
export function applyDecision(interaction: Interaction, decision: Decision): Interaction {
  const { queueId, agentId } = decision
  const queuedInteraction = { ...interaction, queueId, decision }
  if (agentId === null) return queuedInteraction
  const { status, interactionId } = interaction
  assertTransition(interactionStates.table, status, 'assigned', interactionId)
  return { ...queuedInteraction, agentId, status: 'assigned', waitingSince: null }
}

/**
 * Checks that a channel accepts a contact now. A live contact (voice, chat) requires an open
 * channel. Any other contact requires only an active channel, because it can wait.
 * Throws CHANNEL_CLOSED, with the next opening time if there is one within two weeks, and
 * VALIDATION_FAILED if the channel has another medium.
 */
export function requireReachable(channel: Channel, medium: Medium, now: Date): void {
  if (channel.medium !== medium) {
    const detail = `The medium of ${channel.channelId} is ${channel.medium}, not ${medium}.`
    throw invalid('/channel', 'MEDIUM_MISMATCH', detail)
  }
  const isReachable = channel.status === 'active' && isOpen(channel.hours, now)
  if (isReachable || (channel.status === 'active' && !liveMedia.includes(medium))) return
  const nextOpening = channel.status === 'active' ? opensAt(channel.hours, now) : null
  const detail = nextOpening
    ? `The channel ${channel.channelId} is closed until ${nextOpening.toISOString()}.`
    : `The channel ${channel.channelId} is closed.`
  throw new Problem('CHANNEL_CLOSED', {
    detail,
    resourceId: channel.channelId,
    ...(nextOpening && { opensAt: nextOpening.toISOString() }),
    errors: [{ pointer: '/channelId', code: 'CHANNEL_CLOSED', detail }],
  })
}
