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

/** The late charges of an installment. */
const charges: readonly DuePart[] = ['fees', 'penalties']

/**
 * Allocates a payment to the amounts due. All parts of the oldest installment are covered before
 * the next installment. If late charges are paid last, those of all installments follow the rest.
 * The allocations and the rest of the payment add up to the payment.
 */
export function allocatePayment(
  amountMinor: bigint,
  dues: readonly Due[],
  areChargesPaidLast = false,
): AllocatedPayment {
  const oldestFirst = dues.toSorted((one, other) => one.number - other.number)
  const all = oldestFirst.flatMap((due) => DuePart.values.map((part) => ({ due, part })))
  const isCharge = ({ part }: { part: DuePart }) => charges.includes(part)
  const partsInOrder = areChargesPaidLast
    ? [...all.filter((each) => !isCharge(each)), ...all.filter(isCharge)]
    : all
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
