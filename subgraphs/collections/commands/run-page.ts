import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { accountOf } from '../domain/contract.ts'
import { closeEpisode, closeReasonOf } from '../domain/episode.ts'
import { episodeEvent } from '../events.ts'
import type { CollectionsCloseReason } from '../model/enumerations.ts'
import type { CollectionsEpisode, CollectionsRun } from '../model/episode.ts'
import { DaysClosedThroughDocument, LateOverdraftsDocument } from '../queries.generated.ts'
import { findNotEvaluated } from '../store/episode.ts'
import { findUnfinished, runs } from '../store/run.ts'
import { findApproved } from '../store/strategy.ts'
import { changesOf, pursuitsOf, updateEpisodes, withoutCured } from './evaluate-page.ts'
import { queryEach } from './query-each.ts'
import { readLatePage } from './read-late.ts'

/** The number of contracts per page. They are decided in one commit with the checkpoint. */
const pageSize = 100

/**
 * Starts the run of today, once the end of day has closed yesterday for every facility except those
 * that failed, and the exposures of all overdrafts are derived through yesterday. A run of an earlier day that has not
 * reached its end is superseded: the run of today looks at the same contracts. Returns null if it is
 * too early, or no strategy was approved.
 */
export async function startRun(context: Context): Promise<CollectionsRun | null> {
  const now = context.now()
  const businessDate = dateOf(now)
  return command<CollectionsRun | null>(
    context,
    'collectionsRun.started',
    { businessDate },
    async () => {
      const existing = await runs.find(context, businessDate)
      if (existing) return { result: existing }
      const strategies = await findApproved(context)
      if (strategies.length === 0) return { result: null }
      if (!(await isDayClosed(context, addDays(businessDate, -1)))) return { result: null }
      const stamp = { version: 1, createdAt: now, updatedAt: now }
      const progress = { checkpoint: null, processed: 0, steps: 0 }
      const run: CollectionsRun = {
        ...stamp,
        ...progress,
        businessDate,
        status: 'running',
        phase: 'facilities',
      }
      const unfinished = await findUnfinished(context)
      const superseded = unfinished.map((before) =>
        runs.update(before, { ...before, status: 'superseded', updatedAt: now }),
      )
      return { result: run, writes: [...superseded, runs.insert(run)] }
    },
  )
}

async function isDayClosed(context: Context, day: LocalDate): Promise<boolean> {
  const closed = await context.bank.queryGraph(DaysClosedThroughDocument, {})
  const { behind, failures } = closed.endOfDayPosition!
  // Null means that there are no overdrafts.
  const derivedThrough = closed.overdraftExposurePosition!.derivedThrough ?? day
  return behind <= failures.length && derivedThrough >= day
}

/**
 * Processes one page of a run: the episodes, the steps that are due and the checkpoint are one
 * commit. Nothing is written if another process has committed the page. A page on which a facility
 * changes at the same time is read again. The facilities come first, then the overdrafts, then the
 * open episodes that were in neither.
 */
export async function processPage(context: Context, run: CollectionsRun): Promise<void> {
  const { phase } = run
  if (phase === 'rest') return processRest(context, run)
  const nextPhase = phase === 'facilities' ? 'overdrafts' : 'rest'
  await changeRun(context, run, async (before) => {
    const today = before.businessDate
    const page = await readLatePage(context, phase, pageSize, before.checkpoint, today)
    const strategies = await findApproved(context)
    const decided = await pursuitsOf(context, page.contracts, strategies, today)
    const pursuits = await withoutCured(context, decided)
    const { steps, writes, events } = changesOf(context, pursuits)
    const place =
      page.next === null
        ? { phase: nextPhase as CollectionsRun['phase'], checkpoint: null }
        : { checkpoint: page.next }
    const count = page.contracts.length
    const after = { ...before, ...place, processed: before.processed + count }
    return { after: { ...after, steps: before.steps + steps }, writes, events }
  })
}

/** Closes the episodes whose contract is no longer in arrears, without waiting for their events. */
async function processRest(context: Context, run: CollectionsRun): Promise<void> {
  const { businessDate, checkpoint } = run
  await changeRun(context, run, async (before) => {
    const found = await findNotEvaluated(context, businessDate, checkpoint ?? '', pageSize)
    const closed = await closedOf(context, found)
    const last = found.at(-1)
    const after: CollectionsRun = last
      ? { ...before, checkpoint: last.collectionsEpisodeId }
      : { ...before, status: 'completed', checkpoint: null }
    return {
      after,
      writes: closed.length > 0 ? [updateEpisodes(closed)] : [],
      events: closed.map((episode) => episodeEvent('collections.episode.closed', episode)),
    }
  })
}

interface RunChange {
  after: CollectionsRun
  writes: readonly ReturnType<typeof runs.insert>[]
  events: readonly ReturnType<typeof episodeEvent>[]
}

function changeRun(
  context: Context,
  { businessDate, version }: CollectionsRun,
  decide: (before: CollectionsRun) => Promise<RunChange>,
): Promise<void> {
  return command<void>(context, 'collectionsRunPage', { businessDate }, async () => {
    const before = await runs.find(context, businessDate)
    if (before?.version !== version || before.status !== 'running') return { result: undefined }
    const { after, writes, events } = await decide(before)
    const update = runs.update(before, { ...after, updatedAt: context.now() })
    return { result: undefined, writes: [update, ...writes], events }
  })
}

async function closedOf(
  context: Context,
  found: readonly CollectionsEpisode[],
): Promise<CollectionsEpisode[]> {
  const facts = await readFacts(
    context,
    found.map(({ contract }) => contract),
  )
  const closed = await queryEach(found, async (episode, index) => {
    const accountId = accountOf(episode.contract)
    const fact = facts[index]
    const reason =
      accountId === null
        ? closeReasonOf(fact!['state'] as string)
        : await overdraftReason(context, accountId, fact?.['lifecycle'])
    return reason === null ? [] : [closedNow(context, episode, reason)]
  })
  return closed.flat()
}

/** Returns an episode that is closed now, with its next version. */
export function closedNow(
  context: Context,
  episode: CollectionsEpisode,
  reason: CollectionsCloseReason,
): CollectionsEpisode {
  const now = context.now()
  const closed = closeEpisode(episode, reason, dateOf(now))
  return { ...closed, version: episode.version + 1, updatedAt: now }
}

async function overdraftReason(
  { bank }: Context,
  arrangementId: string,
  lifecycle: unknown,
): Promise<CollectionsCloseReason | null> {
  if (lifecycle === 'ended') return 'ended'
  const variables = { first: 1, after: null, arrangementId }
  const { overdraftExposures } = await bank.queryGraph(LateOverdraftsDocument, variables)
  return overdraftExposures!.nodes.length > 0 ? null : 'cured'
}
