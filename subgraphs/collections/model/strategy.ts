import {
  date,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  CollectionsAction,
  CollectionsChannel,
  CollectionsPriority,
  CollectionsSegment,
  CollectionsStrategyStatus,
} from './enumerations.ts'

const stepFields = {
  fromDaysPastDue: integer('The first number of days past due at which the step is taken, from 1.'),
  action: oneOf(CollectionsAction, 'What the step does.'),
  channel: oneOf(CollectionsChannel, 'The channel of a letter; null for other actions.').orNull(),
  priority: oneOf(
    CollectionsPriority,
    'The urgency of the case that the step opens; null for other actions.',
  ).orNull(),
  routingProfileId: id(
    'The routing profile that finds an agent for the case; null if a person assigns the case, and ' +
      'for letters.',
  ).orNull(),
}

export const CollectionsStrategyStep = shape(
  'CollectionsStrategyStep',
  'One step of a collections strategy. It is taken at most once per episode.',
  {
    code: string('The name of the step, unique in the strategy.'),
    ...stepFields,
    templateCode: string('The template of a letter; null for other actions.').orNull(),
  },
)
export type CollectionsStrategyStep = TypeOf<typeof CollectionsStrategyStep>

export const CollectionsStrategyStepInput = input(
  'CollectionsStrategyStepInput',
  'One step of a collections strategy. It is taken at most once per episode.',
  {
    code: label(
      'The name of the step, unique in the strategy. A step of a later version with the same name ' +
        'is the same step.',
    ),
    ...stepFields,
    templateCode: label(
      'The code of an active template of the channel; only for letters. The variables are listed in ' +
        'the guide to collecting arrears.',
    ).orNull(),
  },
)
export type CollectionsStrategyStepInput = TypeOf<typeof CollectionsStrategyStepInput>

export const CollectionsStrategy = entity(
  'CollectionsStrategy',
  'collectionsStrategyId',
  'A version of the steps by which the bank pursues arrears.',
  {
    collectionsStrategyId: id('The ID of the strategy, such as `cst_…`.').inEvents(),
    effectiveFrom: date('The first day on which the strategy applies, once approved.').inEvents(),
    productId: id(
      'The product whose contracts the strategy is for; null if it is not for one product.',
    )
      .orNull()
      .inEvents(),
    segment: oneOf(
      CollectionsSegment,
      'The segment whose contracts the strategy is for; null if it is not for one segment. Without ' +
        'a product and a segment, the strategy is for all contracts that have no other one.',
    )
      .orNull()
      .inEvents(),
    minimumAmounts: list(
      money(),
      'The arrears below which nothing is pursued, for each currency; zero for other currencies.',
    ),
    daysBetweenLetters: integer('The minimum number of days between two letters of an episode.'),
    steps: list(object(CollectionsStrategyStep), 'The steps, in the order of their days.'),
    status: oneOf(CollectionsStrategyStatus, 'Whether the strategy has been approved.').inEvents(),
    reason: text('Why the strategy was changed.'),
    proposedBy: string('Who proposed the strategy.').inEvents(),
    decidedBy: string('Who approved or rejected the strategy; null while it is proposed.')
      .orNull()
      .inEvents(),
    decidedAt: instant(
      'When the strategy was decided, in UTC; null while it is proposed.',
    ).orNull(),
    createdAt: instant('When the strategy was proposed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type CollectionsStrategy = TypeOf<typeof CollectionsStrategy>

const decided = ({ now, subject }: { now: Date; subject: string }) => ({
  decidedBy: subject,
  decidedAt: now,
})

export const collectionsStrategyStates = stateMachine(CollectionsStrategy, 'status', {
  approveCollectionsStrategy: {
    description:
      'Approves a proposed collections strategy. The person who proposed it cannot approve it.',
    scope: 'collections:approve',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: ['collections.strategy.approved', 'A collections strategy was approved.'],
    set: decided,
  },
  rejectCollectionsStrategy: {
    description:
      'Rejects a proposed collections strategy. The person who proposed it cannot reject it.',
    scope: 'collections:approve',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: ['collections.strategy.rejected', 'A collections strategy was rejected.'],
    set: decided,
  },
})

export const ProposeCollectionsStrategyInput = input(
  'ProposeCollectionsStrategyInput',
  'A new version of a collections strategy, which another person has to approve.',
  {
    collectionsStrategyId: id(
      'The ID of the strategy, chosen by the client. Generated if omitted.',
    ).orNull(),
    effectiveFrom: date(
      'The first day on which the strategy applies, once approved. Defaults to today.',
    ).orNull(),
    productId: id(
      'The product whose contracts the strategy is for. Must be omitted if `segment` is sent.',
    ).orNull(),
    segment: oneOf(
      CollectionsSegment,
      'The segment whose contracts the strategy is for. If both are omitted, the strategy is for ' +
        'all contracts that have no other one.',
    ).orNull(),
    minimumAmounts: list(
      money(),
      'The arrears below which nothing is pursued, each with its currency and each currency at most ' +
        'once.',
    ).orNull(),
    daysBetweenLetters: integer(
      'The minimum number of days between two letters of an episode, from 1 to 365.',
    ).defaultsTo(7),
    steps: list(
      object(CollectionsStrategyStepInput),
      'At most 20 steps, in the order of their days. Without steps, nothing is pursued.',
    ),
    reason: text('Why the strategy changes.'),
  },
)
export type ProposeCollectionsStrategyInput = TypeOf<typeof ProposeCollectionsStrategyInput>
