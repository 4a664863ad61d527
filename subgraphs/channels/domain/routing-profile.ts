import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { invalid, type Medium } from './medium.ts'
import { requireHours, type OpeningHours } from './opening-hours.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const profileStatuses = ['draft', 'active', 'inactive', 'archived'] as const
export type ProfileStatus = (typeof profileStatuses)[number]

export const profileMoves: Transitions<ProfileStatus> = {
  draft: ['active'],
  active: ['inactive'],
  inactive: ['active', 'archived'],
  archived: [],
}

export const profileKinds = ['contact-center', 'relationship-manager'] as const
export type ProfileKind = (typeof profileKinds)[number]

export const crossChannelBehaviors = ['route-current-channel-only', 'route-any-channel'] as const
/** Whether somebody with work of one medium in hand is given work of another. */
export type CrossChannelBehavior = (typeof crossChannelBehaviors)[number]

export const availabilityTimers = ['time-since-last-activity', 'time-since-last-inbound'] as const
/** Who has waited longest: since they last did anything, or since something last came in for them. */
export type AvailabilityTimer = (typeof availabilityTimers)[number]

/** A queue that a profile answers over one medium; 1 is answered first, and nothing before its delay. */
export interface QueueEntry {
  queueId: string
  channel: Medium
  priority: number
  delaySeconds: number
}

export interface MediaConcurrency {
  channel: Medium
  concurrency: number
  crossChannelBehavior: CrossChannelBehavior
}

/** Which queues a group of people answers, in which order, and how much at once: Amazon Connect's object. */
export interface RoutingProfile extends Versioned {
  routingProfileId: string
  name: string
  kind: ProfileKind
  status: ProfileStatus
  queues: readonly QueueEntry[]
  mediaConcurrencies: readonly MediaConcurrency[]
  defaultOutboundQueueId: string | null
  agentAvailabilityTimer: AvailabilityTimer
  /** What everybody with this profile can do and speaks, beside what is their own. */
  skills: readonly string[]
  languages: readonly string[]
  /** Whom it is for; empty: for everybody. */
  segments: readonly string[]
  relationshipManagerIds: readonly string[]
  /** Who answers when nobody with this profile can. */
  fallbackProfileId: string | null
  /** null: always. */
  hours: OpeningHours | null
}

export interface NewQueueEntry extends Pick<QueueEntry, 'queueId' | 'channel'> {
  priority?: number | null
  delaySeconds?: number | null
}

export interface NewMediaConcurrency extends Pick<MediaConcurrency, 'channel' | 'concurrency'> {
  crossChannelBehavior?: CrossChannelBehavior | null
}

export interface ProfileContent {
  name: string
  kind?: ProfileKind | null
  queues?: readonly NewQueueEntry[] | null
  mediaConcurrencies?: readonly NewMediaConcurrency[] | null
  defaultOutboundQueueId?: string | null
  agentAvailabilityTimer?: AvailabilityTimer | null
  skills?: readonly string[] | null
  languages?: readonly string[] | null
  segments?: readonly string[] | null
  relationshipManagerIds?: readonly string[] | null
  fallbackProfileId?: string | null
  hours?: OpeningHours | null
}

/** A new profile. Refuses with INVALID_INITIAL_STATUS, and as `contentOf`. */
export function newProfile(
  asked: ProfileContent & { status?: string | null },
  made: Versioned & { routingProfileId: string },
): RoutingProfile {
  const status = initialState(asked.status, ['draft', 'active'], 'active')
  return { ...made, status, ...contentOf(asked) }
}

/** Gives a profile another content. Refuses as `contentOf`, and with STATE_CONFLICT what is archived. */
export function changeProfile(profile: RoutingProfile, asked: ProfileContent): RoutingProfile {
  if (profile.status !== 'archived') return { ...profile, ...contentOf(asked) }
  throw new Problem('STATE_CONFLICT', {
    detail: `${profile.routingProfileId} is archived.`,
    resourceId: profile.routingProfileId,
    currentState: profile.status,
    allowedStates: profileStatuses.filter((status) => status !== 'archived'),
  })
}

/** Refuses with INVALID_STATE_TRANSITION. */
export function moveProfile(profile: RoutingProfile, to: ProfileStatus): RoutingProfile {
  requireMove(profileMoves, profile.status, to, profile.routingProfileId)
  return { ...profile, status: to }
}

/** Puts a profile away. Refuses with INVALID_STATE_TRANSITION, PROFILE_IN_USE while somebody relies on it. */
export function archiveProfile(
  profile: RoutingProfile,
  usedBy: { agents: number; fallbacksOf: readonly string[] },
): RoutingProfile {
  const archived = moveProfile(profile, 'archived')
  if (usedBy.agents === 0 && usedBy.fallbacksOf.length === 0) return archived
  throw new Problem('PROFILE_IN_USE', {
    detail: `${usedBy.agents} agents have it; it is the fallback of ${usedBy.fallbacksOf.length} profiles.`,
    resourceId: profile.routingProfileId,
    currentState: profile.status,
  })
}

/**
 * The content of a profile, with its defaults.
 * Refuses with VALIDATION_FAILED (priority 1 to 99, delay 0 to 9,999 s, concurrency 1 to 10, voice
 * 1, a medium twice, hours), DUPLICATE_QUEUE_CHANNEL, CHANNEL_CONCURRENCY_MISSING.
 */
function contentOf(asked: ProfileContent) {
  const mediaConcurrencies = (asked.mediaConcurrencies ?? []).map(withBehavior)
  const queues = (asked.queues ?? []).map((each) => ({
    queueId: each.queueId,
    channel: each.channel,
    priority: each.priority ?? 1,
    delaySeconds: each.delaySeconds ?? 0,
  }))
  requireConcurrencies(mediaConcurrencies)
  requireQueues(queues, mediaConcurrencies)
  if (asked.hours) requireHours(asked.hours, '/hours')
  return {
    name: asked.name,
    kind: asked.kind ?? ('contact-center' as const),
    queues,
    mediaConcurrencies,
    defaultOutboundQueueId: asked.defaultOutboundQueueId ?? null,
    agentAvailabilityTimer: asked.agentAvailabilityTimer ?? ('time-since-last-activity' as const),
    skills: [...new Set(asked.skills)],
    languages: [...new Set(asked.languages)],
    segments: [...new Set(asked.segments)],
    relationshipManagerIds: [...new Set(asked.relationshipManagerIds)],
    fallbackProfileId: asked.fallbackProfileId ?? null,
    hours: asked.hours ?? null,
  }
}

const withBehavior = (each: NewMediaConcurrency): MediaConcurrency => ({
  channel: each.channel,
  concurrency: each.concurrency,
  crossChannelBehavior: each.crossChannelBehavior ?? 'route-current-channel-only',
})

function requireConcurrencies(entries: readonly MediaConcurrency[]): void {
  const seen = new Set<Medium>()
  entries.forEach(({ channel, concurrency }, at) => {
    const pointer = `/mediaConcurrencies/${at}`
    requireRange(concurrency, 1, channel === 'voice' ? 1 : 10, `${pointer}/concurrency`)
    if (seen.has(channel)) throw invalid(`${pointer}/channel`, 'REPEATED', 'Each medium once.')
    seen.add(channel)
  })
}

function requireQueues(entries: readonly QueueEntry[], media: readonly MediaConcurrency[]): void {
  const seen = new Set<string>()
  entries.forEach(({ queueId, channel, priority, delaySeconds }, at) => {
    const pointer = `/queues/${at}`
    requireRange(priority, 1, 99, `${pointer}/priority`)
    requireRange(delaySeconds, 0, 9999, `${pointer}/delaySeconds`)
    const key = `${queueId} ${channel}`
    if (seen.has(key)) {
      throw refusal('DUPLICATE_QUEUE_CHANNEL', pointer, `${queueId} is there twice for ${channel}.`)
    }
    seen.add(key)
    if (media.some((each) => each.channel === channel)) return
    const detail = `How much ${channel} at once? mediaConcurrencies does not say.`
    throw refusal('CHANNEL_CONCURRENCY_MISSING', `${pointer}/channel`, detail)
  })
}

function requireRange(value: number, least: number, most: number, pointer: string): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw invalid(pointer, 'OUT_OF_RANGE', `A whole number from ${least} to ${most}.`)
}

function refusal(
  code: 'DUPLICATE_QUEUE_CHANNEL' | 'CHANNEL_CONCURRENCY_MISSING' | 'FALLBACK_CYCLE',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** Refuses with FALLBACK_CYCLE a profile that would fall back, in however many steps, on itself. */
export function requireNoCycle(
  { routingProfileId, fallbackProfileId }: RoutingProfile,
  fallbackOf: (routingProfileId: string) => string | null,
): void {
  const passed = [routingProfileId]
  for (let next = fallbackProfileId; next !== null; next = fallbackOf(next)) {
    if (next === routingProfileId) {
      const detail = `${[...passed, next].join(' → ')}.`
      throw refusal('FALLBACK_CYCLE', '/fallbackProfileId', detail)
    }
    // A cycle that does not pass here was refused when it was made.
    if (passed.includes(next)) return
    passed.push(next)
  }
}

/** Refuses with ROUTING_PROFILE_NAME_EXISTS a name that another profile has, in any letter case. */
export function requireFreeName(profile: RoutingProfile, holderId: string | null): void {
  if (holderId === null || holderId === profile.routingProfileId) return
  const detail = `"${profile.name}" is the name of another profile.`
  throw new Problem('ROUTING_PROFILE_NAME_EXISTS', {
    detail,
    resourceId: holderId,
    errors: [{ pointer: '/name', code: 'ROUTING_PROFILE_NAME_EXISTS', detail }],
  })
}
