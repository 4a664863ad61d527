import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { afterTimeAndId } from '../../_kernel/graph/connection.ts'
import type { Kind } from '../../_kernel/records.ts'
import { updateMany, type Write } from '../../_kernel/writes.ts'
import type { Interaction } from '../domain/interaction.ts'
import type { Decision } from '../domain/routing.ts'
import type { InteractionEvent } from '../events.ts'
import { tableOf } from '../../_kernel/table.ts'

function decisionOf(stored: Prisma.JsonValue): Decision | null {
  const decision = stored as unknown as (Decision & { lookAgainAt: string | null }) | null
  if (!decision) return null
  const { lookAgainAt } = decision
  return { ...decision, lookAgainAt: lookAgainAt === null ? null : new Date(lookAgainAt) }
}

export const interactionTable = tableOf<Interaction, Prisma.InteractionGetPayload<object>>(
  'channels.interaction',
  'interactionId',
  ({ db }) => db.interaction,
  (row) => ({
    ...row,
    channel: row.channel as Interaction['channel'],
    direction: row.direction as Interaction['direction'],
    status: row.status as Interaction['status'],
    decision: decisionOf(row.decision),
  }),
)

export const ownersOf = ({ partyId }: Interaction): string[] => (partyId === null ? [] : [partyId])

export const interactionKind: Kind<Interaction, InteractionEvent> = {
  ...interactionTable,
  entity: 'interaction',
  id: 'interaction',
  notFound: 'INTERACTION_NOT_FOUND',
  created: 'channels.interaction.received',
  ownersOf,
  snapshot: (interaction) => {
    const { interactionId, partyId, caseId, channel, direction, status } = interaction
    const { routingProfileId, queueId, agentId } = interaction
    const place = { routingProfileId, queueId, agentId }
    return { interactionId, partyId, caseId, channel, direction, status, ...place }
  },
  isPublished: false,
}

/** Loads interactions by id; null for those the caller cannot see. */
export const loadInteraction = loader<string, Interaction>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => interactionTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** Waiting interactions, longest waiting first, optionally after a given one. */
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
 * Writes the assignments of waiting interactions. Each carries its version after the assignment.
 */
export function writeRouted(moved: readonly Interaction[]): Write {
  return updateMany(
    'channels.interaction',
    'interaction_id',
    moved.map((each) => ({
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
