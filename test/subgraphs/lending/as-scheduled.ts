import 'reflect-metadata'
import { expect } from 'vitest'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import { standingOn } from '../../../subgraphs/lending/domain/standing.ts'
import { facilityKind } from '../../../subgraphs/lending/store/facility.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'

/** What is owed on a facility is what its schedule says. */
export async function expectAsScheduled(
  bank: RunningSubgraph,
  facilityId: string,
  step: string,
  isMorning: boolean,
) {
  const facility = (await facilityKind.find(bankContext(bank.bank), facilityId))!
  const { loan, currency, accruedThrough, accruedTotalMinor, state } = facility
  if (loan.disbursements.length === 0 || (state !== 'active' && state !== 'in-arrears')) return
  const today = bank.bank.now().toISOString().slice(0, 10)
  const on = today > accruedThrough ? today : accruedThrough
  // What is due today becomes due tonight, or with the next payment.
  if (facility.nextDueDate !== null && facility.nextDueDate <= on) return
  const standing = standingOn(loan, on, currency)
  // A change of the past is made good at the end of the day: until then the sum is right.
  const correction = standing.accruedTotalMinor - accruedTotalMinor
  const { principalMinor, principalDueMinor, accruedMinor } = facility
  const owed = accruedMinor + correction + principalMinor - principalDueMinor
  expect(owed, step).toBe(standing.openInterestMinor + standing.principalMinor)
  if (!isMorning) return
  const closed = standingOn(loan, accruedThrough, currency)
  expect(accruedMinor, step).toBe(closed.openInterestMinor)
  expect(principalMinor - principalDueMinor, step).toBe(closed.principalMinor)
}
