import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { invalid, media, type Medium } from './medium.ts'
import { requireHours, type OpeningHours } from './opening-hours.ts'
import { defaultQueueId } from './queue.ts'
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
/** Whether an agent working on one medium can receive work of another. */
export type CrossChannelBehavior = (typeof crossChannelBehaviors)[number]

export const availabilityTimers = ['time-since-last-activity', 'time-since-last-inbound'] as const
/** The event from which an agent's idle time is measured. */
export type AvailabilityTimer = (typeof availabilityTimers)[number]

/**
 * A queue that a profile answers over one medium. Priority 1 is answered first; work younger than
 * the delay is not offered.
 */
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

/**
 * The queues a team of agents answers, in which order, and each agent's concurrency; modeled on
 * Amazon Connect.
 */
export interface RoutingProfile extends Versioned {
  routingProfileId: string
  name: string
  kind: ProfileKind
  status: ProfileStatus
  queues: readonly QueueEntry[]
  mediaConcurrencies: readonly MediaConcurrency[]
  defaultOutboundQueueId: string | null
  agentAvailabilityTimer: AvailabilityTimer
  /** Skills and languages of every agent with this profile, in addition to their own. */
  skills: readonly string[]
  languages: readonly string[]
  /** The customer segments served; empty for all. */
  segments: readonly string[]
  relationshipManagerIds: readonly string[]
  /** The profile to try when this one cannot take the work. */
  fallbackProfileId: string | null
  /** Null if always open. */
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

/** Creates a profile. Throws INVALID_INITIAL_STATUS, and what `contentOf` throws. */
export function newProfile(
  asked: ProfileContent & { status?: string | null },
  made: Versioned & { routingProfileId: string },
): RoutingProfile {
  const status = initialState(asked.status, ['draft', 'active'], 'active')
  return { ...made, status, ...contentOf(asked) }
}

/**
 * Replaces the configuration of a profile. Throws STATE_CONFLICT if it is archived, and what
 * `contentOf` throws.
 */
export function changeProfile(profile: RoutingProfile, asked: ProfileContent): RoutingProfile {
  if (profile.status !== 'archived') return { ...profile, ...contentOf(asked) }
  throw new Problem('STATE_CONFLICT', {
    detail: `The routing profile ${profile.routingProfileId} is archived and cannot be changed.`,
    resourceId: profile.routingProfileId,
    currentState: profile.status,
    allowedStates: profileStatuses.filter((status) => status !== 'archived'),
  })
}

/** Throws INVALID_STATE_TRANSITION. */
export function moveProfile(profile: RoutingProfile, to: ProfileStatus): RoutingProfile {
  requireMove(profileMoves, profile.status, to, profile.routingProfileId)
  return { ...profile, status: to }
}

/**
 * Archives a profile. Throws INVALID_STATE_TRANSITION, and PROFILE_IN_USE while agents or other
 * profiles depend on it.
 */
export function archiveProfile(
  profile: RoutingProfile,
  usedBy: { agents: number; fallbacksOf: readonly string[] },
): RoutingProfile {
  const archived = moveProfile(profile, 'archived')
  if (usedBy.agents === 0 && usedBy.fallbacksOf.length === 0) return archived
  throw new Problem('PROFILE_IN_USE', {
    detail:
      `The routing profile has ${usedBy.agents} agents and is the fallback of ` +
      `${usedBy.fallbacksOf.length} profiles; reassign them first.`,
    resourceId: profile.routingProfileId,
    currentState: profile.status,
  })
}

/**
 * The configuration of a profile, with defaults applied: without queues, the default queue.
 * Throws VALIDATION_FAILED (priority 1 to 99, delay 0 to 9,999 s, concurrency 1 to 10 and 1 for
 * voice, a repeated medium, invalid hours), DUPLICATE_QUEUE_CHANNEL, CHANNEL_CONCURRENCY_MISSING.
 */
function contentOf(asked: ProfileContent) {
  const mediaConcurrencies = concurrenciesOf(asked).map(withBehavior)
  const queues = (asked.queues ?? inDefaultQueue(mediaConcurrencies)).map((each) => ({
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

/** Without queues and channels, the agents handle every channel, one interaction at a time. */
function concurrenciesOf({ mediaConcurrencies, queues }: ProfileContent) {
  if (mediaConcurrencies) return mediaConcurrencies
  return queues ? [] : media.map((channel) => ({ channel, concurrency: 1 }))
}

/** Without queues, the agents answer the default queue over every channel they handle. */
const inDefaultQueue = (concurrencies: readonly MediaConcurrency[]): NewQueueEntry[] =>
  concurrencies.map(({ channel }) => ({ queueId: defaultQueueId, channel }))

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
    if (seen.has(channel)) {
      const detail = `${channel} is listed twice; list each channel once.`
      throw invalid(`${pointer}/channel`, 'REPEATED', detail)
    }
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
      const detail = `The queue ${queueId} is listed twice for ${channel}.`
      throw refusal('DUPLICATE_QUEUE_CHANNEL', pointer, detail)
    }
    seen.add(key)
    if (media.some((each) => each.channel === channel)) return
    const detail = `${channel} has no entry in mediaConcurrencies; add one.`
    throw refusal('CHANNEL_CONCURRENCY_MISSING', `${pointer}/channel`, detail)
  })
}

function requireRange(value: number, least: number, most: number, pointer: string): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  const detail = `The value is ${value}; it must be a whole number from ${least} to ${most}.`
  throw invalid(pointer, 'OUT_OF_RANGE', detail)
}

function refusal(
  code: 'DUPLICATE_QUEUE_CHANNEL' | 'CHANNEL_CONCURRENCY_MISSING' | 'FALLBACK_CYCLE',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** Throws FALLBACK_CYCLE if the chain of fallback profiles leads back to the profile. */
export function requireNoCycle(
  { routingProfileId, fallbackProfileId }: RoutingProfile,
  fallbackOf: (routingProfileId: string) => string | null,
): void {
  const passed = [routingProfileId]
  for (let next = fallbackProfileId; next !== null; next = fallbackOf(next)) {
    if (next === routingProfileId) {
      const detail = `The fallback profiles form a cycle: ${[...passed, next].join(' → ')}.`
      throw refusal('FALLBACK_CYCLE', '/fallbackProfileId', detail)
    }
    // A cycle that does not include this profile was refused when it was created.
    if (passed.includes(next)) return
    passed.push(next)
  }
}

/** Throws ROUTING_PROFILE_NAME_EXISTS if another profile has the name, regardless of case. */
export function requireFreeName(profile: RoutingProfile, holderId: string | null): void {
  if (holderId === null || holderId === profile.routingProfileId) return
  const detail = `Another routing profile is named "${profile.name}"; choose another name.`
  throw new Problem('ROUTING_PROFILE_NAME_EXISTS', {
    detail,
    resourceId: holderId,
    errors: [{ pointer: '/name', code: 'ROUTING_PROFILE_NAME_EXISTS', detail }],
  })
}
