import { DuePart } from '../../model/repayments/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { smallest } from '../schedules/rational.ts'

/** The unpaid amounts of an installment. */
export interface Due {
  number: number
  dueDate: LocalDate
  owedMinor: Readonly<Record<DuePart, bigint>>
}

/** The part of a payment that covers one part of an installment. */
export interface Allocation {
  number: number
  part: DuePart
  amountMinor: bigint
}

export interface AllocatedPayment {
  allocations: Allocation[]
  /** The rest of the payment after everything due is covered. It is an extra payment. */
  leftMinor: bigint
}

/**
 * Allocates a payment to the amounts due. All parts of the oldest installment are covered before
 * the next installment. The allocations and the rest add up to the payment.
 */
export function allocatePayment(amountMinor: bigint, dues: readonly Due[]): AllocatedPayment {
  const oldestFirst = dues.toSorted((one, other) => one.number - other.number)
  const partsInOrder = oldestFirst.flatMap((due) => DuePart.values.map((part) => ({ due, part })))
  const allocations: Allocation[] = []
  let leftMinor = amountMinor
  for (const { due, part } of partsInOrder) {
    const paid = smallest(leftMinor, due.owedMinor[part])
    if (paid <= 0n) continue
    allocations.push({ number: due.number, part, amountMinor: paid })
    leftMinor -= paid
  }
  return { allocations, leftMinor }
}
