import {
  boolean,
  date,
  entity,
  id,
  instant,
  integer,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import {
  CollectionsAction,
  CollectionsChannel,
  CollectionsCloseReason,
  CollectionsDocumentState,
  CollectionsEpisodeStatus,
  CollectionsPauseReason,
  CollectionsStepState,
  type CollectionsPriority,
} from './enumerations.ts'

export const CollectionsNextStep = shape(
  'CollectionsNextStep',
  'The step that is taken next if nothing is paid.',
  {
    code: string('The name of the step in the strategy.'),
    on: date('The first day on which it is taken; null while the episode is paused.').orNull(),
  },
)
export type CollectionsNextStep = TypeOf<typeof CollectionsNextStep>

export const CollectionsEpisode = entity(
  'CollectionsEpisode',
  'collectionsEpisodeId',
  'One time that a facility or an account is in arrears: from the first step of the strategy until ' +
    'the arrears are cured.',
  {
    collectionsEpisodeId: id('The ID of the episode, such as `cep_…`.'),
    /** The facility or the account, such as `facility/fac_1` or `arrangement/arr_1`. */
    contract: stored<string>(),
    partyId: stored<string>(),
    currency: stored<string>(),
    status: oneOf(CollectionsEpisodeStatus, 'Whether the arrears are pursued.'),
    openedOn: date('The day on which the first step was due.'),
    evaluatedOn: date(
      'The day of the last nightly run that looked at the contract, to which the figures apply.',
    ),
    daysPastDue: integer('The number of days past due.'),
    arrearsMinor: stored<bigint>(),
    pastDueSince: date(
      'The due date of the oldest unpaid installment, or the first day beyond the overdraft limit.',
    ),
    collectionsStrategyId: stored<string>(),
    pauseReason: oneOf(
      CollectionsPauseReason,
      'Why no step is taken; null if the episode is not paused.',
    ).orNull(),
    pausedUntil: date(
      'The last day of the pause; null if it is not known or the episode is not paused.',
    ).orNull(),
    nextStepCode: stored<string | null>(),
    nextStepOn: stored<string | null>(),
    caseId: stored<string | null>(),
    caseState: stored<'none' | 'open' | 'closed'>(),
    closedOn: date('The day on which the episode was closed; null while it is open.').orNull(),
    closeReason: oneOf(
      CollectionsCloseReason,
      'Why the episode was closed; null while it is open.',
    ).orNull(),
    createdAt: instant('When the episode was opened, in UTC.'),
    updatedAt: instant('When the episode last changed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type CollectionsEpisode = TypeOf<typeof CollectionsEpisode>

export const CollectionsStep = entity(
  'CollectionsStep',
  'collectionsStepId',
  'A step that was decided in an episode, with the figures on which it was decided.',
  {
    collectionsStepId: id('The ID of the step, such as `csp_…`.'),
    collectionsEpisodeId: stored<string>(),
    partyId: stored<string>(),
    code: string('The name of the step in the strategy.'),
    action: oneOf(CollectionsAction, 'What the step does.'),
    state: oneOf(CollectionsStepState, 'Whether the step was carried out.'),
    decidedOn: date('The day on which the step was decided.'),
    daysPastDue: integer('The number of days past due on that day.'),
    arrearsMinor: stored<bigint>(),
    currency: stored<string>(),
    pastDueSince: date('The due date of the oldest unpaid amount on that day.'),
    templateCode: string('The template of the letter; null for other actions.').orNull(),
    channel: oneOf(
      CollectionsChannel,
      'The channel of the letter; null for other actions.',
    ).orNull(),
    priority: stored<CollectionsPriority | null>(),
    routingProfileId: stored<string | null>(),
    notificationId: stored<string | null>(),
    documentState: oneOf(CollectionsDocumentState, 'Whether the letter is stored as a document.'),
    documentId: stored<string | null>(),
    caseId: stored<string | null>(),
    failureCode: string(
      'The problem code with which the step or the storing of its letter was rejected; null ' +
        'otherwise.',
    ).orNull(),
    takenAt: instant('When the step was carried out, in UTC; null until then.').orNull(),
    createdAt: instant('When the step was decided, in UTC.'),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type CollectionsStep = TypeOf<typeof CollectionsStep>

export const CollectionsStepRetry = shape(
  'CollectionsStepRetry',
  'The result of a request that has many steps repeated.',
  {
    retried: integer('The number of steps that are repeated, at most 100.'),
    hasMore: boolean('Whether more steps match. Repeat the request to have them repeated.'),
  },
)
export type CollectionsStepRetry = TypeOf<typeof CollectionsStepRetry>

/** The nightly run of a business date. It is in the table only. */
export interface CollectionsRun {
  businessDate: string
  status: 'running' | 'completed' | 'superseded'
  /** What the next page contains: facilities, overdrafts, or open episodes that were in neither. */
  phase: 'facilities' | 'overdrafts' | 'rest'
  /** The cursor of the next page; null for the first page of the phase. */
  checkpoint: string | null
  processed: number
  steps: number
  version: number
  createdAt: Date
  updatedAt: Date
}
