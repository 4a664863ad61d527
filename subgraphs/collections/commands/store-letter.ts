import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { companionId } from '../../../kernel/environment/ids.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import { stepEvent } from '../events.ts'
import { renderLetter, type SentLetter } from '../files/letter-file.ts'
import type { CollectionsStep } from '../model/episode.ts'
import {
  LetterRecipientDocument,
  SentCollectionsLetterDocument,
  StoredCollectionsLetterDocument,
  StoreCollectionsLetterDocument,
} from '../queries.generated.ts'
import { episodes, steps } from '../store/episode.ts'

/**
 * Stores a letter that was sent as a document of its party. Returns 0 while the letter is not sent
 * yet. A letter that is not sent at all is not stored.
 */
export async function storeLetter(context: Context, step: CollectionsStep): Promise<number> {
  const { bank } = context
  const notificationId = step.notificationId!
  const { notification } = await bank.queryGraph(SentCollectionsLetterDocument, { notificationId })
  const { status, renderedBody } = notification!
  if (status === 'QUEUED' || status === 'ACCEPTED') return 0
  if (status === 'SUPPRESSED' || status === 'FAILED' || !renderedBody) {
    return changeStep(context, step, { documentState: 'none' })
  }
  const { partyContacts } = await bank.queryGraph(LetterRecipientDocument, {
    partyId: step.partyId,
  })
  const letter: SentLetter = {
    subject: notification!.renderedSubject ?? null,
    body: renderedBody,
    language: notification!.language,
    recipient: partyContacts![0]?.displayName ?? null,
  }
  try {
    const documentId = await attach(context, step, letter)
    return await changeStep(context, step, { documentState: 'stored', documentId })
  } catch (error) {
    if (!isFinal(error)) throw error
    if (await isStored(context, step)) {
      return changeStep(context, step, { documentState: 'stored', documentId: documentOf(step) })
    }
    const { collectionsStepId } = step
    bank.log.error({ collectionsStepId, code: error.code }, 'a collections letter was not stored')
    return changeStep(context, step, { documentState: 'refused', failureCode: error.code })
  }
}

async function attach(
  context: Context,
  step: CollectionsStep,
  letter: SentLetter,
): Promise<string> {
  const episode = (await episodes.find(context, step.collectionsEpisodeId))!
  const content = await renderLetter(step, episode, letter)
  const documentId = documentOf(step)
  const variables = {
    documentId,
    partyId: step.partyId,
    title: `Letter about arrears of ${step.decidedOn}`,
    content: content.toString('base64'),
    fileName: `arrears-${step.decidedOn}.pdf`,
  }
  // A letter that was refused and is stored again has another version, and so another key.
  const idempotencyKey = `collections-letter:${documentId}:${step.version}`
  const request = { caller: bankCaller, idempotencyKey }
  await context.bank.queryGraph(StoreCollectionsLetterDocument, variables, request)
  return documentId
}

/** The ID follows from the step, so that a repetition after a crash stores no second document. */
const documentOf = ({ collectionsStepId }: CollectionsStep) =>
  companionId('document', collectionsStepId)

/**
 * Whether the document of a letter was stored before the process died. A repetition of the request is
 * rejected if the content differs, for example because the name of the party has changed in between.
 * The document is then right as it is: it has the name of the day on which it was stored.
 */
async function isStored({ bank }: Context, step: CollectionsStep): Promise<boolean> {
  const documentId = documentOf(step)
  const { document } = await bank.queryGraph(StoredCollectionsLetterDocument, { documentId })
  return document?.documentType === 'collections-letter' && document.party?.partyId === step.partyId
}

type Stored = Partial<Pick<CollectionsStep, 'documentState' | 'documentId' | 'failureCode'>>

function changeStep(
  context: Context,
  { collectionsStepId }: CollectionsStep,
  changes: Stored,
): Promise<number> {
  return command<number>(context, 'collections.letter', { collectionsStepId }, async () => {
    const before = (await steps.find(context, collectionsStepId))!
    if (before.documentState !== 'wanted') return { result: 0 }
    const updatedAt = context.now()
    const after = { ...before, ...changes, version: before.version + 1, updatedAt }
    const episode = (await episodes.find(context, before.collectionsEpisodeId))!
    const next = { ...episode, version: episode.version + 1, updatedAt }
    const isStored = after.documentState === 'stored'
    return {
      result: 1,
      writes: [steps.update(before, after), ...(isStored ? [episodes.update(episode, next)] : [])],
      events: isStored ? [stepEvent('collections.episode.letter-stored', next, after)] : [],
    }
  })
}
