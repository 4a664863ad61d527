import type { Decision } from '../model/routing-decision.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { updateMany, type Write } from '../../../kernel/writing/writes.ts'
import type { Interaction } from '../model/interaction.ts'
import type { InteractionEvent } from '../events.ts'
import { tableOf } from '../../../kernel/writing/table.ts'

type StoredDecision = Omit<Decision, 'reevaluateAt'> & { reevaluateAt: string | null }
type InteractionRow = Omit<Interaction, 'decision'> & { decision: StoredDecision | null }

function decisionOf(decision: StoredDecision | null): Decision | null {
  if (!decision) return null
  const { reevaluateAt } = decision
  return { ...decision, reevaluateAt: reevaluateAt === null ? null : new Date(reevaluateAt) }
}

export const interactionTable = tableOf<Interaction, InteractionRow>(
  'channels.interaction',
  'interactionId',
  ({ db }) => db.interaction,
  (row) => ({ ...row, decision: decisionOf(row.decision) }),
)

export const ownersOf = ({ partyId }: Interaction): string[] => (partyId === null ? [] : [partyId])

export const interactionKind: RecordKind<Interaction, InteractionEvent> = {
  ...interactionTable,
  entity: 'interaction',
  id: 'interaction',
  notFound: 'INTERACTION_NOT_FOUND',
  created: 'channels.interaction.received',
  ownersOf,
  snapshot: (interaction) => {
    const { interactionId, partyId, caseId, channel, direction, status } = interaction
    const { routingProfileId, queueId, agentId } = interaction
    const routing = { routingProfileId, queueId, agentId }
    return { interactionId, partyId, caseId, channel, direction, status, ...routing }
  },
  isPublished: false,
}

interface InteractionFilter {
  partyId: string | null
  caseId: string | null
  queueId: string | null
  agentId: string | null
  status: string | null
}

/**
 * Lists interactions, oldest first. Delegated users get only their own interactions, and none if they
 * filter by a queue or an agent, which they may not know.
 */
export async function listInteractions(
  context: Context,
  filter: InteractionFilter,
  after: string[] | null,
  take: number,
): Promise<Interaction[]> {
  const partyId = filter.partyId ?? context.caller.partyId
  if (!maySee(context.caller, [partyId])) return []
  const isOfStaff = filter.queueId !== null || filter.agentId !== null
  if (isOfStaff && context.caller.partyId !== null) return []
  return interactionTable.list(context, { ...filter, partyId }, after, take)
}

/** Loads interactions by ID. Interactions that the caller may not see are null. */
export const loadInteraction = loader<string, Interaction>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => interactionTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** Whether interactions wait for an agent. */
export const areInteractionsWaitingSql =
  "exists (select from channels.interaction where status = 'waiting')"

/**
 * Returns up to `take` waiting interactions, longest waiting first. If `last` is not null, starts
 * after it.
 */
export function findWaiting(
  context: Context,
  last: Interaction | null,
  take: number,
): Promise<Interaction[]> {
  const after = last && [last.waitingSince!.toISOString(), last.interactionId]
  return interactionTable.findMany(context, {
    where: { status: 'waiting', ...afterTimeAndId('waitingSince', 'interactionId', after) },
    orderBy: [{ waitingSince: 'asc' }, { interactionId: 'asc' }],
    take,
  })
}

/**
 * Returns the write that saves the assignments of interactions. The interactions already have their
 * new versions.
 */
export function writeRouted(interactions: readonly Interaction[]): Write {
  return updateMany(
    'channels.interaction',
    'interaction_id',
    interactions.map((each) => ({
      interaction_id: each.interactionId,
      version: each.version - 1,
      status: each.status,
      queue_id: each.queueId,
      agent_id: each.agentId,
      decision: each.decision,
      waiting_since: each.waitingSince,
      updated_at: each.updatedAt,
    })),
  )
}
