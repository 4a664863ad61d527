import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { mayRepeat, repeatStep } from '../domain/episode.ts'
import { Problem } from '../domain/problems.ts'
import type { CollectionsEpisode, CollectionsStep, CollectionsStepRetry } from '../model/episode.ts'
import { episodes, findStepsToRetry, steps } from '../store/episode.ts'

/** The maximum number of steps per request, which are one commit. */
const maxRetried = 100

/**
 * Has a failed step carried out again, with the figures of the last nightly run, or the document of a
 * letter stored again. Throws COLLECTIONS_STEP_NOT_FOUND, and STATE_CONFLICT unless the document was
 * refused, or the step failed and its episode is pursued.
 */
export function retryStep(context: Context, collectionsStepId: string): Promise<CollectionsStep> {
  requireBank(context)
  const input = { collectionsStepId }
  return command<CollectionsStep>(context, 'retryCollectionsStep', input, async () => {
    const before = await steps.find(context, collectionsStepId)
    if (!before) throw new Problem('COLLECTIONS_STEP_NOT_FOUND', { resourceId: collectionsStepId })
    if (before.state === 'due') return { result: before, resourceId: collectionsStepId }
    const episode = (await episodes.find(context, before.collectionsEpisodeId))!
    if (!mayRepeat(before, episode)) {
      const detail =
        'Only a failed step of an open episode that is not paused, or a letter whose document was ' +
        'refused, can be repeated.'
      throw new Problem('STATE_CONFLICT', { detail, resourceId: collectionsStepId })
    }
    const after = repeated(context, before, episode)
    return {
      result: after,
      resourceId: collectionsStepId,
      writes: [steps.update(before, after)],
    }
  })
}

/** Has steps that can be repeated carried out again, as `retryStep` does for one. */
export function retrySteps(
  context: Context,
  input: { failureCode: string | null },
): Promise<CollectionsStepRetry> {
  return command<CollectionsStepRetry>(context, 'retryCollectionsSteps', input, async () => {
    const found = await findStepsToRetry(context, input.failureCode, maxRetried + 1)
    const before = found.slice(0, maxRetried)
    const ids = before.map(({ collectionsEpisodeId }) => collectionsEpisodeId)
    const ofSteps = await episodes.loadMany(context, ids)
    return {
      result: { retried: before.length, hasMore: found.length > maxRetried },
      writes: before.map((step, index) =>
        steps.update(step, repeated(context, step, ofSteps[index]!)),
      ),
    }
  })
}

const repeated = (context: Context, step: CollectionsStep, episode: CollectionsEpisode) => ({
  ...repeatStep(step, episode),
  version: step.version + 1,
  updatedAt: context.now(),
})
