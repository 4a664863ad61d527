import type { CashFlow } from '../../model/pricing/apr.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import { Problem } from '../problems.ts'
import { annualPercentageRate } from './apr-request.ts'
import { isAmortizing, type Facility, type UpfrontFee } from '../facilities/facility.ts'
import type { Loan } from '../schedules/loan.ts'
import { scheduleOf } from '../schedules/schedule.ts'

/** The cost of a loan for the borrower. */
export interface CostOfCredit {
  upfrontFees: readonly UpfrontFee[]
  totalInterestMinor: bigint
  /** The total of all payments of the borrower and the upfront fees. */
  totalPayableMinor: bigint
  /** The annual percentage rate of charge, in percent; null if it cannot be computed. */
  aprcPct: string | null
}

/**
 * Returns the cost of a loan for the amount drawn so far. Before the first drawdown, the cost is
 * computed for the full limit. Null for a revolving limit, because its cost depends on its use.
 */
export function costOfCredit(facility: Facility): CostOfCredit | null {
  if (!isAmortizing(facility)) return null
  const { currency, upfrontFees } = facility
  const loan = drawnLoan(facility)
  const schedule = scheduleOf(loan, currency)
  const { installments, isPaidOff, totalInterestMinor, totalPaymentMinor } = schedule
  const fees = upfrontFees.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const flow = (on: string, minor: bigint): CashFlow => ({
    on,
    amount: formatAmount(minor, currency),
  })
  const payments = [
    ...installments
      .filter(({ paymentMinor }) => paymentMinor > 0n)
      .map(({ dueDate, paymentMinor }) => flow(dueDate, paymentMinor)),
    // The payment that ended the loan is already the last entry of the schedule.
    ...(isPaidOff ? loan.extraPayments.slice(0, -1) : loan.extraPayments).map(
      ({ on, amountMinor }) => flow(on, amountMinor),
    ),
  ]
  const advances = loan.disbursements.map(({ on, amountMinor }, index) =>
    flow(on, index === 0 ? amountMinor - fees : amountMinor),
  )
  return {
    upfrontFees,
    totalInterestMinor,
    totalPayableMinor: totalPaymentMinor + fees,
    aprcPct: aprcOf(advances, payments),
  }
}

function drawnLoan({ loan, limitMinor, availableFrom }: Facility): Loan {
  if (loan.disbursements.length > 0) return loan
  return {
    ...loan,
    terms: { ...loan.terms, start: availableFrom },
    disbursements: [{ on: availableFrom, amountMinor: limitMinor }],
  }
}

/**
 * Returns the annual percentage rate of charge; null if the payments are less than the advances or
 * there are too many cash flows.
 */
function aprcOf(advances: CashFlow[], payments: CashFlow[]): string | null {
  try {
    return annualPercentageRate({ convention: 'eu', advances, payments })
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
