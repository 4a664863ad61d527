import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { smallest } from './rational.ts'

/** What an instalment is made of, in the order a payment reaches it. */
export const dueParts = ['fees', 'penalties', 'interest', 'principal'] as const
export type DuePart = (typeof dueParts)[number]

/** What is still owed of an instalment. */
export interface Due {
  number: number
  dueDate: LocalDate
  owedMinor: Readonly<Record<DuePart, bigint>>
}

/** A part of an instalment that a payment pays. */
export interface Allocation {
  number: number
  part: DuePart
  amountMinor: bigint
}

export interface AllocatedPayment {
  allocations: Allocation[]
  /** What is over when everything is paid: an extra payment, or to be given back. */
  leftMinor: bigint
}

/**
 * `instalment-first` settles the oldest instalment in all its parts before the next one;
 * `part-first` settles a part of all instalments before the next part.
 */
export type AllocationRule = 'instalment-first' | 'part-first'

/**
 * Spends a payment on what is owed: the oldest first, and within one day by the order of the parts.
 * What is allocated and what is left add up to the payment.
 */
export function allocatePayment(
  amountMinor: bigint,
  dues: readonly Due[],
  rule: AllocationRule = 'instalment-first',
  order: readonly DuePart[] = dueParts,
): AllocatedPayment {
  const oldestFirst = dues.toSorted((one, other) => one.number - other.number)
  const places =
    rule === 'instalment-first'
      ? oldestFirst.flatMap((due) => order.map((part) => ({ due, part })))
      : order.flatMap((part) => oldestFirst.map((due) => ({ due, part })))
  const allocations: Allocation[] = []
  let leftMinor = amountMinor
  for (const { due, part } of places) {
    const paid = smallest(leftMinor, due.owedMinor[part])
    if (paid <= 0n) continue
    allocations.push({ number: due.number, part, amountMinor: paid })
    leftMinor -= paid
  }
  return { allocations, leftMinor }
}
