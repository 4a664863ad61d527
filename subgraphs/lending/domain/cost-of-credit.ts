import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { annualPercentageRate, type CashFlow } from './apr-request.ts'
import { isAmortising, type Facility, type UpfrontFee } from './facility.ts'
import type { Loan } from './loan.ts'
import { scheduleOf } from './schedule.ts'

/** What a loan costs the borrower. */
export interface CostOfCredit {
  upfrontFees: readonly UpfrontFee[]
  totalInterestMinor: bigint
  /** All payments of the borrower and the upfront fees. */
  totalPayableMinor: bigint
  /** The annual percentage rate of charge, in percent; null when there is none. */
  aprcPct: string | null
}

/**
 * The cost of a loan: of what was paid out, or of the whole limit while nothing is. Null for a
 * revolving limit, whose cost depends on how it is used.
 */
export function costOfCredit(facility: Facility): CostOfCredit | null {
  if (!isAmortising(facility)) return null
  const { currency, upfrontFees } = facility
  const loan = drawnLoan(facility)
  const schedule = scheduleOf(loan, currency)
  const { instalments, isPaidOff, totalInterestMinor, totalPaymentMinor } = schedule
  const fees = upfrontFees.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const flow = (on: string, minor: bigint): CashFlow => ({
    on,
    amount: formatAmount(minor, currency),
  })
  const payments = [
    ...instalments
      .filter(({ paymentMinor }) => paymentMinor > 0n)
      .map(({ dueDate, paymentMinor }) => flow(dueDate, paymentMinor)),
    // The payment that pays off a loan is the last line of its schedule already.
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
    aprcPct: rateOf(advances, payments),
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

/** Null when the payments do not exceed what was received, or are too many. */
function rateOf(advances: CashFlow[], payments: CashFlow[]): string | null {
  try {
    return annualPercentageRate({ convention: 'eu', advances, payments })
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
