import {
  boolean,
  date,
  integer,
  list,
  money,
  object,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { CollectionsAction, CollectionsPauseReason } from './enumerations.ts'
import { CollectionsNextStep } from './episode.ts'

export const CollectionsStepCount = shape(
  'CollectionsStepCount',
  'How many times a step would be taken.',
  {
    strategyId: stored<string>(),
    code: string('The name of the step in the strategy.'),
    action: oneOf(CollectionsAction, 'What the step does.'),
    count: integer('The number of contracts for which the step would be taken.'),
  },
)
export type CollectionsStepCount = TypeOf<typeof CollectionsStepCount>

export const CollectionsPauseCount = shape(
  'CollectionsPauseCount',
  'How many contracts would be paused for a reason.',
  {
    reason: oneOf(CollectionsPauseReason, 'Why no step would be taken.'),
    count: integer('The number of contracts.'),
  },
)
export type CollectionsPauseCount = TypeOf<typeof CollectionsPauseCount>

export const CollectionsPreviewItem = shape(
  'CollectionsPreviewItem',
  'What the run would do for one contract.',
  {
    contract: stored<string>(),
    partyId: stored<string>(),
    strategyId: stored<string>(),
    daysPastDue: integer('The number of days past due on the day of the run.'),
    arrears: money('The amount that is past due now.'),
    isNew: boolean('Whether the run would open an episode.'),
    steps: list(string(), 'The names of the steps that would be taken.'),
    pauseReason: oneOf(
      CollectionsPauseReason,
      'Why no step would be taken; null if there is no pause.',
    ).orNull(),
    nextStep: object(
      CollectionsNextStep,
      'The step that would follow; null if none is left.',
    ).orNull(),
  },
)
export type CollectionsPreviewItem = TypeOf<typeof CollectionsPreviewItem>

export const CollectionsPreview = shape(
  'CollectionsPreview',
  'What the next nightly run would do if nothing changes until then. Nothing is stored.',
  {
    businessDate: date('The day of the run: today, or tomorrow if the run of today is completed.'),
    isComplete: boolean(
      'Whether all contracts in arrears were read; false if there are more than 1,000.',
    ),
    contracts: integer('The number of contracts for which an episode is or would be open.'),
    steps: list(object(CollectionsStepCount), 'The steps that would be taken, with their numbers.'),
    pauses: list(object(CollectionsPauseCount), 'The pauses, with their numbers.'),
    items: list(
      object(CollectionsPreviewItem),
      'The contracts for which a step would be taken or that would be paused; at most 200.',
    ),
  },
)
export type CollectionsPreview = TypeOf<typeof CollectionsPreview>
