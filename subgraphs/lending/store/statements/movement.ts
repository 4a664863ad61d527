import type { Context } from '../../../../kernel/environment/context.ts'
import {
  readAccountPostings,
  readBalancesBefore,
  readDebitedBefore,
} from '../../../../ledger/account-postings.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import { loanAccountId } from '../../domain/facilities/accounts.ts'
import { isLost, type Facility } from '../../domain/facilities/facility.ts'
import type { Debt } from '../../domain/statements/debt.ts'
import { movementOf, type Movement, type MovementOrigin } from '../../domain/statements/movement.ts'
import type { StatementPeriod } from '../../domain/statements/statement.ts'

/** Reads what was owed on a facility before a day, by value date. */
export async function readDebtBefore(
  { bank }: Context,
  facility: Facility,
  day: string,
): Promise<Debt> {
  const { facilityId, currency } = facility
  const losses = internalAccountId('loan-losses', currency)
  const [balances, chargedOffMinor] = await Promise.all([
    readBalancesBefore(bank.pool, loanAccountId(facilityId), day),
    isLost(facility) ? readDebitedBefore(bank.pool, losses, facilityId, day) : 0n,
  ])
  const at = (address: string) => balances.get(address) ?? 0n
  return {
    principalMinor: at('principal'),
    interestMinor: at('accrued') + at('interest-due'),
    lateFeesMinor: at('fees'),
    defaultInterestMinor: at('penalties'),
    chargedOffMinor,
  }
}

/**
 * Reads the movements of a facility that were booked with value dates in a period, in the order of their
 * value dates; null if there are more than `max` postings.
 */
export async function readMovements(
  context: Context,
  { facilityId }: Facility,
  period: StatementPeriod,
  max: number,
): Promise<Movement[] | null> {
  const scope = { accountId: loanAccountId(facilityId), clientTransactionId: facilityId }
  const postings = await readAccountPostings(context.bank.pool, scope, period, max + 1)
  if (postings.length > max) return null
  const ids = postings.map(
    ({ postingInstructionId, reversesId }) => reversesId ?? postingInstructionId,
  )
  const origins = await readOrigins(context, facilityId, ids)
  const originOf = (id: string) => origins.get(id) ?? null
  return postings.flatMap((posting) => movementOf(posting, facilityId, originOf) ?? [])
}

/**
 * Reads the records of a facility to which postings belong, by the ID of the posting. Whoever may read
 * the facility reads the same statement, so the records are read as the bank.
 */
async function readOrigins(
  { bank: { db } }: Context,
  facilityId: string,
  ids: readonly string[],
): Promise<Map<string, MovementOrigin>> {
  const isBooked = { facilityId, postingInstructionId: { in: [...ids] } }
  const select = { postingInstructionId: true } as const
  const [drawdowns, repayments, extraPayments, fees] = await Promise.all([
    db.drawdown.findMany({
      where: isBooked,
      select: { ...select, drawdownId: true, feeMinor: true },
    }),
    db.repayment.findMany({ where: isBooked, select: { ...select, repaymentId: true } }),
    db.extraPayment.findMany({ where: isBooked, select: { ...select, extraPaymentId: true } }),
    db.extraPayment.findMany({
      where: { facilityId, feePostingInstructionId: { in: [...ids] } },
      select: { feePostingInstructionId: true, extraPaymentId: true },
    }),
  ])
  return new Map<string, MovementOrigin>([
    ...drawdowns.map(
      (row) =>
        [
          row.postingInstructionId!,
          { kind: 'drawdown', id: row.drawdownId, feeMinor: row.feeMinor },
        ] as const,
    ),
    ...repayments.map(
      (row) =>
        [
          row.postingInstructionId,
          { kind: 'repayment', id: row.repaymentId, feeMinor: 0n },
        ] as const,
    ),
    ...extraPayments.map(
      (row) =>
        [
          row.postingInstructionId!,
          { kind: 'extra-payment', id: row.extraPaymentId, feeMinor: 0n },
        ] as const,
    ),
    ...fees.map(
      (row) =>
        [
          row.feePostingInstructionId!,
          { kind: 'prepayment-fee', id: row.extraPaymentId, feeMinor: 0n },
        ] as const,
    ),
  ])
}
