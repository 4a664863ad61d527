import type { Decision, Reason } from '../model/routing-decision.ts'
import type { QueueEntry } from '../model/profile.ts'
import type { Medium, Direction, ReasonCode } from '../model/enumerations.ts'
import { addMs } from '../../../kernel/domain/dates.ts'
import type { Agent } from '../model/agent.ts'
import { capacityFault, idleSince, takeWork } from './agent.ts'
import { isOpen, opensAt } from './opening-hours.ts'
import { defaultQueueId } from './queue.ts'
import type { RoutingProfile } from '../model/profile.ts'

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

/**
 * The inputs of routing: the profiles that are not archived, the available agents, and the
 * relationship managers of the parties of the work.
 */
export interface Staff {
  profiles: readonly RoutingProfile[]
  agents: readonly Agent[]
  /** The agent ID of the relationship manager, by party ID. */
  managerOf: ReadonlyMap<string, string>
}

/** The maximum number of subjects of a reason. */
const maxSubjects = 20

/**
 * Decides how work is routed. The routing profile is the requested profile or the best match. If
 * the profile is not active, is outside its hours, does not serve the channel or has no available
 * agents, its fallback is tried. The work enters the profile's first queue for the channel. Agents
 * qualify if they serve this queue, its delay has passed for them, they have the skills and the
 * language, and they are below their limits. The order of preference is: the party's relationship
 * manager, a relationship manager of the profile, the highest queue priority, the longest idle
 * time. If no agent qualifies, the work waits in the queue.
 */
export function decideRouting(work: Work, staff: Staff, now: Date): Decision {
  const reasons: Reason[] = []
  const addReason = (code: ReasonCode, ...subjects: string[]) =>
    void reasons.push({ code, subjects: subjects.slice(0, maxSubjects) })
  const initialProfile = firstProfile(work, staff, addReason)
  let waitingDecision: Decision | null = null
  const visited = new Set<string>()
  for (let profile = initialProfile; profile && !visited.has(profile.routingProfileId);) {
    visited.add(profile.routingProfileId)
    const outcome = tryProfile(profile, work, staff, now, addReason)
    waitingDecision ??= outcome.decision
    if (outcome.isFinal) return { ...outcome.decision!, reasons }
    profile = staff.profiles.find((each) => each.routingProfileId === profile!.fallbackProfileId)
    if (profile) addReason('falls-back', profile.routingProfileId)
  }
  if (!waitingDecision) return { ...noQueue, reasons }
  addReason('waits-in-first-profile', waitingDecision.routingProfileId!)
  return { ...waitingDecision, reasons }
}

const noQueue = {
  routingProfileId: null,
  queueId: null,
  priority: null,
  agentId: null,
  reevaluateAt: null,
}

type AddReason = (code: ReasonCode, ...subjects: string[]) => void

function firstProfile(work: Work, staff: Staff, addReason: AddReason): RoutingProfile | undefined {
  const { profiles } = staff
  if (work.routingProfileId !== null) {
    addReason('profile-asked-for', work.routingProfileId)
    return profiles.find(({ routingProfileId }) => routingProfileId === work.routingProfileId)
  }
  const managerId = work.partyId === null ? undefined : staff.managerOf.get(work.partyId)
  const manager = staff.agents.find(({ agentId }) => agentId === managerId)
  const score = (profile: RoutingProfile) =>
    (profile.routingProfileId === manager?.routingProfileId ? 8 : 0) +
    (profile.segments.length > 0 ? 4 : 0) +
    (work.language !== null && profile.languages.includes(work.language) ? 2 : 0) +
    (queueFor(profile, work)!.queueId === defaultQueueId ? 0 : 1)
  const [bestProfile] = profiles
    .filter(({ status }) => status === 'active')
    .filter((profile) => queueFor(profile, work) !== null)
    .filter(({ segments }) => segments.length === 0 || segments.includes(work.segment ?? ''))
    .toSorted((a, b) => score(b) - score(a) || (a.routingProfileId < b.routingProfileId ? -1 : 1))
  if (bestProfile) addReason('profile-fits', bestProfile.routingProfileId)
  else addReason('no-profile-fits')
  return bestProfile
}

/**
 * Returns the queue of a profile for new work. Outbound work enters the default outbound queue if
 * there is one. Other work enters the first queue for its channel, by priority. Returns null if the
 * profile has no queue for the work.
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
 * Tries to route work through one profile. The outcome is final if the queue has available agents,
 * even if none of them can take the work now. Otherwise the fallback profile is tried.
 */
function tryProfile(
  profile: RoutingProfile,
  work: Work,
  staff: Staff,
  now: Date,
  addReason: AddReason,
): { decision: Decision | null; isFinal: boolean } {
  const { routingProfileId, status, hours } = profile
  if (status !== 'active') {
    addReason('profile-not-active', routingProfileId)
    return { decision: null, isFinal: false }
  }
  const entry = queueFor(profile, work)
  if (!entry) {
    addReason('channel-not-served', routingProfileId)
    return { decision: null, isFinal: false }
  }
  const { queueId, priority } = entry
  const queuedDecision = { ...noQueue, routingProfileId, queueId, priority, reasons: [] }
  if (!isOpen(hours, now)) {
    addReason('outside-hours', routingProfileId)
    return { decision: { ...queuedDecision, reevaluateAt: opensAt(hours, now) }, isFinal: false }
  }
  addReason('queue-chosen', queueId)
  const { chosen, isStaffed, reevaluateAt } = chooseAgent(queueId, work, staff, now, addReason)
  if (!isStaffed) addReason('nobody-staffed', queueId)
  else if (!chosen) addReason('nobody-free', queueId)
  const decision = chosen
    ? { ...queuedDecision, agentId: chosen.agent.agentId, priority: chosen.entry.priority }
    : { ...queuedDecision, reevaluateAt }
  return { decision, isFinal: isStaffed }
}

interface Candidate {
  agent: Agent
  profile: RoutingProfile
  entry: QueueEntry
}

function chooseAgent(queueId: string, work: Work, staff: Staff, now: Date, addReason: AddReason) {
  const skippedAgents = new Map<ReasonCode, string[]>()
  const candidates: Candidate[] = []
  let isStaffed = false
  let reevaluateAt: Date | null = null
  for (const agent of staff.agents) {
    const profile = staff.profiles.find(
      ({ routingProfileId }) => routingProfileId === agent.routingProfileId,
    )
    const entry = profile && entryOf(profile, queueId, work)
    if (!entry || profile.status !== 'active' || !isOpen(profile.hours, now)) continue
    isStaffed = true
    const offerAt = addMs(work.waitingSince, entry.delaySeconds * 1000)
    if (offerAt > now && (reevaluateAt === null || offerAt < reevaluateAt)) reevaluateAt = offerAt
    const fault = offerAt > now ? 'not-before-delay' : faultOf(agent, profile, work)
    if (!fault) candidates.push({ agent, profile, entry })
    else skippedAgents.set(fault, [...(skippedAgents.get(fault) ?? []), agent.agentId])
  }
  for (const [code, agentIds] of skippedAgents) addReason(code, ...agentIds)
  return { chosen: bestOf(candidates, work, staff, addReason), isStaffed, reevaluateAt }
}

/** Returns the queue entry with which a profile serves a queue for this work. */
function entryOf(profile: RoutingProfile, queueId: string, work: Work): QueueEntry | undefined {
  const { channel, direction } = work
  if (direction === 'outbound' && profile.defaultOutboundQueueId === queueId) {
    return { queueId, channel, priority: 1, delaySeconds: 0 }
  }
  return profile.queues.find((each) => each.queueId === queueId && each.channel === channel)
}

function faultOf(agent: Agent, profile: RoutingProfile, work: Work): ReasonCode | null {
  const hasSkill = (skill: string) => agent.skills.includes(skill) || profile.skills.includes(skill)
  if (!work.skills.every(hasSkill)) return 'lacks-skill'
  const languages = [...agent.languages, ...profile.languages]
  const canIgnoreLanguage = work.language === null || languages.length === 0
  if (!canIgnoreLanguage && !languages.includes(work.language!)) return 'lacks-language'
  return capacityFault(agent, profile, work.channel)
}

function bestOf(candidates: readonly Candidate[], work: Work, staff: Staff, addReason: AddReason) {
  const managerId = work.partyId === null ? undefined : staff.managerOf.get(work.partyId)
  const relationshipRank = ({ agent, profile }: Candidate) => {
    if (agent.agentId === managerId) return 0
    return profile.relationshipManagerIds.includes(agent.agentId) ? 1 : 2
  }
  const idleStart = ({ agent, profile }: Candidate) =>
    idleSince(agent, profile.agentAvailabilityTimer).getTime()
  const [chosen, runnerUp] = candidates.toSorted(
    (a, b) =>
      relationshipRank(a) - relationshipRank(b) ||
      a.entry.priority - b.entry.priority ||
      idleStart(a) - idleStart(b) ||
      (a.agent.agentId < b.agent.agentId ? -1 : 1),
  )
  if (!chosen) return null
  const hasTopPriority = !runnerUp || chosen.entry.priority < runnerUp.entry.priority
  const codes: ReasonCode[] = ['relationship-manager', 'deputy-relationship-manager']
  const otherCode = hasTopPriority ? 'first-priority' : 'longest-idle'
  const code = codes[relationshipRank(chosen)] ?? otherCode
  addReason(code, chosen.agent.agentId)
  return chosen
}

/** Waiting work with a reference that identifies it for the caller. */
export interface Waiting<Name> extends Work {
  reference: Name
}

/**
 * Assigns waiting work to agents, one item at a time: by priority, then by waiting time. Each
 * assignment counts toward the agent's limits in the decisions that follow. Returns the
 * assignments, each with the state of all agents after it.
 */
export function routeAll<Name>(
  waiting: readonly Waiting<Name>[],
  staff: Staff,
  now: Date,
): { reference: Name; decision: Decision; agents: readonly Agent[] }[] {
  const assignments: { reference: Name; decision: Decision; agents: readonly Agent[] }[] = []
  let remaining = waiting.toSorted((a, b) => a.waitingSince.getTime() - b.waitingSince.getTime())
  let { agents } = staff
  while (remaining.length > 0) {
    const decisions = remaining.map((work) => ({
      work,
      decision: decideRouting(work, { ...staff, agents }, now),
    }))
    const [first] = decisions
      .filter(({ decision }) => decision.agentId !== null)
      .toSorted((a, b) => a.decision.priority! - b.decision.priority!)
    if (!first) break
    const { work, decision } = first
    agents = agents.map((agent) =>
      agent.agentId === decision.agentId
        ? takeWork(agent, work.channel, work.direction === 'inbound', now)
        : agent,
    )
    assignments.push({ reference: work.reference, decision, agents })
    remaining = remaining.filter((each) => each !== work)
  }
  return assignments
}
