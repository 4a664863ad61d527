import type { QueueEntry, MediaConcurrency, RoutingProfile } from '../model/profile.ts'
import type { ProfileContent } from '../model/profile-inputs.ts'
import { ProfileStatus, Medium, type CrossChannelBehavior } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import { invalid } from './medium.ts'
import { requireHours } from './opening-hours.ts'
import { defaultQueueId } from './queue.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

export interface NewQueueEntry extends Pick<QueueEntry, 'queueId' | 'channel'> {
  priority?: number | null
  delaySeconds?: number | null
}

export interface NewMediaConcurrency extends Pick<MediaConcurrency, 'channel' | 'concurrency'> {
  crossChannelBehavior?: CrossChannelBehavior | null
}

/** Creates a profile. Throws INVALID_INITIAL_STATUS, and whatever `contentOf` throws. */
export function newProfile(
  request: ProfileContent & { status?: string | null },
  stamp: Versioned & { routingProfileId: string },
): RoutingProfile {
  const status = initialState(request.status, ['draft', 'active'], 'active')
  return { ...stamp, status, ...contentOf(request) }
}

/**
 * Replaces the configuration of a profile. Throws STATE_CONFLICT if the profile is archived, and
 * whatever `contentOf` throws.
 */
export function changeProfile(profile: RoutingProfile, request: ProfileContent): RoutingProfile {
  if (profile.status !== 'archived') return { ...profile, ...contentOf(request) }
  throw new Problem('STATE_CONFLICT', {
    detail: `The routing profile ${profile.routingProfileId} is archived and cannot be changed.`,
    resourceId: profile.routingProfileId,
    currentState: profile.status,
    allowedStates: ProfileStatus.values.filter((status) => status !== 'archived'),
  })
}

/** Throws PROFILE_IN_USE if a profile has agents or is the fallback of another profile. */
export function requireUnused(
  profile: RoutingProfile,
  usedBy: { agents: number; fallbackOf: readonly string[] },
): void {
  if (usedBy.agents === 0 && usedBy.fallbackOf.length === 0) return
  throw new Problem('PROFILE_IN_USE', {
    detail:
      `The routing profile has ${usedBy.agents} agents and is the fallback of ` +
      `${usedBy.fallbackOf.length} profiles; reassign them first.`,
    resourceId: profile.routingProfileId,
    currentState: profile.status,
  })
}

/**
 * Returns the configuration of a profile with the defaults applied. A profile without queues serves
 * the default queue.
 * Throws DUPLICATE_QUEUE_CHANNEL, CHANNEL_CONCURRENCY_MISSING, and VALIDATION_FAILED for a priority
 * outside 1 to 99, a delay outside 0 to 9,999 seconds, a concurrency outside 1 to 10 (or other than
 * 1 for voice), a repeated medium and invalid hours.
 */
function contentOf(request: ProfileContent) {
  const mediaConcurrencies = concurrenciesOf(request).map(withDefaultBehavior)
  const queues = (request.queues ?? defaultQueueEntries(mediaConcurrencies)).map((each) => ({
    queueId: each.queueId,
    channel: each.channel,
    priority: each.priority ?? 1,
    delaySeconds: each.delaySeconds ?? 0,
  }))
  requireConcurrencies(mediaConcurrencies)
  requireQueues(queues, mediaConcurrencies)
  if (request.hours) requireHours(request.hours, '/hours')
  return {
    name: request.name,
    kind: request.kind ?? ('contact-center' as const),
    queues,
    mediaConcurrencies,
    defaultOutboundQueueId: request.defaultOutboundQueueId ?? null,
    agentAvailabilityTimer: request.agentAvailabilityTimer ?? ('time-since-last-activity' as const),
    skills: [...new Set(request.skills)],
    languages: [...new Set(request.languages)],
    segments: [...new Set(request.segments)],
    relationshipManagerIds: [...new Set(request.relationshipManagerIds)],
    fallbackProfileId: request.fallbackProfileId ?? null,
    hours: request.hours ?? null,
  }
}

/**
 * Returns the requested concurrency per medium. If the request has neither concurrencies nor
 * queues, the agents handle every medium, one interaction at a time.
 */
function concurrenciesOf({ mediaConcurrencies, queues }: ProfileContent) {
  if (mediaConcurrencies) return mediaConcurrencies
  return queues ? [] : Medium.values.map((channel) => ({ channel, concurrency: 1 }))
}

/** Returns entries that serve the default queue for every medium that the agents handle. */
const defaultQueueEntries = (concurrencies: readonly MediaConcurrency[]): NewQueueEntry[] =>
  concurrencies.map(({ channel }) => ({ queueId: defaultQueueId, channel }))

const withDefaultBehavior = (each: NewMediaConcurrency): MediaConcurrency => ({
  channel: each.channel,
  concurrency: each.concurrency,
  crossChannelBehavior: each.crossChannelBehavior ?? 'route-current-channel-only',
})

function requireConcurrencies(entries: readonly MediaConcurrency[]): void {
  const seen = new Set<Medium>()
  entries.forEach(({ channel, concurrency }, index) => {
    const pointer = `/mediaConcurrencies/${index}`
    requireRange(concurrency, 1, channel === 'voice' ? 1 : 10, `${pointer}/concurrency`)
    if (seen.has(channel)) {
      const detail = `${channel} is listed twice; list each channel once.`
      throw invalid(`${pointer}/channel`, 'REPEATED', detail)
    }
    seen.add(channel)
  })
}

function requireQueues(
  entries: readonly QueueEntry[],
  mediaConcurrencies: readonly MediaConcurrency[],
): void {
  const seen = new Set<string>()
  entries.forEach(({ queueId, channel, priority, delaySeconds }, index) => {
    const pointer = `/queues/${index}`
    requireRange(priority, 1, 99, `${pointer}/priority`)
    requireRange(delaySeconds, 0, 9999, `${pointer}/delaySeconds`)
    const key = `${queueId} ${channel}`
    if (seen.has(key)) {
      const detail = `The queue ${queueId} is listed twice for ${channel}.`
      throw problemAt('DUPLICATE_QUEUE_CHANNEL', pointer, detail)
    }
    seen.add(key)
    if (mediaConcurrencies.some((each) => each.channel === channel)) return
    const detail = `${channel} has no entry in mediaConcurrencies; add one.`
    throw problemAt('CHANNEL_CONCURRENCY_MISSING', `${pointer}/channel`, detail)
  })
}

function requireRange(value: number, min: number, max: number, pointer: string): void {
  if (Number.isInteger(value) && value >= min && value <= max) return
  const detail = `The value is ${value}; it must be a whole number from ${min} to ${max}.`
  throw invalid(pointer, 'OUT_OF_RANGE', detail)
}

function problemAt(
  code: 'DUPLICATE_QUEUE_CHANNEL' | 'CHANNEL_CONCURRENCY_MISSING' | 'FALLBACK_CYCLE',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/**
 * Checks that the chain of fallback profiles does not lead back to the profile. Throws
 * FALLBACK_CYCLE.
 */
export function requireNoCycle(
  { routingProfileId, fallbackProfileId }: RoutingProfile,
  fallbackIdOf: (routingProfileId: string) => string | null,
): void {
  const visited = [routingProfileId]
  for (let next = fallbackProfileId; next !== null; next = fallbackIdOf(next)) {
    if (next === routingProfileId) {
      const detail = `The fallback profiles form a cycle: ${[...visited, next].join(' → ')}.`
      throw problemAt('FALLBACK_CYCLE', '/fallbackProfileId', detail)
    }
    // Stop at a cycle that does not include this profile. Such a cycle is rejected when it is created.
    if (visited.includes(next)) return
    visited.push(next)
  }
}

/**
 * Checks that the name of a profile is free. `holderId` is the ID of the profile that has the name;
 * null if there is none. Throws ROUTING_PROFILE_NAME_EXISTS if it is another profile.
 */
export function requireFreeName(profile: RoutingProfile, holderId: string | null): void {
  if (holderId === null || holderId === profile.routingProfileId) return
  const detail = `Another routing profile is named "${profile.name}"; choose another name.`
  throw new Problem('ROUTING_PROFILE_NAME_EXISTS', {
    detail,
    resourceId: holderId,
    errors: [{ pointer: '/name', code: 'ROUTING_PROFILE_NAME_EXISTS', detail }],
  })
}
