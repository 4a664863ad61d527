import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import type { CollectionsEpisode } from '../model/episode.ts'
import {
  CloseCollectionsCaseDocument,
  CollectionsCaseDocument,
  ResolveCollectionsCaseDocument,
  ResumeCollectionsCaseDocument,
  StartCollectionsCaseDocument,
} from '../queries.generated.ts'
import { episodes } from '../store/episode.ts'

/**
 * Closes the case of a closed episode, whatever the status of the case. A run after a crash
 * continues from the current status of the case.
 */
export async function closeCase(context: Context, episode: CollectionsEpisode): Promise<number> {
  const { collectionsEpisodeId } = episode
  try {
    await moveToClosed(context, episode)
  } catch (error) {
    if (!isFinal(error)) throw error
    // The case may have been changed concurrently. The next run retries.
    context.bank.log.warn({ collectionsEpisodeId, code: error.code }, 'the case was not closed')
    return 0
  }
  return command<number>(context, 'collections.case-closed', { collectionsEpisodeId }, async () => {
    const before = (await episodes.find(context, collectionsEpisodeId))!
    if (before.caseState !== 'open') return { result: 0 }
    const after: CollectionsEpisode = {
      ...before,
      caseState: 'closed',
      version: before.version + 1,
      updatedAt: context.now(),
    }
    return { result: 1, writes: [episodes.update(before, after)] }
  })
}

async function moveToClosed({ bank }: Context, episode: CollectionsEpisode): Promise<void> {
  const caseId = episode.caseId!
  const outcome = `Arrears: ${episode.closeReason!.replaceAll('-', ' ')}.`
  let status: string | undefined = (await bank.queryGraph(CollectionsCaseDocument, { caseId })).case
    ?.status
  if (status === 'OPEN') {
    status = (await bank.queryGraph(StartCollectionsCaseDocument, { caseId })).startCase.status
  }
  if (status === 'WAITING_FOR_CUSTOMER') {
    status = (await bank.queryGraph(ResumeCollectionsCaseDocument, { caseId })).resumeCase.status
  }
  if (status === 'IN_PROGRESS') {
    const resolved = await bank.queryGraph(ResolveCollectionsCaseDocument, { caseId, outcome })
    status = resolved.resolveCase.status
  }
  if (status === 'RESOLVED') await bank.queryGraph(CloseCollectionsCaseDocument, { caseId })
}
