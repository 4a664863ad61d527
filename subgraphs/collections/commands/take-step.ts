import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { companionId } from '../../../kernel/environment/ids.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import { accountOf, facilityOf } from '../domain/contract.ts'
import { Problem } from '../domain/problems.ts'
import { stepEvent } from '../events.ts'
import type { CollectionsEpisode, CollectionsStep } from '../model/episode.ts'
import {
  EscalateCollectionsCaseDocument,
  OpenCollectionsCaseDocument,
  SendCollectionsLetterDocument,
} from '../queries.generated.ts'
import { episodes, findStepsOf, steps } from '../store/episode.ts'

/** What a step that was carried out adds to its record. */
type Outcome = Partial<Pick<CollectionsStep, 'notificationId' | 'caseId' | 'documentState'>>

/**
 * Carries out a step that was decided, and records it. Each request has an idempotency key or an ID
 * that follows from the step, so that a repetition after a crash has no second effect. The step is
 * also carried out if the arrears were cured in between: it may have been carried out already.
 */
export async function takeStep(context: Context, step: CollectionsStep): Promise<number> {
  const episode = (await episodes.find(context, step.collectionsEpisodeId))!
  if (step.action === 'escalate' && (await isCaseDue(context, step))) return 0
  try {
    return await recordStep(context, step, await performs[step.action](context, step, episode))
  } catch (error) {
    if (!isFinal(error)) throw error
    const { collectionsStepId } = step
    context.bank.log.warn(
      { collectionsStepId, code: error.code },
      'a collections step was rejected',
    )
    return recordFailure(context, step, error.code)
  }
}

/** Whether another process is about to open the case of the episode. */
async function isCaseDue(context: Context, { collectionsEpisodeId }: CollectionsStep) {
  const found = await findStepsOf(context, [collectionsEpisodeId])
  const ofEpisode = found.get(collectionsEpisodeId) ?? []
  return ofEpisode.some(({ action, state }) => action === 'open-case' && state === 'due')
}

const performs: Readonly<
  Record<
    CollectionsStep['action'],
    (context: Context, step: CollectionsStep, episode: CollectionsEpisode) => Promise<Outcome>
  >
> = { 'send-letter': sendLetter, 'open-case': openCase, escalate }

async function sendLetter(
  { bank }: Context,
  step: CollectionsStep,
  episode: CollectionsEpisode,
): Promise<Outcome> {
  const variables = {
    partyId: step.partyId,
    channel: enumValueOf(step.channel!) as 'EMAIL',
    templateCode: step.templateCode!,
    personalization: letterValues(step, episode),
  }
  const { createNotification } = await bank.queryGraph(
    SendCollectionsLetterDocument,
    variables,
    requestOf(step),
  )
  const { notificationId, status } = createNotification
  return { notificationId, documentState: status === 'SUPPRESSED' ? 'none' : 'wanted' }
}

/** The variables of a letter. The guide to collecting arrears lists them. */
function letterValues(step: CollectionsStep, { contract }: CollectionsEpisode) {
  return {
    contractId: facilityOf(contract) ?? accountOf(contract)!,
    arrears: formatAmount(step.arrearsMinor, step.currency),
    currency: step.currency,
    daysPastDue: step.daysPastDue,
    pastDueSince: step.pastDueSince,
    letterDate: step.decidedOn,
  }
}

async function openCase(
  { bank }: Context,
  step: CollectionsStep,
  { contract, collectionsEpisodeId }: CollectionsEpisode,
): Promise<Outcome> {
  const { partyId, priority, routingProfileId, currency, daysPastDue, pastDueSince } = step
  const arrears = `${formatAmount(step.arrearsMinor, currency)} ${currency}`
  const caseId = companionId('case', step.collectionsStepId)
  const description = `${arrears} is past due for ${daysPastDue} days, since ${pastDueSince}.`
  const variables = {
    caseId,
    partyId,
    title: facilityOf(contract) === null ? 'Arrears of an overdraft' : 'Arrears of a facility',
    description,
    subjects: [contract, `collections-episode/${collectionsEpisodeId}`],
    priority: priority && (enumValueOf(priority) as 'NORMAL'),
    routingProfileId,
  }
  await bank.queryGraph(OpenCollectionsCaseDocument, variables, requestOf(step))
  return { caseId }
}

async function escalate(
  { bank }: Context,
  step: CollectionsStep,
  { caseId }: CollectionsEpisode,
): Promise<Outcome> {
  if (caseId === null) {
    throw new Problem('COLLECTIONS_CASE_MISSING', { detail: 'There is no case to escalate.' })
  }
  const variables = { caseId, routingProfileId: step.routingProfileId! }
  await bank.queryGraph(EscalateCollectionsCaseDocument, variables, requestOf(step))
  return { caseId }
}

/** A step that failed and is repeated has another version, and so another key. */
const requestOf = ({ collectionsStepId, version }: CollectionsStep) => ({
  caller: bankCaller,
  idempotencyKey: `collections:${collectionsStepId}:${version}`,
})

/** Enum values in GraphQL are in upper case, with underscores. */
const enumValueOf = (value: string) => value.toUpperCase().replaceAll('-', '_')

/** Records a step that was carried out. Does nothing if another process has recorded it. */
function recordStep(context: Context, step: CollectionsStep, outcome: Outcome): Promise<number> {
  return changeStep(context, step, 'collections.episode.step-taken', (before, now) => ({
    ...before,
    ...outcome,
    state: 'taken',
    failureCode: null,
    takenAt: now,
  }))
}

function recordFailure(context: Context, step: CollectionsStep, code: string): Promise<number> {
  return changeStep(context, step, 'collections.episode.step-failed', (before) => ({
    ...before,
    state: 'failed',
    failureCode: code,
  }))
}

function changeStep(
  context: Context,
  { collectionsStepId, version }: CollectionsStep,
  type: Parameters<typeof stepEvent>[0],
  decide: (before: CollectionsStep, now: Date) => CollectionsStep,
): Promise<number> {
  return command<number>(context, 'collections.step', { collectionsStepId }, async () => {
    const before = (await steps.find(context, collectionsStepId))!
    if (before.state !== 'due' || before.version !== version) return { result: 0 }
    const now = context.now()
    const after = { ...decide(before, now), version: version + 1, updatedAt: now }
    const episode = (await episodes.find(context, before.collectionsEpisodeId))!
    const isNewCase = after.action === 'open-case' && after.caseId !== null
    const changed: CollectionsEpisode = isNewCase
      ? { ...episode, caseId: after.caseId, caseState: 'open' }
      : episode
    const next = { ...changed, version: episode.version + 1, updatedAt: now }
    return {
      result: 1,
      writes: [steps.update(before, after), episodes.update(episode, next)],
      events: [stepEvent(type, next, after)],
    }
  })
}
