import 'reflect-metadata'
import { expect } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { standingOn } from '../../../subgraphs/lending/domain/schedules/standing.ts'
import { facilityKind } from '../../../subgraphs/lending/store/facilities/facility.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'

/** Asserts that what is owed on a facility is what its schedule says. */
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
  // An installment of today is made due tonight or by the next payment; until then the figures differ.
  if (facility.nextDueDate !== null && facility.nextDueDate <= on) return
  const standing = standingOn(loan, on, currency)
  // A backdated change is corrected at the end of the day; until then only the total matches.
  const correction = standing.accruedTotalMinor - accruedTotalMinor
  const { principalMinor, principalDueMinor, accruedMinor } = facility
  const owed = accruedMinor + correction + principalMinor - principalDueMinor
  expect(owed, step).toBe(standing.openInterestMinor + standing.principalMinor)
  if (!isMorning) return
  const closed = standingOn(loan, accruedThrough, currency)
  expect(accruedMinor, step).toBe(closed.openInterestMinor)
  expect(principalMinor - principalDueMinor, step).toBe(closed.principalMinor)
}
