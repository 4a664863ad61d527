import 'reflect-metadata'
import { expect } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { readStatement } from '../../../subgraphs/lending/commands/statements/statement.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import {
  addDebt,
  noDebt,
  totalDebtMinor,
} from '../../../subgraphs/lending/domain/statements/debt.ts'
import type { Movement } from '../../../subgraphs/lending/domain/statements/movement.ts'
import { facilityKind } from '../../../subgraphs/lending/store/facilities/facility.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'

/** What is owed according to the columns of a facility. */
const owed = (facility: Facility) => ({
  principalMinor: facility.principalMinor,
  interestMinor: facility.accruedMinor + facility.interestDueMinor,
  lateFeesMinor: facility.feesDueMinor,
  defaultInterestMinor: facility.penaltiesDueMinor,
  chargedOffMinor: facility.chargedOffMinor,
})

/**
 * Asserts that the statements of a facility, which divide its life into periods, follow each other from
 * zero to what is owed today, and that their payments are the recorded ones. Returns their movements.
 */
export async function expectAsStated(
  bank: RunningSubgraph,
  facilityId: string,
  step: string,
  periodDays: number,
): Promise<Movement[]> {
  const context = bankContext(bank.bank)
  const facility = (await facilityKind.find(context, facilityId))!
  const today = bank.bank.now().toISOString().slice(0, 10)
  const movements: Movement[] = []
  let balance = noDebt
  // Drawdowns can have value dates before the opening.
  let from = addDays(facility.openedOn, -40)
  while (from <= today) {
    const end = addDays(from, periodDays - 1)
    const to = end < today ? end : today
    const statement = await readStatement(bankContext(bank.bank), facility, { from, to })
    expect(statement.opening, `${step}: opening on ${from}`).toEqual(balance)
    for (const movement of statement.movements) {
      balance = addDebt(balance, movement.change)
      expect(movement.balanceAfterMinor).toBe(totalDebtMinor(balance))
      expect(movement.valueDate >= from && movement.valueDate <= to).toBe(true)
    }
    expect(statement.closing, `${step}: closing on ${to}`).toEqual(balance)
    movements.push(...statement.movements)
    from = addDays(to, 1)
  }
  expect(balance, `${step}: owed today`).toEqual(owed(facility))
  await expectPayments(bank, facilityId, movements)
  return movements
}

/** Compares the payments on statements with the records of payments. */
async function expectPayments(
  bank: RunningSubgraph,
  facilityId: string,
  movements: readonly Movement[],
) {
  const rows = await bank.rows(
    `select repayment_id as id, amount_minor::text as amount, state from lending.repayment
       where facility_id = $1
     union all select extra_payment_id, amount_minor::text, state from lending.extra_payment
       where facility_id = $1 and posting_instruction_id is not null`,
    [facilityId],
  )
  const paid = movements.filter(({ origin }) =>
    ['repayment', 'extra-payment'].includes(origin?.kind ?? ''),
  )
  const expected = rows.flatMap(({ id, amount, state }: any) =>
    state === 'reversed' ? [`${id} -${amount}`, `${id} ${amount}`] : [`${id} -${amount}`],
  )
  const stated = paid.map(({ origin, change }) => `${origin!.id} ${totalDebtMinor(change)}`)
  expect(stated.toSorted()).toEqual(expected.toSorted())
}
