import { formatAmount } from '../../../../kernel/domain/money.ts'
import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import {
  noCharges,
  unpaidMinor,
  type DueInstallment,
} from '../../domain/repayments/due-installment.ts'
import type { PayoffFigure } from '../../domain/repayments/payoff-figure.ts'
import {
  facilityDelinquency,
  type Repayment as RepaymentRecord,
} from '../../domain/repayments/repayment.ts'
import { isServiced, type Facility } from '../../domain/facilities/facility.ts'
import type { Installment as Line } from '../../domain/schedules/loan.ts'
import { installmentOut } from '../facilities/facility-out.ts'
import type {
  Delinquency,
  LoanInstallment,
  PayoffQuote,
} from '../../model/schedules/facility-schedule.ts'
import type { Repayment } from '../../model/repayments/repayment.ts'

export function repaymentOut(repayment: RepaymentRecord): Repayment {
  const { currency, sourceArrangementId } = repayment
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    repaymentId: repayment.repaymentId,
    facilityId: repayment.facilityId,
    status: repayment.state,
    isCollected: repayment.isCollected,
    amount: money(repayment.amountMinor),
    paymentDate: repayment.paymentDate,
    source: sourceArrangementId === null ? null : { arrangementId: sourceArrangementId },
    reference: repayment.reference,
    allocations: repayment.allocations.map(({ number, part, amountMinor }) => ({
      installment: number,
      part,
      amount: formatAmount(amountMinor, currency),
    })),
    extraInterest: money(repayment.extraInterestMinor),
    extraPrincipal: money(repayment.extraPrincipalMinor),
    postingInstructionId: repayment.postingInstructionId,
    createdAt: repayment.createdAt,
  }
}

/**
 * Converts an installment to its GraphQL type, with the amount paid. An installment of zero counts
 * as paid when it becomes due.
 */
export function loanInstallmentOut(
  line: Line,
  { currency, billedInstallments, state }: Facility,
  due: DueInstallment | undefined,
): LoanInstallment {
  const charges = due?.charges ?? noCharges
  const chargesPaidMinor = charges.feesPaidMinor + charges.penaltiesPaidMinor
  const common = {
    ...installmentOut(line, currency),
    lateFee: formatAmount(charges.feesMinor - charges.feesWaivedMinor, currency),
    defaultInterest: formatAmount(charges.penaltiesMinor - charges.penaltiesWaivedMinor, currency),
    lateChargesPaid: formatAmount(chargesPaidMinor, currency),
  }
  // In a paid-off loan's schedule, the line after the billed installments is the final payment.
  if (state === 'paid-off' && line.number > billedInstallments) {
    return {
      ...common,
      status: 'paid',
      paid: formatAmount(line.paymentMinor, currency),
      paidOn: line.dueDate,
    }
  }
  const paidMinor = due ? due.interestPaidMinor + due.principalPaidMinor : 0n
  return {
    ...common,
    status: statusOf(line.number <= billedInstallments, due, paidMinor + chargesPaidMinor),
    paid: formatAmount(paidMinor, currency),
    paidOn: due?.paidOn ?? null,
  }
}

function statusOf(isBilled: boolean, due: DueInstallment | undefined, paidMinor: bigint) {
  if (!isBilled) return 'upcoming'
  if (!due || unpaidMinor(due) === 0n) return 'paid'
  return paidMinor > 0n ? 'partly-paid' : 'due'
}

export function delinquencyOut(
  dues: readonly DueInstallment[],
  facility: Facility,
  today: string,
): Delinquency {
  // Only a facility that is being repaid can be past due. The receivable of a charged-off facility
  // is already booked as a loss.
  const lateness = facilityDelinquency({ dues: isServiced(facility) ? dues : [] }, today)
  const { currency } = facility
  return { ...lateness, arrears: moneyOut({ amountMinor: lateness.arrearsMinor, currency }) }
}

export function payoffOut(figure: PayoffFigure, currency: string): PayoffQuote {
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    on: figure.on,
    principal: money(figure.principalMinor),
    interest: money(figure.interestMinor),
    lateCharges: money(figure.lateChargesMinor),
    due: money(figure.dueMinor),
    total: money(figure.totalMinor),
  }
}
