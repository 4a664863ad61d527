import { formatAmount } from '../../kernel/domain/money.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  currency,
  date,
  decimal,
  id,
  integer,
  oneOf,
  orNull,
  record,
  text,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import {
  declareRecordEvents,
  declareSubject,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { accountOf, facilityOf } from './domain/contract.ts'
import {
  CollectionsAction,
  CollectionsCloseReason,
  CollectionsEpisodeStatus,
  CollectionsPauseReason,
} from './model/enumerations.ts'
import { CollectionsEpisode, type CollectionsStep } from './model/episode.ts'
import { CollectionsStrategy, collectionsStrategyStates } from './model/strategy.ts'

export const strategyEvents = declareRecordEvents('collections-strategy', CollectionsStrategy, {
  'collections.strategy.proposed': 'A collections strategy was proposed.',
  ...eventsOf(collectionsStrategyStates),
})
export type StrategyEvent = EventTypeOf<typeof strategyEvents>

declareSubject('collections-episode', CollectionsEpisode)

const episodeFields = {
  collectionsEpisodeId: id,
  facilityId: orNull(id),
  arrangementId: orNull(id),
  status: oneOf(CollectionsEpisodeStatus.values),
  daysPastDue: integer,
  arrears: decimal,
  currency,
  pauseReason: orNull(oneOf(CollectionsPauseReason.values)),
  pausedUntil: orNull(date),
  caseId: orNull(id),
  closeReason: orNull(oneOf(CollectionsCloseReason.values)),
}
const episodeData = record(episodeFields)

const episodeEvents = declareEvents(
  {
    'collections.episode.opened':
      'The pursuit of the arrears of a facility or an account began, because the first step was due.',
    'collections.episode.paused': 'An episode was paused, or the reason for its pause changed.',
    'collections.episode.resumed': 'An episode that was paused is pursued again.',
    'collections.episode.closed':
      'The pursuit of arrears ended, because they are cured or the contract has ended.',
  },
  episodeData,
)
export type EpisodeEvent = keyof typeof episodeEvents

const stepData = record({
  ...episodeFields,
  collectionsStepId: id,
  stepCode: text,
  action: oneOf(CollectionsAction.values),
  notificationId: orNull(id),
  documentId: orNull(id),
  failureCode: orNull(text),
})

const stepEvents = declareEvents(
  {
    'collections.episode.step-taken': 'A step was carried out: a letter, or a change of the case.',
    'collections.episode.step-failed': 'A step was rejected. It can be repeated.',
    'collections.episode.letter-stored': 'The letter of a step was stored as a document.',
  },
  stepData,
)
export type StepEvent = keyof typeof stepEvents

/** Creates an event of an episode. The bank keeps it to itself. */
export function episodeEvent(type: EpisodeEvent, episode: CollectionsEpisode): DomainEvent {
  return {
    type,
    subject: `collections-episode/${episode.collectionsEpisodeId}`,
    version: episode.version,
    data: dataOf(episode),
    parties: [],
  }
}

/** Creates an event of a step of an episode. The bank keeps it to itself. */
export function stepEvent(
  type: StepEvent,
  episode: CollectionsEpisode,
  step: CollectionsStep,
): DomainEvent {
  const { collectionsStepId, code, action, notificationId, documentId, failureCode } = step
  const data: Static<typeof stepData> = {
    ...dataOf(episode),
    collectionsStepId,
    stepCode: code,
    action,
    notificationId,
    documentId,
    failureCode,
  }
  return { ...episodeEvent('collections.episode.opened', episode), type, data }
}

function dataOf(episode: CollectionsEpisode): Static<typeof episodeData> {
  const { contract, currency } = episode
  return {
    collectionsEpisodeId: episode.collectionsEpisodeId,
    facilityId: facilityOf(contract),
    arrangementId: accountOf(contract),
    status: episode.status,
    daysPastDue: episode.daysPastDue,
    arrears: formatAmount(episode.arrearsMinor, currency),
    currency,
    pauseReason: episode.pauseReason,
    pausedUntil: episode.pausedUntil,
    caseId: episode.caseId,
    closeReason: episode.closeReason,
  }
}
