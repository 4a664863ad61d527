import type { LateContract } from '../../../subgraphs/collections/domain/contract.ts'
import type {
  CollectionsStrategy,
  CollectionsStrategyStep,
} from '../../../subgraphs/collections/model/strategy.ts'

export const today = '2026-05-01'

/** A step of a strategy; a letter unless another action is given. */
export function aStep(
  code: string,
  fromDaysPastDue: number,
  more: Partial<CollectionsStrategyStep> = {},
): CollectionsStrategyStep {
  const isLetter = (more.action ?? 'send-letter') === 'send-letter'
  return {
    code,
    fromDaysPastDue,
    action: 'send-letter',
    templateCode: isLetter ? 'letter' : null,
    channel: isLetter ? 'email' : null,
    priority: null,
    routingProfileId: null,
    ...more,
  }
}

export function aStrategy(more: Partial<CollectionsStrategy> = {}): CollectionsStrategy {
  const at = new Date('2026-01-01T00:00:00Z')
  return {
    collectionsStrategyId: 'cst_1',
    effectiveFrom: '2026-01-01',
    productId: null,
    segment: null,
    minimumAmounts: [],
    daysBetweenLetters: 7,
    steps: [
      aStep('first', 5),
      aStep('second', 15),
      aStep('case', 30, { action: 'open-case' }),
      aStep('third', 30),
      aStep('escalation', 60, { action: 'escalate', routingProfileId: 'rtp_legal' }),
    ],
    status: 'approved',
    reason: 'First',
    proposedBy: 'ada',
    decidedBy: 'bob',
    decidedAt: at,
    contentHash: '',
    version: 2,
    createdAt: at,
    updatedAt: at,
    ...more,
  }
}

export const noHolds = {
  isDeceased: false,
  isRestricted: false,
  hasHardshipRequest: false,
  reliefUntil: null,
  isDisputed: false,
  promiseUntil: null,
}

export function aContract(daysPastDue: number, more: Partial<LateContract> = {}): LateContract {
  return {
    contract: 'facility/fac_1',
    partyId: 'pty_ada',
    currency: 'EUR',
    segment: 'consumer-loan',
    productId: 'prd_1',
    daysPastDue,
    arrearsMinor: 10_000n,
    pastDueSince: '2026-04-01',
    holds: noHolds,
    ...more,
  }
}
