import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { CollectionsCloseReason } from '../model/enumerations.ts'
import type { CollectionsEpisode, CollectionsStep } from '../model/episode.ts'
import type { CollectionsStrategyStep } from '../model/strategy.ts'
import type { LateContract } from './contract.ts'
import type { Evaluation } from './steps.ts'

type Stamp = Versioned & { collectionsEpisodeId: string }

/** Opens an episode; its figures are set by `withEvaluation`. */
export function openEpisode(
  { contract, partyId, currency }: LateContract,
  collectionsStrategyId: string,
  today: LocalDate,
  stamp: Stamp,
): CollectionsEpisode {
  return {
    ...stamp,
    contract,
    partyId,
    currency,
    status: 'open',
    openedOn: today,
    evaluatedOn: today,
    daysPastDue: 0,
    arrearsMinor: 0n,
    pastDueSince: today,
    collectionsStrategyId,
    pauseReason: null,
    pausedUntil: null,
    nextStepCode: null,
    nextStepOn: null,
    caseId: null,
    caseState: 'none',
    closedOn: null,
    closeReason: null,
  }
}

/** Returns an episode with the figures and the decision of a nightly run. */
export function withEvaluation(
  episode: CollectionsEpisode,
  contract: LateContract,
  { pause, next }: Evaluation,
  collectionsStrategyId: string,
  today: LocalDate,
): CollectionsEpisode {
  return {
    ...episode,
    collectionsStrategyId,
    evaluatedOn: today,
    daysPastDue: contract.daysPastDue,
    arrearsMinor: contract.arrearsMinor,
    pastDueSince: contract.pastDueSince,
    pauseReason: pause?.reason ?? null,
    pausedUntil: pause?.until ?? null,
    nextStepCode: next?.code ?? null,
    nextStepOn: next?.on ?? null,
  }
}

/** Returns a decided step with the figures on which it was decided. */
export function decideStep(
  episode: CollectionsEpisode,
  step: CollectionsStrategyStep,
  collectionsStepId: string,
  now: Date,
): CollectionsStep {
  const { collectionsEpisodeId, partyId, currency, daysPastDue, arrearsMinor } = episode
  return {
    collectionsStepId,
    collectionsEpisodeId,
    partyId,
    code: step.code,
    action: step.action,
    state: 'due',
    decidedOn: episode.evaluatedOn,
    daysPastDue,
    arrearsMinor,
    currency,
    pastDueSince: episode.pastDueSince,
    templateCode: step.templateCode,
    channel: step.channel,
    priority: step.priority,
    routingProfileId: step.routingProfileId,
    notificationId: null,
    documentState: 'none',
    documentId: null,
    caseId: null,
    failureCode: null,
    takenAt: null,
    createdAt: now,
    version: 1,
    updatedAt: now,
  }
}

/** Whether a letter was sent, and the document with its text was refused. */
const isLetterRefused = ({ documentState }: CollectionsStep) => documentState === 'refused'

/** Whether a step can be repeated. A document is stored whether or not the episode is pursued. */
export function mayRepeat(
  step: CollectionsStep,
  { status, pauseReason }: CollectionsEpisode,
): boolean {
  if (isLetterRefused(step)) return true
  return step.state === 'failed' && status === 'open' && pauseReason === null
}

/**
 * Returns a failed step as a decided one, with the latest figures of its episode. Of a letter that was
 * sent, only the document is wanted again.
 */
export function repeatStep(step: CollectionsStep, episode: CollectionsEpisode): CollectionsStep {
  if (isLetterRefused(step)) return { ...step, documentState: 'wanted', failureCode: null }
  const { evaluatedOn: decidedOn, daysPastDue, arrearsMinor, pastDueSince } = episode
  return { ...step, state: 'due', decidedOn, daysPastDue, arrearsMinor, pastDueSince }
}

/** Closes an episode. */
export function closeEpisode(
  episode: CollectionsEpisode,
  closeReason: CollectionsCloseReason,
  today: LocalDate,
): CollectionsEpisode {
  return {
    ...episode,
    status: 'closed',
    closedOn: today,
    closeReason,
    pauseReason: null,
    pausedUntil: null,
    nextStepCode: null,
    nextStepOn: null,
  }
}

/** Why an episode is closed when a facility reaches a state; null if it is still in arrears. */
export function closeReasonOf(state: string): CollectionsCloseReason | null {
  switch (state) {
    case 'in-arrears':
      return null
    case 'active':
      return 'cured'
    case 'paid-off':
    case 'matured':
      return 'paid-off'
    case 'charged-off':
    case 'written-off':
    case 'recovered':
      return 'charged-off'
    default:
      return 'ended'
  }
}
