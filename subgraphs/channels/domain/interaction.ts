import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Channel } from './channel.ts'
import { invalid, liveMedia, type Medium } from './medium.ts'
import { isOpen, opensAt } from './opening-hours.ts'
import type { Decision, Direction, Work } from './routing.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const interactionStatuses = ['waiting', 'assigned', 'completed', 'abandoned'] as const
export type InteractionStatus = (typeof interactionStatuses)[number]

export const interactionMoves: Transitions<InteractionStatus> = {
  waiting: ['assigned', 'abandoned'],
  assigned: ['waiting', 'completed'],
  completed: [],
  abandoned: [],
}

/** One contact between the bank and a party, or one task for an agent. */
export interface Interaction extends Versioned {
  interactionId: string
  partyId: string | null
  caseId: string | null
  channel: Medium
  /** The registered channel it came through. */
  channelId: string | null
  direction: Direction
  subject: string
  /** What was discussed; visible to the bank only. */
  notes: string | null
  language: string | null
  segment: string | null
  skills: readonly string[]
  routingProfileId: string | null
  queueId: string | null
  agentId: string | null
  status: InteractionStatus
  /** The latest routing decision; null if it was never routed. */
  decision: Decision | null
  waitingSince: Date | null
  startedAt: Date
  endedAt: Date | null
}

export interface NewInteraction {
  partyId?: string | null
  caseId?: string | null
  channel: Medium
  channelId?: string | null
  direction?: Direction | null
  subject: string
  language?: string | null
  segment?: string | null
  skills?: readonly string[] | null
  routingProfileId?: string | null
}

export interface PastInteraction extends NewInteraction {
  agentId?: string | null
  notes?: string | null
  startedAt?: Date | null
  endedAt?: Date | null
}

type Head = Versioned & { interactionId: string }

function common(asked: NewInteraction, made: Head) {
  return {
    ...made,
    partyId: asked.partyId ?? null,
    caseId: asked.caseId ?? null,
    channel: asked.channel,
    channelId: asked.channelId ?? null,
    direction: asked.direction ?? ('inbound' as const),
    subject: asked.subject,
    language: asked.language ?? null,
    segment: asked.segment ?? null,
    skills: [...new Set(asked.skills)],
    routingProfileId: asked.routingProfileId ?? null,
  }
}

/**
 * Creates the record of a contact that is over. Throws INVALID_DATE_RANGE if it ends before it
 * starts, and VALIDATION_FAILED if it ends in the future.
 */
export function pastInteraction(asked: PastInteraction, made: Head): Interaction {
  const endedAt = asked.endedAt ?? made.createdAt
  const startedAt = asked.startedAt ?? endedAt
  if (endedAt > made.createdAt)
    throw invalid('/endedAt', 'IN_FUTURE', '`endedAt` must not be in the future.')
  if (startedAt > endedAt) {
    const detail = '`endedAt` must not be before `startedAt`.'
    const code = 'INVALID_DATE_RANGE'
    throw new Problem(code, { detail, errors: [{ pointer: '/endedAt', code, detail }] })
  }
  return {
    ...common(asked, made),
    notes: asked.notes ?? null,
    queueId: null,
    agentId: asked.agentId ?? null,
    status: 'completed',
    decision: null,
    waitingSince: null,
    startedAt,
    endedAt,
  }
}

/** Creates a waiting interaction that has not been routed yet. */
export function newInteraction(asked: NewInteraction, made: Head): Interaction {
  return {
    ...common(asked, made),
    notes: null,
    queueId: null,
    agentId: null,
    status: 'waiting',
    decision: null,
    waitingSince: made.createdAt,
    startedAt: made.createdAt,
    endedAt: null,
  }
}

/** The part of an interaction that routing decides on. */
export function workOf(interaction: Interaction): Work {
  const { channel, direction, partyId, routingProfileId, language, segment, skills } = interaction
  const waitingSince = interaction.waitingSince ?? interaction.startedAt
  return { channel, direction, partyId, routingProfileId, language, segment, skills, waitingSince }
}

/**
 * Applies a routing decision: assigns the agent, or keeps the interaction waiting in the queue.
 * Throws INVALID_STATE_TRANSITION.
 */
export function applyDecision(interaction: Interaction, decision: Decision): Interaction {
  const { queueId, agentId } = decision
  const placed = { ...interaction, queueId, decision }
  if (agentId === null) return placed
  requireMove(interactionMoves, interaction.status, 'assigned', interaction.interactionId)
  return { ...placed, agentId, status: 'assigned', waitingSince: null }
}

/**
 * Returns an interaction to its queue; its waiting time starts again. Throws
 * INVALID_STATE_TRANSITION.
 */
export function requeue(interaction: Interaction, now: Date): Interaction {
  requireMove(interactionMoves, interaction.status, 'waiting', interaction.interactionId)
  return { ...interaction, status: 'waiting', agentId: null, waitingSince: now }
}

/** Completes an interaction. Throws INVALID_STATE_TRANSITION. */
export function complete(interaction: Interaction, notes: string | null, now: Date): Interaction {
  requireMove(interactionMoves, interaction.status, 'completed', interaction.interactionId)
  return { ...interaction, status: 'completed', notes, endedAt: now }
}

/** Ends an interaction that no longer needs an agent. Throws INVALID_STATE_TRANSITION. */
export function abandon(interaction: Interaction, now: Date): Interaction {
  requireMove(interactionMoves, interaction.status, 'abandoned', interaction.interactionId)
  return { ...interaction, status: 'abandoned', waitingSince: null, endedAt: now }
}

/**
 * Checks that a contact can be accepted over a channel now. Live contacts (voice, chat) need an
 * open channel; other work only needs an active one, because it can wait.
 * Throws CHANNEL_CLOSED, with the next opening time, and VALIDATION_FAILED if the medium is not the
 * channel's.
 */
export function requireReachable(channel: Channel, medium: Medium, now: Date): void {
  if (channel.medium !== medium) {
    const detail = `The medium of ${channel.channelId} is ${channel.medium}, not ${medium}.`
    throw invalid('/channel', 'MEDIUM_MISMATCH', detail)
  }
  const isReachable = channel.status === 'active' && isOpen(channel.hours, now)
  if (isReachable || (channel.status === 'active' && !liveMedia.includes(medium))) return
  const opens = channel.status === 'active' ? opensAt(channel.hours, now) : null
  const detail = opens
    ? `The channel ${channel.channelId} is closed until ${opens.toISOString()}.`
    : `The channel ${channel.channelId} is closed.`
  throw new Problem('CHANNEL_CLOSED', {
    detail,
    resourceId: channel.channelId,
    ...(opens && { opensAt: opens.toISOString() }),
    errors: [{ pointer: '/channelId', code: 'CHANNEL_CLOSED', detail }],
  })
}
