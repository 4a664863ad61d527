import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, updateMany } from '../../../kernel/writing/writes.ts'
import { strategyFor } from '../domain/choose-strategy.ts'
import { facilityOf, type LateContract } from '../domain/contract.ts'
import { decideStep, openEpisode, withEvaluation } from '../domain/episode.ts'
import { evaluate, isEpisodeDue, pauseBeforeDispute, type Evaluation } from '../domain/steps.ts'
import { episodeEvent } from '../events.ts'
import type { CollectionsEpisode, CollectionsStep } from '../model/episode.ts'
import type { CollectionsStrategy } from '../model/strategy.ts'
import { findOpen, findStepsOf } from '../store/episode.ts'
import { queryEach } from './query-each.ts'
import { withDispute } from './read-late.ts'

/** What a nightly run does for one contract. */
export interface Pursuit {
  contract: LateContract
  strategy: CollectionsStrategy | null
  /** The open episode; null if one begins. */
  before: CollectionsEpisode | null
  evaluation: Evaluation
}

/**
 * Decides what a nightly run does for contracts that are past due. Contracts without an open episode
 * are left out until the first step of their strategy is due. `on` is the day of the run.
 */
export async function pursuitsOf(
  context: Context,
  contracts: readonly LateContract[],
  strategies: readonly CollectionsStrategy[],
  on: LocalDate,
): Promise<Pursuit[]> {
  const open = await findOpen(
    context,
    contracts.map(({ contract }) => contract),
  )
  const ids = [...open.values()].map(({ collectionsEpisodeId }) => collectionsEpisodeId)
  const history = await findStepsOf(context, ids)
  const pursued = contracts.flatMap((contract) => {
    const strategy = strategyFor(strategies, contract, on)
    const before = open.get(contract.contract) ?? null
    const isPursued = before !== null || (strategy !== null && isEpisodeDue(strategy, contract))
    return isPursued ? [{ contract, strategy, before }] : []
  })
  return queryEach(pursued, async ({ contract: late, strategy, before }) => {
    // The query is saved if its result would not matter.
    const contract = pauseBeforeDispute(late, on) ? late : await withDispute(context, late)
    const former = before ? (history.get(before.collectionsEpisodeId) ?? []) : []
    const evaluation = evaluate(strategy ?? noStrategy, contract, former, on)
    return { contract, strategy, before, evaluation }
  })
}

/**
 * Leaves out facilities that were cured since their page was read. The commit requires that those for
 * which an episode begins or a step is decided do not change.
 */
export async function withoutCured(
  context: Context,
  pursuits: readonly Pursuit[],
): Promise<Pursuit[]> {
  const isHeld = ({ contract: { contract }, before, evaluation }: Pursuit) =>
    facilityOf(contract) !== null && (before === null || evaluation.steps.length > 0)
  const held = pursuits.filter(isHeld)
  const facts = await readHeldFacts(
    context,
    held.map(({ contract: { contract } }) => contract),
  )
  const cured = new Set(held.filter((_, index) => facts[index]?.['state'] !== 'in-arrears'))
  return pursuits.filter((pursuit) => !cured.has(pursuit))
}

/** An open episode is kept without steps if no strategy is left for its contract. */
const noStrategy = { steps: [], daysBetweenLetters: 1, minimumAmounts: [] }

/** Returns the writes and events of pursuits, and the number of steps that were decided. */
export function changesOf(context: Context, pursuits: readonly Pursuit[]) {
  const now = context.now()
  const today = dateOf(now)
  const changes = pursuits.map((pursuit) => changeOf(context, pursuit, now, today))
  const opened = changes.filter(({ before }) => before === null).map(({ episode }) => episode)
  const changed = changes.filter(({ before }) => before !== null).map(({ episode }) => episode)
  const decided = changes.flatMap(({ steps }) => steps)
  return {
    steps: decided.length,
    writes: [
      ...(opened.length > 0 ? [insert('collections.episode', ...opened.map(columnsOf))] : []),
      ...(changed.length > 0 ? [updateEpisodes(changed)] : []),
      ...(decided.length > 0 ? [insert('collections.step', ...decided.map(columnsOf))] : []),
    ],
    events: changes.flatMap(({ events }) => events),
  }
}

/** Returns the write of episodes, which already have their new versions. */
export function updateEpisodes(changed: readonly CollectionsEpisode[]) {
  const rows = changed.map(({ version, ...episode }) => ({
    ...columnsOf(episode),
    version: version - 1,
  }))
  return updateMany('collections.episode', 'collections_episode_id', rows)
}

interface Change {
  before: CollectionsEpisode | null
  episode: CollectionsEpisode
  steps: CollectionsStep[]
  events: DomainEvent[]
}

function changeOf(
  context: Context,
  { contract, strategy, before, evaluation }: Pursuit,
  now: Date,
  today: LocalDate,
): Change {
  const strategyId = strategy?.collectionsStrategyId ?? before!.collectionsStrategyId
  const base = before ?? newEpisode(context, contract, strategyId, now)
  const evaluated = withEvaluation(base, contract, evaluation, strategyId, today)
  const version = before ? before.version + 1 : 1
  const episode = { ...evaluated, version, updatedAt: now }
  const steps = evaluation.steps.map((step) =>
    decideStep(episode, step, context.newId('collectionsStep'), now),
  )
  const opened = before ? [] : [episodeEvent('collections.episode.opened', episode)]
  return { before, episode, steps, events: [...opened, ...pauseEvents(before, episode)] }
}

function pauseEvents(before: CollectionsEpisode | null, episode: CollectionsEpisode) {
  const reasonBefore = before?.pauseReason ?? null
  if (episode.pauseReason === reasonBefore) return []
  const type = episode.pauseReason === null ? 'resumed' : 'paused'
  return [episodeEvent(`collections.episode.${type}`, episode)]
}

function newEpisode(
  context: Context,
  contract: LateContract,
  strategyId: string,
  now: Date,
): CollectionsEpisode {
  const collectionsEpisodeId = context.newId('collectionsEpisode')
  const stamp = {
    collectionsEpisodeId,
    contentHash: '',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return openEpisode(contract, strategyId, dateOf(now), stamp)
}
