import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import type { GuaranteeCall } from '../../model/obligors/guarantee-call.ts'
import type { FacilityObligor } from '../../model/obligors/obligor.ts'
import { dueMinorOf, requireServiced, type Facility } from '../facilities/facility.ts'
import { Problem } from '../problems.ts'
import { inputProblem, requirePositive } from '../schedules/refusals.ts'
import { claimMinorOf, guaranteedMinorOf, isLiable } from './obligor.ts'

/** A payment from an account of the guarantor to the facility that was not reversed. */
export interface GuarantorPayment {
  amountMinor: bigint
  recordedAt: Date
}

type CalledAmount = Pick<
  GuaranteeCall,
  'guaranteeCallId' | 'status' | 'amountMinor' | 'createdAt' | 'updatedAt'
>

/** What was received against the calls of a guarantee, in minor units. */
export interface ReceivedOnCalls {
  /** By the ID of the call. */
  byCall: ReadonlyMap<string, bigint>
  totalMinor: bigint
  /** What the open calls still require. */
  unpaidMinor: bigint
}

/**
 * Returns what was received against the calls of one guarantee. `calls` and `payments` are in the
 * order of their time. A payment fills the calls that were open when it was recorded, oldest first;
 * what is left of it counts toward no call, so that nothing counts twice.
 */
export function receivedOnCalls(
  calls: readonly CalledAmount[],
  payments: readonly GuarantorPayment[],
): ReceivedOnCalls {
  const byCall = new Map(calls.map(({ guaranteeCallId }) => [guaranteeCallId, 0n]))
  for (const { amountMinor, recordedAt } of payments) {
    let leftMinor = amountMinor
    for (const call of calls) {
      if (!wasOpenAt(call, recordedAt)) continue
      const received = byCall.get(call.guaranteeCallId)!
      const missing = call.amountMinor - received
      const part = missing < leftMinor ? missing : leftMinor
      byCall.set(call.guaranteeCallId, received + part)
      leftMinor -= part
    }
  }
  const sum = (amounts: readonly bigint[]) => amounts.reduce((one, other) => one + other, 0n)
  const unpaid = calls
    .filter(({ status }) => status === 'open')
    .map((call) => call.amountMinor - byCall.get(call.guaranteeCallId)!)
  return { byCall, totalMinor: sum([...byCall.values()]), unpaidMinor: sum(unpaid) }
}

function wasOpenAt({ status, createdAt, updatedAt }: CalledAmount, at: Date): boolean {
  return createdAt <= at && (status === 'open' || at < updatedAt)
}

/** The terms of a call. */
export interface CallTerms {
  amountMinor: bigint
  dueOn: LocalDate
}

/**
 * Creates a call of a guarantee. `facility` is processed up to today. Throws FACILITY_NOT_ACTIVE,
 * NOTHING_DUE, STATE_CONFLICT for an obligor that is not a liable guarantor, INVALID_AMOUNT,
 * INVALID_PAYMENT_DATE, and EXCEEDS_GUARANTEE.
 */
export function newCall(
  obligor: FacilityObligor,
  facility: Facility,
  { amountMinor, dueOn }: CallTerms,
  received: Pick<ReceivedOnCalls, 'totalMinor' | 'unpaidMinor'>,
  base: Versioned & Pick<GuaranteeCall, 'guaranteeCallId' | 'calledBy'>,
): GuaranteeCall {
  const { obligorId, facilityId, partyId, borrowerPartyId, currency } = obligor
  const today = dateOf(base.createdAt)
  requireGuarantor(obligor)
  requireServiced(facility)
  if (dueMinorOf(facility) === 0n) {
    const detail = `Nothing is due on ${facilityId}, so that the guarantee cannot be called.`
    throw new Problem('NOTHING_DUE', { detail, resourceId: facilityId })
  }
  requirePositive(amountMinor)
  if (dueOn < today) {
    const detail = `The day is ${dueOn}; it must not be before ${today}.`
    throw inputProblem('INVALID_PAYMENT_DATE', '/dueOn', detail)
  }
  const claimMinor = claimMinorOf(facility)
  const liableMinor = guaranteedMinorOf(obligor, claimMinor, received.totalMinor, today)
  const leftMinor = liableMinor - received.unpaidMinor
  if (amountMinor > leftMinor) {
    const left = formatAmount(leftMinor > 0n ? leftMinor : 0n, currency)
    const detail = `The amount must be at most ${left} ${currency}, which is what the guarantor is liable for and was not called yet.`
    throw inputProblem('EXCEEDS_GUARANTEE', '/amount', detail)
  }
  return {
    ...base,
    obligorId,
    facilityId,
    partyId,
    borrowerPartyId,
    currency,
    amountMinor,
    dueOn,
    status: 'open',
    withdrawalReason: null,
  }
}

function requireGuarantor(obligor: FacilityObligor): void {
  const { obligorId, role, status } = obligor
  if (role === 'guarantor' && isLiable(obligor)) return
  const detail =
    role === 'guarantor'
      ? `${obligorId} is ${status} and is not liable any more.`
      : `${obligorId} is a co-borrower, who owes everything without a call.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: obligorId, currentState: status })
}

/** Returns the next version of an open call whose guarantor is no longer liable. */
export function withdrawnCall(call: GuaranteeCall, reason: string, now: Date): GuaranteeCall {
  return {
    ...call,
    status: 'withdrawn',
    withdrawalReason: reason,
    version: call.version + 1,
    updatedAt: now,
  }
}
