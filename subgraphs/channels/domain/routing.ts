import { addMs } from '../../_kernel/domain/dates.ts'
import { capacityFault, idleSince, takeOn, type Agent } from './agent.ts'
import type { Medium } from './medium.ts'
import { isOpen, opensAt } from './opening-hours.ts'
import { defaultQueueId } from './queue.ts'
import type { QueueEntry, RoutingProfile } from './routing-profile.ts'

export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/** A contact or task to route to an agent. */
export interface Work {
  channel: Medium
  direction: Direction
  partyId: string | null
  routingProfileId: string | null
  language: string | null
  segment: string | null
  skills: readonly string[]
  waitingSince: Date
}

/** The inputs of routing: profiles in any status, and the agents who are available now. */
export interface Staff {
  profiles: readonly RoutingProfile[]
  agents: readonly Agent[]
  /** The relationship manager of a party. */
  managerOf: ReadonlyMap<string, string>
}

export const reasonCodes = [
  'profile-asked-for',
  'profile-fits',
  'no-profile-fits',
  'profile-not-active',
  'outside-hours',
  'channel-not-served',
  'nobody-staffed',
  'falls-back',
  'waits-in-first-profile',
  'queue-chosen',
  'not-before-delay',
  'lacks-skill',
  'lacks-language',
  'medium-not-handled',
  'at-capacity',
  'busy-elsewhere',
  'relationship-manager',
  'deputy-relationship-manager',
  'first-priority',
  'longest-idle',
  'nobody-free',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** One step of a decision: the finding, and the profiles, queues or agents concerned. */
export interface Reason {
  code: ReasonCode
  subjects: readonly string[]
}

/** The outcome of routing. Without an agent, the work waits in the queue. */
export interface Decision {
  routingProfileId: string | null
  queueId: string | null
  priority: number | null
  agentId: string | null
  /** When the decision may change with time alone: a delay passes or a profile opens. */
  lookAgainAt: Date | null
  reasons: readonly Reason[]
}

/** The maximum number of subjects of a reason. */
const mostNamed = 20

/**
 * Decides where work goes. The routing profile is the requested one or the best match. If it is not
 * active, outside its hours, does not serve the channel or has no available agents, its fallback is
 * tried. The work enters the profile's first queue for the channel. Among the agents who answer
 * that queue, have the skills and the language and are below their limits, the order of preference
 * is: the party's relationship manager, a relationship manager of the profile, the highest queue
 * priority, the longest idle time. If no agent qualifies, the work waits in the queue.
 */
export function decideRouting(work: Work, staff: Staff, now: Date): Decision {
  const reasons: Reason[] = []
  const because = (code: ReasonCode, ...subjects: string[]) =>
    void reasons.push({ code, subjects: subjects.slice(0, mostNamed) })
  const start = firstProfile(work, staff, because)
  let waiting: Decision | null = null
  const passed = new Set<string>()
  for (let profile = start; profile && !passed.has(profile.routingProfileId);) {
    passed.add(profile.routingProfileId)
    const outcome = tryProfile(profile, work, staff, now, because)
    waiting ??= outcome.waiting
    if (outcome.isFinal) return { ...outcome.waiting!, reasons }
    profile = staff.profiles.find((each) => each.routingProfileId === profile!.fallbackProfileId)
    if (profile) because('falls-back', profile.routingProfileId)
  }
  if (!waiting) return { ...nowhere, reasons }
  because('waits-in-first-profile', waiting.routingProfileId!)
  return { ...waiting, reasons }
}

const nowhere = {
  routingProfileId: null,
  queueId: null,
  priority: null,
  agentId: null,
  lookAgainAt: null,
}

type Because = (code: ReasonCode, ...subjects: string[]) => void

function firstProfile(work: Work, staff: Staff, because: Because): RoutingProfile | undefined {
  const { profiles } = staff
  if (work.routingProfileId !== null) {
    because('profile-asked-for', work.routingProfileId)
    return profiles.find(({ routingProfileId }) => routingProfileId === work.routingProfileId)
  }
  const managerId = work.partyId === null ? undefined : staff.managerOf.get(work.partyId)
  const manager = staff.agents.find(({ agentId }) => agentId === managerId)
  const fit = (profile: RoutingProfile) =>
    (profile.routingProfileId === manager?.routingProfileId ? 8 : 0) +
    (profile.segments.length > 0 ? 4 : 0) +
    (work.language !== null && profile.languages.includes(work.language) ? 2 : 0) +
    (queueFor(profile, work)!.queueId === defaultQueueId ? 0 : 1)
  const [best] = profiles
    .filter(({ status }) => status === 'active')
    .filter((profile) => queueFor(profile, work) !== null)
    .filter(({ segments }) => segments.length === 0 || segments.includes(work.segment ?? ''))
    .toSorted((a, b) => fit(b) - fit(a) || (a.routingProfileId < b.routingProfileId ? -1 : 1))
  if (best) because('profile-fits', best.routingProfileId)
  else because('no-profile-fits')
  return best
}

/**
 * The queue of a profile that work enters: the first by priority, or the default outbound queue.
 */
function queueFor(profile: RoutingProfile, { channel, direction }: Work): QueueEntry | null {
  const { defaultOutboundQueueId: queueId, queues } = profile
  if (direction === 'outbound' && queueId !== null) {
    return { queueId, channel, priority: 1, delaySeconds: 0 }
  }
  const [first] = queues
    .filter((entry) => entry.channel === channel)
    .toSorted((a, b) => a.priority - b.priority || a.delaySeconds - b.delaySeconds)
  return first ?? null
}

/**
 * Tries one profile. The outcome is final if an agent takes the work or the queue has available
 * agents.
 */
function tryProfile(
  profile: RoutingProfile,
  work: Work,
  staff: Staff,
  now: Date,
  because: Because,
): { waiting: Decision | null; isFinal: boolean } {
  const { routingProfileId, status, hours } = profile
  if (status !== 'active') {
    because('profile-not-active', routingProfileId)
    return { waiting: null, isFinal: false }
  }
  const entry = queueFor(profile, work)
  if (!entry) {
    because('channel-not-served', routingProfileId)
    return { waiting: null, isFinal: false }
  }
  const { queueId, priority } = entry
  const waiting = { ...nowhere, routingProfileId, queueId, priority, reasons: [] }
  if (!isOpen(hours, now)) {
    because('outside-hours', routingProfileId)
    return { waiting: { ...waiting, lookAgainAt: opensAt(hours, now) }, isFinal: false }
  }
  because('queue-chosen', queueId)
  const { chosen, isStaffed, lookAgainAt } = choosePerson(queueId, work, staff, now, because)
  if (!isStaffed) because('nobody-staffed', queueId)
  else if (!chosen) because('nobody-free', queueId)
  const decided = chosen
    ? { ...waiting, agentId: chosen.agent.agentId, priority: chosen.entry.priority }
    : { ...waiting, lookAgainAt }
  return { waiting: decided, isFinal: isStaffed }
}

interface Candidate {
  agent: Agent
  profile: RoutingProfile
  entry: QueueEntry
}

function choosePerson(queueId: string, work: Work, staff: Staff, now: Date, because: Because) {
  const skipped = new Map<ReasonCode, string[]>()
  const candidates: Candidate[] = []
  let isStaffed = false
  let lookAgainAt: Date | null = null
  for (const agent of staff.agents) {
    const profile = staff.profiles.find(
      ({ routingProfileId }) => routingProfileId === agent.routingProfileId,
    )
    const entry = profile && entryOf(profile, queueId, work)
    if (!entry || profile.status !== 'active' || !isOpen(profile.hours, now)) continue
    isStaffed = true
    const mayFrom = addMs(work.waitingSince, entry.delaySeconds * 1000)
    if (mayFrom > now && (lookAgainAt === null || mayFrom < lookAgainAt)) lookAgainAt = mayFrom
    const fault = mayFrom > now ? 'not-before-delay' : faultOf(agent, profile, work)
    if (!fault) candidates.push({ agent, profile, entry })
    else skipped.set(fault, [...(skipped.get(fault) ?? []), agent.agentId])
  }
  for (const [code, agentIds] of skipped) because(code, ...agentIds)
  return { chosen: best(candidates, work, staff, because), isStaffed, lookAgainAt }
}

/** The queue entry under which the agents of a profile answer a queue. */
function entryOf(profile: RoutingProfile, queueId: string, work: Work): QueueEntry | undefined {
  const { channel, direction } = work
  if (direction === 'outbound' && profile.defaultOutboundQueueId === queueId) {
    return { queueId, channel, priority: 1, delaySeconds: 0 }
  }
  return profile.queues.find((each) => each.queueId === queueId && each.channel === channel)
}

function faultOf(agent: Agent, profile: RoutingProfile, work: Work): ReasonCode | null {
  const can = (skill: string) => agent.skills.includes(skill) || profile.skills.includes(skill)
  if (!work.skills.every(can)) return 'lacks-skill'
  const spoken = [...agent.languages, ...profile.languages]
  const isUnderstood = work.language === null || spoken.length === 0
  if (!isUnderstood && !spoken.includes(work.language!)) return 'lacks-language'
  return capacityFault(agent, profile, work.channel)
}

function best(candidates: readonly Candidate[], work: Work, staff: Staff, because: Because) {
  const managerId = work.partyId === null ? undefined : staff.managerOf.get(work.partyId)
  const closeness = ({ agent, profile }: Candidate) => {
    if (agent.agentId === managerId) return 0
    return profile.relationshipManagerIds.includes(agent.agentId) ? 1 : 2
  }
  const idle = ({ agent, profile }: Candidate) =>
    idleSince(agent, profile.agentAvailabilityTimer).getTime()
  const [chosen, next] = candidates.toSorted(
    (a, b) =>
      closeness(a) - closeness(b) ||
      a.entry.priority - b.entry.priority ||
      idle(a) - idle(b) ||
      (a.agent.agentId < b.agent.agentId ? -1 : 1),
  )
  if (!chosen) return null
  const isFirst = !next || chosen.entry.priority < next.entry.priority
  const codes: ReasonCode[] = ['relationship-manager', 'deputy-relationship-manager']
  const code = codes[closeness(chosen)] ?? (isFirst ? 'first-priority' : 'longest-idle')
  because(code, chosen.agent.agentId)
  return chosen
}

/** Waiting work with the caller's own reference to it. */
export interface Waiting<Name> extends Work {
  name: Name
}

/**
 * Assigns waiting work one item at a time: highest priority first, then longest waiting. Each
 * assignment counts against the agent's limits in the following decisions.
 */
export function routeAll<Name>(
  waiting: readonly Waiting<Name>[],
  staff: Staff,
  now: Date,
): { name: Name; decision: Decision; agents: readonly Agent[] }[] {
  const given: { name: Name; decision: Decision; agents: readonly Agent[] }[] = []
  let left = waiting.toSorted((a, b) => a.waitingSince.getTime() - b.waitingSince.getTime())
  let { agents } = staff
  while (left.length > 0) {
    const decided = left.map((work) => ({
      work,
      decision: decideRouting(work, { ...staff, agents }, now),
    }))
    const [first] = decided
      .filter(({ decision }) => decision.agentId !== null)
      .toSorted((a, b) => a.decision.priority! - b.decision.priority!)
    if (!first) break
    const { work, decision } = first
    agents = agents.map((agent) =>
      agent.agentId === decision.agentId
        ? takeOn(agent, work.channel, work.direction === 'inbound', now)
        : agent,
    )
    given.push({ name: work.name, decision, agents })
    left = left.filter((each) => each !== work)
  }
  return given
}
