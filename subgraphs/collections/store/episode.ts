import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { CollectionsEpisode, CollectionsStep } from '../model/episode.ts'

const dateOrNull = (at: Date | null): LocalDate | null => at && dateOf(at)

export const episodes = tableOf<CollectionsEpisode, Prisma.CollectionsEpisodeGetPayload<object>>(
  'collections.episode',
  'collectionsEpisodeId',
  ({ db }) => db.collectionsEpisode,
  (row) => ({
    ...row,
    status: row.status as CollectionsEpisode['status'],
    pauseReason: row.pauseReason as CollectionsEpisode['pauseReason'],
    closeReason: row.closeReason as CollectionsEpisode['closeReason'],
    caseState: row.caseState as CollectionsEpisode['caseState'],
    openedOn: dateOf(row.openedOn),
    evaluatedOn: dateOf(row.evaluatedOn),
    pastDueSince: dateOf(row.pastDueSince),
    pausedUntil: dateOrNull(row.pausedUntil),
    nextStepOn: dateOrNull(row.nextStepOn),
    closedOn: dateOrNull(row.closedOn),
  }),
)

export const steps = tableOf<CollectionsStep, Prisma.CollectionsStepGetPayload<object>>(
  'collections.step',
  'collectionsStepId',
  ({ db }) => db.collectionsStep,
  (row) => ({
    ...row,
    action: row.action as CollectionsStep['action'],
    state: row.state as CollectionsStep['state'],
    channel: row.channel as CollectionsStep['channel'],
    priority: row.priority as CollectionsStep['priority'],
    documentState: row.documentState as CollectionsStep['documentState'],
    decidedOn: dateOf(row.decidedOn),
    pastDueSince: dateOf(row.pastDueSince),
  }),
)

/** Finds the open episodes of contracts, by contract. */
export async function findOpen(
  context: Context,
  contracts: readonly string[],
): Promise<Map<string, CollectionsEpisode>> {
  const where = { contract: { in: [...contracts] }, status: 'open' }
  const found = await episodes.findMany(context, { where })
  return new Map(found.map((episode) => [episode.contract, episode]))
}

/** Finds open episodes that no nightly run has looked at since a day, in the order of their IDs. */
export function findNotEvaluated(
  context: Context,
  since: LocalDate,
  after: string,
  take: number,
): Promise<CollectionsEpisode[]> {
  return episodes.findMany(context, {
    where: {
      status: 'open',
      evaluatedOn: { lt: new Date(since) },
      collectionsEpisodeId: { gt: after },
    },
    orderBy: { collectionsEpisodeId: 'asc' },
    take,
  })
}

/** Finds closed episodes whose case is still open. */
export function findCasesToClose(context: Context, take: number): Promise<CollectionsEpisode[]> {
  return episodes.findMany(context, {
    where: { status: 'closed', caseState: 'open' },
    orderBy: { collectionsEpisodeId: 'asc' },
    take,
  })
}

// Of the steps of one night, a case is opened before it is escalated.
const stepOrder = [{ createdAt: 'asc' }, { action: 'desc' }, { collectionsStepId: 'asc' }]

/** Finds the steps of episodes, by episode, in the order in which they were decided. */
export async function findStepsOf(
  context: Context,
  episodeIds: readonly string[],
): Promise<Map<string, CollectionsStep[]>> {
  const where = { collectionsEpisodeId: { in: [...episodeIds] } }
  const found = await steps.findMany(context, { where, orderBy: stepOrder })
  return listsByKey(found)
}

function listsByKey(found: readonly CollectionsStep[]): Map<string, CollectionsStep[]> {
  const lists = new Map<string, CollectionsStep[]>()
  for (const step of found) {
    const { collectionsEpisodeId } = step
    lists.set(collectionsEpisodeId, [...(lists.get(collectionsEpisodeId) ?? []), step])
  }
  return lists
}

/** Finds steps that are decided and not carried out, oldest first. */
export function findDueSteps(context: Context, take: number): Promise<CollectionsStep[]> {
  return steps.findMany(context, { where: { state: 'due' }, orderBy: stepOrder, take })
}

const stepsToRetrySql = `select s.collections_step_id as "id" from collections.step s
  join collections.episode e using (collections_episode_id)
  where (s.state = 'failed' or s.document_state = 'refused')
    and (s.document_state = 'refused' or (e.status = 'open' and e.pause_reason is null))
    and ($1::text is null or s.failure_code = $1)
  order by s.updated_at, s.collections_step_id limit $2`

/**
 * Finds steps that can be repeated, the least recently changed first: a step that has just failed again
 * comes after all others.
 */
export async function findStepsToRetry(
  context: Context,
  failureCode: string | null,
  take: number,
): Promise<CollectionsStep[]> {
  const found = await readRows<{ id: string }>(context.bank, stepsToRetrySql, [failureCode, take])
  const ids = found.map(({ id }) => id)
  const where = { collectionsStepId: { in: ids } }
  return ids.length === 0 ? [] : steps.findMany(context, { where, orderBy: stepOrder })
}

/** Finds letters that are not stored as documents after an ID, in the order of their IDs. */
export function findUndocumented(
  context: Context,
  after: string,
  take: number,
): Promise<CollectionsStep[]> {
  return steps.findMany(context, {
    where: { documentState: 'wanted', collectionsStepId: { gt: after } },
    orderBy: { collectionsStepId: 'asc' },
    take,
  })
}

/** Finds the letters among notifications that are not stored as documents. */
export function findUndocumentedOf(
  context: Context,
  notificationIds: readonly string[],
): Promise<CollectionsStep[]> {
  return steps.findMany(context, {
    where: { documentState: 'wanted', notificationId: { in: [...notificationIds] } },
    orderBy: { collectionsStepId: 'asc' },
  })
}

export const areStepsDueSql = "exists (select from collections.step where state = 'due')"
export const areCasesToCloseSql =
  "exists (select from collections.episode where status = 'closed' and case_state = 'open')"

/** Loads episodes by ID. For delegated users, the result is null. */
export const loadEpisode = loader<string, CollectionsEpisode>(async (context, ids) =>
  context.caller.partyId === null ? episodes.loadMany(context, ids) : ids.map(() => null),
)

/** Loads the open episodes of contracts. For delegated users, the result is null. */
export const loadOpenEpisode = loader<string, CollectionsEpisode>(async (context, contracts) => {
  if (context.caller.partyId !== null) return contracts.map(() => null)
  const found = await findOpen(context, contracts)
  return contracts.map((contract) => found.get(contract) ?? null)
})

/** Loads the steps of episodes. */
export const loadSteps = loader<string, CollectionsStep[]>(async (context, ids) => {
  const found = await findStepsOf(context, ids)
  return ids.map((id) => found.get(id) ?? [])
})
