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

/** One contact between the bank and somebody, or one task. */
export interface Interaction extends Versioned {
  interactionId: string
  partyId: string | null
  caseId: string | null
  channel: Medium
  /** The registered channel it came over. */
  channelId: string | null
  direction: Direction
  subject: string
  /** What was said, for the bank's own eyes. */
  notes: string | null
  language: string | null
  segment: string | null
  skills: readonly string[]
  routingProfileId: string | null
  queueId: string | null
  agentId: string | null
  status: InteractionStatus
  /** Why it is where it is; null when nobody routed it. */
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
 * Records what is over. Refuses with INVALID_DATE_RANGE what ended before it began, and with
 * VALIDATION_FAILED what ends in the future.
 */
export function pastInteraction(asked: PastInteraction, made: Head): Interaction {
  const endedAt = asked.endedAt ?? made.createdAt
  const startedAt = asked.startedAt ?? endedAt
  if (endedAt > made.createdAt) throw invalid('/endedAt', 'IN_FUTURE', 'It is over by now.')
  if (startedAt > endedAt) {
    const detail = 'It ended before it began.'
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

/** What has just come in, before it is routed. */
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

/** What routing has to know of it. */
export function workOf(interaction: Interaction): Work {
  const { channel, direction, partyId, routingProfileId, language, segment, skills } = interaction
  const waitingSince = interaction.waitingSince ?? interaction.startedAt
  return { channel, direction, partyId, routingProfileId, language, segment, skills, waitingSince }
}

/** Puts it where routing decided: with somebody, or into a queue. Refuses with INVALID_STATE_TRANSITION. */
export function applyDecision(interaction: Interaction, decision: Decision): Interaction {
  const { queueId, agentId } = decision
  const placed = { ...interaction, queueId, decision }
  if (agentId === null) return placed
  requireMove(interactionMoves, interaction.status, 'assigned', interaction.interactionId)
  return { ...placed, agentId, status: 'assigned', waitingSince: null }
}

/** Gives it back, to wait again from now on. Refuses with INVALID_STATE_TRANSITION. */
export function requeue(interaction: Interaction, now: Date): Interaction {
  requireMove(interactionMoves, interaction.status, 'waiting', interaction.interactionId)
  return { ...interaction, status: 'waiting', agentId: null, waitingSince: now }
}

/** Records that it is done, and what was said. Refuses with INVALID_STATE_TRANSITION. */
export function complete(interaction: Interaction, notes: string | null, now: Date): Interaction {
  requireMove(interactionMoves, interaction.status, 'completed', interaction.interactionId)
  return { ...interaction, status: 'completed', notes, endedAt: now }
}

/** Records that nobody waits any more. Refuses with INVALID_STATE_TRANSITION. */
export function abandon(interaction: Interaction, now: Date): Interaction {
  requireMove(interactionMoves, interaction.status, 'abandoned', interaction.interactionId)
  return { ...interaction, status: 'abandoned', waitingSince: null, endedAt: now }
}

/**
 * Promises that a contact may come in over a channel now. Mail and tasks wait; who is on the line
 * does not. Refuses with CHANNEL_CLOSED, saying when it opens, and with VALIDATION_FAILED a medium
 * that is not the channel's.
 */
export function requireReachable(channel: Channel, medium: Medium, now: Date): void {
  if (channel.medium !== medium) {
    throw invalid('/channel', 'MEDIUM_MISMATCH', `${channel.channelId} is ${channel.medium}.`)
  }
  const isReachable = channel.status === 'active' && isOpen(channel.hours, now)
  if (isReachable || (channel.status === 'active' && !liveMedia.includes(medium))) return
  const opens = channel.status === 'active' ? opensAt(channel.hours, now) : null
  const detail = opens
    ? `${channel.channelId} opens at ${opens.toISOString()}.`
    : `${channel.channelId} is closed.`
  throw new Problem('CHANNEL_CLOSED', {
    detail,
    resourceId: channel.channelId,
    ...(opens && { opensAt: opens.toISOString() }),
    errors: [{ pointer: '/channelId', code: 'CHANNEL_CLOSED', detail }],
  })
}
