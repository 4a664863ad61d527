import type { Context } from '../../../../kernel/environment/context.ts'
import type { AmountSent } from '../../../../kernel/domain/money.ts'
import { changeRecord, createRecord, versioned } from '../../../../kernel/writing/records.ts'
import {
  makePromise,
  statusOfPromise,
  type PromisedPayment,
} from '../../domain/promises/promise-to-pay.ts'
import { Problem } from '../../domain/problems.ts'
import type { PromiseToPay } from '../../model/promises/promise-to-pay.ts'
import { readPolicy } from '../../store/facilities/product-policy.ts'
import {
  loadOpenPromise,
  loadProgress,
  promiseToPayKind,
} from '../../store/promises/promise-to-pay.ts'
import { readAmount } from '../facilities/customer-account.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { servicedToday } from '../servicing/service-facility.ts'

export interface PromiseToPayRequest extends Omit<PromisedPayment, 'amountMinor'> {
  promiseToPayId?: string | null
  facilityId: string
  amount: AmountSent
}

/**
 * Records a promise of the borrower. Throws FACILITY_NOT_FOUND, CURRENCY_MISMATCH, RESOURCE_EXISTS if
 * the ID is in use or another promise for the facility is open, and whatever `makePromise` throws.
 */
export function createPromiseToPay(
  context: Context,
  request: PromiseToPayRequest,
): Promise<PromiseToPay> {
  const { promiseToPayId, facilityId } = request
  const name = 'createPromiseToPay'
  return createRecord(context, promiseToPayKind, name, request, promiseToPayId, async (stamp) => {
    const found = await requireFacilityWithDues(context, facilityId)
    const amountMinor = readAmount(found.facility, request.amount)
    const { promiseToPayDays } = await readPolicy(context, found.facility)
    const base = {
      ...versioned(stamp),
      promiseToPayId: stamp.id,
      recordedBy: context.caller.subject,
    }
    const { facility } = servicedToday(context, found)
    const record = makePromise(facility, { ...request, amountMinor }, promiseToPayDays, base)
    // Not from the cache of the request: the command may be repeated after a conflict.
    const [open] = await loadOpenPromise.many(context, [facilityId])
    if (open) throw new Problem('RESOURCE_EXISTS', { resourceId: open.promiseToPayId })
    return { record }
  })
}

/**
 * Changes a promise to the status that follows from the payments and the end of day of its facility.
 * Leaves it unchanged if that is another status than expected.
 */
export function settlePromiseToPay(
  context: Context,
  promiseToPayId: string,
  status: 'kept' | 'broken',
): Promise<PromiseToPay> {
  return changeRecord(
    context,
    promiseToPayKind,
    'settlePromiseToPay',
    { promiseToPayId },
    promiseToPayId,
    `lending.promise-to-pay.${status}`,
    async (before) => {
      const [progress] = await loadProgress.many(context, [promiseToPayId])
      const { receivedMinor, isOver } = progress!
      const current = statusOfPromise(before, receivedMinor, isOver)
      const hasChanged = current === status && before.status !== status
      return { record: hasChanged ? { ...before, status } : before }
    },
  )
}
