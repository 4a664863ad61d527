import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { formatAmount } from '../../kernel/domain/money.ts'
import {
  currency,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { FeeChargeStatus, FeeChargeTrigger } from './model/enumerations.ts'
import { FeeCharge, feeChargeStates } from './model/fee-charge.ts'

declareSubject('fee-charge', FeeCharge)

const chargeData = record({
  feeChargeId: id,
  arrangementId: id,
  productId: id,
  feeCode: text,
  trigger: orNull(oneOf(FeeChargeTrigger.values)),
  triggerReference: orNull(id),
  thirdParty: orNull(text),
  amount: decimal,
  currency,
  status: oneOf(FeeChargeStatus.values),
  outcomeReason: orNull(text),
  occurredAt: instant,
  postingInstructionId: orNull(id),
  feeReceivableId: orNull(id),
})

const chargeEvents = declareEvents(
  {
    'pricing.fee-charge.triggered': 'Something happened on an account for which a fee is due.',
    'pricing.fee-charge.charged':
      'A fee was charged by itself. What the account could not pay is in the fee receivable.',
    'pricing.fee-charge.waived': 'A fee was not charged because a waiver applied.',
    'pricing.fee-charge.failed': 'A fee could not be charged to the account.',
    ...eventsOf(feeChargeStates),
  },
  chargeData,
)
export type ChargeEvent = keyof typeof chargeEvents

/** Returns the data of the events of a charge. */
export function chargeSnapshot(charge: FeeCharge): Static<typeof chargeData> {
  return {
    feeChargeId: charge.feeChargeId,
    arrangementId: charge.arrangementId,
    productId: charge.productId,
    feeCode: charge.feeCode,
    trigger: charge.trigger,
    triggerReference: charge.triggerReference,
    thirdParty: charge.thirdParty,
    amount: formatAmount(charge.amountMinor, charge.currency),
    currency: charge.currency,
    status: charge.status,
    outcomeReason: charge.outcomeReason,
    occurredAt: charge.occurredAt,
    postingInstructionId: charge.postingInstructionId,
    feeReceivableId: charge.feeReceivableId,
  }
}

/** Creates an event of a charge, for the owner of the account. `charge` has the state after the change. */
export function chargeEvent(type: ChargeEvent, charge: FeeCharge): DomainEvent {
  const { feeChargeId, version, partyId } = charge
  const data = chargeSnapshot(charge)
  return { type, subject: `fee-charge/${feeChargeId}`, version, data, parties: [partyId] }
}
