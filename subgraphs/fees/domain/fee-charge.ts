import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { feeAmount, type Fee, type FeeTrigger } from '../../../kernel/domain/fee.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { FeeCharge } from '../model/fee-charge.ts'

/** The events that trigger fees. Each is about one payment or one standing order. */
export const triggerOf = {
  'payments.payment.submitted': 'payment-sent',
  'payments.payment.returned': 'payment-returned',
  'payments.standing-order.missed': 'standing-order-missed',
} as const satisfies Record<string, FeeTrigger>

export type TriggerType = keyof typeof triggerOf
export const triggerTypes = Object.keys(triggerOf) as TriggerType[]

/** An event on an account that can trigger fees. */
export interface TriggerEvent {
  position: bigint
  time: Date
  trigger: FeeTrigger
  /** The ID of the payment or standing order. */
  reference: string
  arrangementId: string
  amountMinor: bigint
  currency: string
}

/** An account as its published fact describes it. */
export interface ChargedAccount {
  arrangementId: string
  partyId: string
  customerId: string
  productId: string
  productVersion: string
  currency: string
  state: string
  openedAt: string
}

/**
 * A fee that is due now, of a fee run or of a charge. The amount is in minor units of the currency
 * and greater than zero.
 */
export interface DueFee {
  /** The ID of the fee run or, if no run charges the fee, of the fee charge. */
  feeRunId: string
  feeChargeId: string | null
  arrangementId: string
  partyId: string
  feeCode: string
  periodStart: LocalDate
  periodEnd: LocalDate
  amountMinor: bigint
  currency: string
  /** The third party that gets the amount; null if it is income of the bank. */
  thirdParty: string | null
}

/** A fee with its price for one account. Amounts are in minor units of the account's currency. */
export interface PricedFee {
  fee: Fee
  basisMinor: bigint | null
  amountMinor: bigint
}

/**
 * Returns a fee with its price for an account in a currency. Returns null if there is nothing to
 * charge: the price is zero, the fee is in another currency, or it has no fixed amount and there is
 * no basis.
 */
export function pricedFee(fee: Fee, basisMinor: bigint | null, currency: string): PricedFee | null {
  const amountMinor = feeAmount(fee, { basisMinor, events: 1, currency })
  return amountMinor === null || amountMinor === 0n ? null : { fee, basisMinor, amountMinor }
}

/**
 * Whether an event can trigger fees. Payments from other banks have no account that is debited. After
 * the death of a customer, the bank itself stops the standing orders, so there is no fee for them.
 */
export function canTriggerFees<Event extends { debtorArrangementId: string | null }>(
  event: Event & { reasonCode: string | null },
): event is Event & { reasonCode: string | null; debtorArrangementId: string } {
  return event.debtorArrangementId !== null && event.reasonCode !== 'PARTY_DECEASED'
}

/**
 * Returns the fees of a product version that an event triggers, with their prices. A percentage is
 * charged on the amount of the event, unless that is in another currency than the account. An event
 * from before the day on which the version was created triggers none.
 */
export function triggeredFees(
  event: Pick<TriggerEvent, 'trigger' | 'time' | 'amountMinor' | 'currency'>,
  { fees, createdOn }: { fees: readonly Fee[]; createdOn: LocalDate },
  { currency }: Pick<ChargedAccount, 'currency'>,
): PricedFee[] {
  if (dateOf(event.time) < createdOn) return []
  const basisMinor = event.currency === currency ? event.amountMinor : null
  return fees
    .filter(({ frequency, trigger }) => frequency === 'on-event' && trigger === event.trigger)
    .flatMap((fee) => pricedFee(fee, basisMinor, currency) ?? [])
}

/** Who or what charges a fee. Exactly one of `event` and `chargedBy` is set. */
export interface ChargeOrigin {
  event: Pick<TriggerEvent, 'trigger' | 'position' | 'reference'> | null
  chargedBy: string | null
  reason: string | null
  occurredAt: Date
}

/** Creates a charge that is due. */
export function newFeeCharge(
  feeChargeId: string,
  { fee, basisMinor, amountMinor }: PricedFee,
  account: ChargedAccount,
  { event, ...origin }: ChargeOrigin,
  stamp: Versioned,
): FeeCharge {
  const { arrangementId, partyId, productId, productVersion, currency } = account
  return {
    ...stamp,
    ...origin,
    feeChargeId,
    arrangementId,
    partyId,
    productId,
    productVersion,
    currency,
    feeCode: fee.code,
    feeName: fee.name ?? fee.code,
    trigger: event?.trigger ?? null,
    triggerPosition: event?.position ?? null,
    triggerReference: event?.reference ?? null,
    thirdParty: fee.thirdParty ?? null,
    basisMinor,
    amountMinor,
    status: 'due',
    outcomeReason: null,
    postingInstructionId: null,
    feeReceivableId: null,
    refundReason: null,
    refundProposedBy: null,
    refundDecidedBy: null,
    refundPostingId: null,
  }
}

/** Returns the fee of a charge. Its period is the day on which the fee was triggered. */
export function dueFeeOf(charge: FeeCharge): DueFee {
  const { feeChargeId, arrangementId, partyId, feeCode, amountMinor, currency } = charge
  const day = dateOf(charge.occurredAt)
  return {
    feeRunId: feeChargeId,
    feeChargeId,
    arrangementId,
    partyId,
    feeCode,
    periodStart: day,
    periodEnd: day,
    amountMinor,
    currency,
    thirdParty: charge.thirdParty,
  }
}
