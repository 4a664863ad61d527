import { formatAmount } from '../../kernel/domain/money.ts'
import {
  currency,
  date,
  decimal,
  id,
  oneOf,
  record,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import type { BookedAdjustment, BookedCapitalization } from './domain/booked.ts'
import type { InterestPosition } from './domain/position.ts'
import { adjustedData, adjustmentData } from './events.ts'
import { CapitalizationReasonEnum } from './model/enumerations.ts'
import { AccountArrangementStub } from './model/references.ts'

// Interest of an overdraft that was charged or corrected is an event of its account.
declareSubject('overdraft-interest', AccountArrangementStub)

const chargedData = record({
  chargeId: id,
  arrangementId: id,
  reason: oneOf(CapitalizationReasonEnum.values),
  periodStart: date,
  periodEnd: date,
  effectiveOn: date,
  amount: decimal,
  currency,
  postingInstructionId: id,
})

declareEvents(
  {
    'accounts.overdraft-interest.charged':
      'The accrued interest of an overdraft was charged to the account.',
  },
  chargedData,
)
declareEvents(
  {
    'accounts.overdraft-interest.adjusted':
      'Interest of an overdraft that was accrued before was corrected, because of back-dated ' +
      'postings.',
  },
  adjustedData,
)

// A commitment fee that was charged or corrected is an event of its account.
declareSubject('commitment-fee', AccountArrangementStub)

declareEvents(
  {
    'accounts.commitment-fee.charged':
      'The accrued fee for the unused part of a limit was charged to the account.',
  },
  chargedData,
)
declareEvents(
  {
    'accounts.commitment-fee.adjusted':
      'A commitment fee that was accrued before was corrected, because of back-dated postings.',
  },
  adjustedData,
)
/** Returns the event of corrected interest of an overdraft, for the owner of the account. */
export function overdraftAdjustedEvent(
  position: InterestPosition,
  adjustment: BookedAdjustment,
): DomainEvent {
  return overdraftEvent('overdraft-interest', position, 'adjusted', adjustmentData(adjustment))
}

/** Returns the event of charged interest, for the owner of the account. */
export function chargedEvent(
  position: InterestPosition,
  charge: BookedCapitalization,
): DomainEvent {
  return overdraftEvent('overdraft-interest', position, 'charged', chargeData(charge))
}

/** Returns the event of a corrected commitment fee, for the owner of the account. */
export function feeAdjustedEvent(
  position: InterestPosition,
  adjustment: BookedAdjustment,
): DomainEvent {
  return overdraftEvent('commitment-fee', position, 'adjusted', adjustmentData(adjustment))
}

/** Returns the event of a charged commitment fee, for the owner of the account. */
export function feeChargedEvent(
  position: InterestPosition,
  charge: BookedCapitalization,
): DomainEvent {
  return overdraftEvent('commitment-fee', position, 'charged', chargeData(charge))
}

function chargeData(charge: BookedCapitalization): Static<typeof chargedData> {
  return {
    chargeId: charge.capitalizationId,
    arrangementId: charge.arrangementId,
    reason: charge.reason,
    periodStart: charge.periodStart,
    periodEnd: charge.periodEnd,
    effectiveOn: charge.effectiveOn,
    amount: formatAmount(charge.grossMinor, charge.currency),
    currency: charge.currency,
    postingInstructionId: charge.postingInstructionId,
  }
}

function overdraftEvent(
  entity: 'overdraft-interest' | 'commitment-fee',
  { arrangementId, version, partyId }: InterestPosition,
  eventName: 'charged' | 'adjusted',
  data: DomainEvent['data'],
): DomainEvent {
  return {
    type: `accounts.${entity}.${eventName}`,
    subject: `${entity}/${arrangementId}`,
    version,
    data,
    parties: [partyId],
  }
}
