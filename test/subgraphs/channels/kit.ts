import { bankContext } from '../../../kernel/work/worker.ts'
import { channels } from '../../../subgraphs/channels/index.ts'
import { routeWaiting } from '../../../subgraphs/channels/workers/routing.ts'
import {
  aCaller,
  aSubgraph,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'

export let bank: RunningSubgraph
export const start = '2026-03-02T09:00:00.000Z'
export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })

/**
 * Starts the subgraph on a database of its own with two parties, a case, a queue and a profile that
 * serves it.
 */
export async function openBank(): Promise<void> {
  bank = await aSubgraph(channels, start)
  for (const partyId of ['pty_ada', 'pty_grace']) await publish(`party/${partyId}`, { partyId })
  await publish('case/case_ada', { caseId: 'case_ada', visibleTo: ['pty_ada'] })
  await mutate('createRoutingQueue(input: { queueId: "que_calls", name: "Calls" }) { queueId }')
  await mutate(`createRoutingProfile(input: { routingProfileId: "rtp_retail", name: "Retail",
    queues: [{ queueId: "que_calls", channel: VOICE }, { queueId: "que_calls", channel: TASK }]
    mediaConcurrencies: [{ channel: VOICE, concurrency: 1, crossChannelBehavior: ROUTE_ANY_CHANNEL },
      { channel: TASK, concurrency: 3, crossChannelBehavior: ROUTE_ANY_CHANNEL }] }) { routingProfileId }`)
}

export const publish = (subject: string, data: object) =>
  bank.rows('insert into kernel.fact values ($1, 1, $2)', [subject, data])

let serial = 0
export const unique = (prefix: string) => `${prefix}_${++serial}`

/** Runs one mutation and returns its result; throws its errors. */
export async function mutate(field: string, variables: object = {}, options: ExecuteOptions = {}) {
  const answer = await tryMutation(field, variables, options)
  if (answer.errors.length > 0) throw new Error(JSON.stringify(answer.errors))
  return answer.data.act
}

/**
 * Runs one mutation and returns the answer with its errors. `$id` is declared when the variables
 * have it.
 */
export const tryMutation = (
  field: string,
  variables: object = {},
  options: ExecuteOptions = {},
) => {
  const head = 'id' in variables ? '($id: ID!)' : ''
  return bank.execute(`mutation ${head} { act: ${field} }`, { ...variables }, options)
}

export const eventsOf = async (subject: string) =>
  (await bank.events()).filter((event) => event.subject === subject).map(({ type }) => type)

/** Creates an agent, with the profile `rtp_retail` by default. */
export async function anAgent(status = 'available', profile = 'rtp_retail'): Promise<string> {
  const id = unique('agt')
  await mutate(`createAgent(input: { agentId: "${id}", name: "${id}", routingProfileId: "${profile}",
    status: "${status}" }) { agentId }`)
  return id
}

export const interactionFields = `interactionId status queueId agentId caseId partyId notes endedAt
  waitingSince decision { routingProfileId queueId agentId reevaluateAt reasons { code subjects } }`

export const aCall = (more = '', options: ExecuteOptions = {}) =>
  tryMutation(
    `routeInteraction(input: { channel: VOICE, subject: "A lost card" ${more} }) { ${interactionFields} }`,
    {},
    options,
  )

/**
 * Runs the routing worker until it has nothing more to do; returns how many interactions it
 * assigned.
 */
export async function routeAgain(): Promise<number> {
  for (let done = 0; ;) {
    const more = await routeWaiting.run(bankContext(bank.bank))
    if (more === 0) return done
    done += more
  }
}

export const agentRow = async (id: string) =>
  (await bank.rows('select * from channels.agent where agent_id = $1', [id]))[0]!

/** The id of a routed interaction. */
export const idOf = (call: Awaited<ReturnType<typeof aCall>>): string => call.data.act.interactionId

export const interactionActions = {
  requeueInteraction: { to: 'waiting', fact: 'requeued' },
  completeInteraction: { to: 'completed', fact: 'completed' },
  abandonInteraction: { to: 'abandoned', fact: 'abandoned' },
} as const
export type InteractionAction = keyof typeof interactionActions
export const doesInteraction = (name: InteractionAction, interactionId: string, options = {}) =>
  tryMutation(
    `${name}(interactionId: $id) { ${interactionFields} }`,
    { id: interactionId },
    options,
  )

export const profileFields = `routingProfileId name kind status queues { queueId channel priority delaySeconds }
  mediaConcurrencies { channel concurrency crossChannelBehavior } defaultOutboundQueueId
  agentAvailabilityTimer skills languages segments relationshipManagerIds fallbackProfileId
  hours { zone weekly { day from to } closedOn } fallbackProfile { name }`
export const createProfile = (content: string, options = {}) =>
  tryMutation(`createRoutingProfile(input: { ${content} }) { ${profileFields} }`, {}, options)

export const profileActions = {
  activateRoutingProfile: { to: 'active', fact: 'activated' },
  deactivateRoutingProfile: { to: 'inactive', fact: 'deactivated' },
  archiveRoutingProfile: { to: 'archived', fact: 'archived' },
} as const
export type ProfileAction = keyof typeof profileActions

export const doesProfile = (name: ProfileAction, id: string, options = {}) =>
  tryMutation(`${name}(routingProfileId: $id) { status }`, { id }, options)

/**
 * Takes all agents offline and abandons waiting interactions, so that each test has agents of its
 * own.
 */
export async function clearTheFloor(): Promise<void> {
  await bank.rows(`update channels.agent set status = 'offline'`)
  await bank.rows(`update channels.interaction set status = 'abandoned' where status = 'waiting'`)
}
