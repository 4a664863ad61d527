import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import { closeCase } from '../commands/close-case.ts'
import {
  closeEpisodes as closeFromEvents,
  closer,
  endingTypes,
} from '../commands/close-episodes.ts'
import { processPage, startRun } from '../commands/run-page.ts'
import { takeStep } from '../commands/take-step.ts'
import {
  areCasesToCloseSql,
  areStepsDueSql,
  findCasesToClose,
  findDueSteps,
} from '../store/episode.ts'
import { findLatestRun, runs } from '../store/run.ts'

const batchSize = 50

/**
 * Decides the steps of all contracts in arrears once a day, page by page. The checkpoint is committed
 * with each page, so that a run continues after a crash and several processes can share it.
 */
export const decideSteps: Worker = {
  name: 'collections.decide-steps',
  nightlyPhase: 'collections',
  followsClock: true,
  purpose: 'Decides which steps of the collections strategies are due, after the end of day.',
  everyMs: 60_000,
  wakeOn: ['lending.end-of-day.completed', 'collections.strategy.approved'],
  async run(context: Context): Promise<number> {
    const today = dateOf(context.now())
    const run = (await runs.find(context, today)) ?? (await startRun(context))
    if (run?.status !== 'running') return 0
    await processPage(context, run)
    return 1
  },
  async progress(context: Context) {
    const run = await findLatestRun(context)
    return run && { businessDate: run.businessDate, done: run.processed, total: null }
  },
}

/** Carries out the steps that were decided. */
export const takeSteps: Worker = {
  name: 'collections.take-steps',
  nightlyPhase: 'collections',
  followsClock: true,
  purpose: 'Sends the letters and opens the cases that the collections strategies decided.',
  everyMs: dueFallbackMs,
  isDueSql: areStepsDueSql,
  async run(context: Context): Promise<number> {
    const due = await findDueSteps(context, batchSize)
    return processEach(context, due, (step) => takeStep(context, step))
  },
}

/** Closes the episodes of contracts that are no longer in arrears. */
export const closeEpisodes: Worker = {
  name: closer,
  purpose: 'Closes the collections episodes of contracts that are no longer in arrears.',
  everyMs: dueFallbackMs,
  wakeOn: endingTypes,
  run: closeFromEvents,
}

/** Closes the cases of episodes that are closed. */
export const closeCases: Worker = {
  name: 'collections.close-cases',
  purpose: 'Closes the cases of collections episodes that are closed.',
  everyMs: dueFallbackMs,
  isDueSql: areCasesToCloseSql,
  duePauseMs: 5000,
  async run(context: Context): Promise<number> {
    const episodes = await findCasesToClose(context, batchSize)
    return processEach(context, episodes, (episode) => closeCase(context, episode))
  },
}
