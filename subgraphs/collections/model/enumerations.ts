import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const CollectionsSegment = enumeration(
  'CollectionsSegment',
  'A group of contracts that a collections strategy can be for: the facilities of one kind, or overdrafts.',
  {
    'consumer-loan': 'Loans to consumers.',
    mortgage: 'Loans secured by real estate.',
    'sme-facility': 'Loans to small and medium-sized enterprises.',
    revolving: 'Credit lines.',
    overdraft: 'Accounts that are beyond their overdraft limit.',
  },
)
export type CollectionsSegment = TypeOf<typeof CollectionsSegment>

export const CollectionsStrategyStatus = enumeration(
  'CollectionsStrategyStatus',
  'Whether a collections strategy has been approved.',
  {
    proposed: 'The strategy waits for the decision of another person.',
    approved: 'The strategy applies from its effective date until another one replaces it.',
    rejected: 'The strategy does not apply. This status is final.',
  },
)
export type CollectionsStrategyStatus = TypeOf<typeof CollectionsStrategyStatus>

export const CollectionsAction = enumeration(
  'CollectionsAction',
  'What a step of a collections strategy does.',
  {
    'send-letter': 'Sends a notification from a template, and stores it as a document.',
    'open-case': 'Opens a case of the type `COLLECTIONS` for an agent.',
    escalate: 'Sends the open case to another routing profile.',
  },
)
export type CollectionsAction = TypeOf<typeof CollectionsAction>

export const CollectionsChannel = enumeration(
  'CollectionsChannel',
  'The channel over which a letter is sent.',
  {
    email: 'Email.',
    sms: 'Text message.',
    push: 'Push notification on a mobile device.',
    'secure-message': "A message in the bank's own secure inbox.",
  },
)
export type CollectionsChannel = TypeOf<typeof CollectionsChannel>

export const CollectionsPriority = enumeration(
  'CollectionsPriority',
  'The urgency of a case that a step opens.',
  {
    low: 'Less urgent than usual.',
    normal: 'The default urgency.',
    high: 'More urgent than usual.',
    urgent: 'More urgent than all other priorities.',
  },
)
export type CollectionsPriority = TypeOf<typeof CollectionsPriority>

export const CollectionsEpisodeStatus = enumeration(
  'CollectionsEpisodeStatus',
  'Whether the bank pursues the arrears of an episode.',
  {
    open: 'The contract is in arrears.',
    closed: 'The arrears are cured, or the contract has ended. This status is final.',
  },
)
export type CollectionsEpisodeStatus = TypeOf<typeof CollectionsEpisodeStatus>

export const CollectionsPauseReason = enumeration(
  'CollectionsPauseReason',
  'Why no step is taken in an episode.',
  {
    deceased: 'The party is deceased.',
    'processing-restricted': 'The processing of the data of the party is restricted to storage.',
    'hardship-request': 'A hardship request waits for the decision of the bank.',
    relief: 'A payment holiday or a temporary reduction of the installments is in force.',
    dispute: 'A case of the type `DISPUTE` about the contract is open.',
    'promise-to-pay': 'The borrower promised to pay, and the last day has not passed.',
    'below-minimum': 'The arrears are below the minimum amount of the strategy.',
  },
)
export type CollectionsPauseReason = TypeOf<typeof CollectionsPauseReason>

export const CollectionsCloseReason = enumeration(
  'CollectionsCloseReason',
  'Why an episode was closed.',
  {
    cured: 'Nothing is past due any more.',
    'paid-off': 'The facility was repaid in full.',
    'charged-off': 'The facility was charged off or written off.',
    ended: 'The facility or the account has ended in another way.',
  },
)
export type CollectionsCloseReason = TypeOf<typeof CollectionsCloseReason>

export const CollectionsStepState = enumeration(
  'CollectionsStepState',
  'Whether a step was carried out.',
  {
    due: 'The step was decided and is carried out at once, or as soon as an interruption is over.',
    taken: 'The step was carried out. This state is final.',
    failed:
      'The step was rejected; `failureCode` contains the reason. It can be repeated with ' +
      '`retryCollectionsStep`.',
  },
)
export type CollectionsStepState = TypeOf<typeof CollectionsStepState>

export const CollectionsDocumentState = enumeration(
  'CollectionsDocumentState',
  'Whether the letter of a step is stored as a document.',
  {
    none: 'The step is not a letter, or the letter was not sent.',
    wanted: 'The letter is stored as soon as its text is known.',
    stored: 'The letter is stored. This state is final.',
    refused:
      'The letter was sent and could not be stored; `failureCode` contains the reason. It can be ' +
      'stored again with `retryCollectionsStep`.',
  },
)
export type CollectionsDocumentState = TypeOf<typeof CollectionsDocumentState>
