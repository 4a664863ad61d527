import { formatAmount } from '../../_kernel/domain/money.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import type { DueInstalment } from '../domain/due-instalment.ts'
import { latenessOf, type PayoffFigure, type Repayment as Record } from '../domain/repayment.ts'
import { openMinor } from '../domain/due-instalment.ts'
import type { Facility } from '../domain/facility.ts'
import type { Instalment as Line } from '../domain/loan.ts'
import { instalmentOut } from './facility-out.ts'
import type { Delinquency, LoanInstalment, PayoffQuote } from './facility-schedule.types.ts'
import type { Repayment } from './repayment.types.ts'

export function repaymentOut(repayment: Record): Repayment {
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
      instalment: number,
      part,
      amount: formatAmount(amountMinor, currency),
    })),
    extraInterest: money(repayment.extraInterestMinor),
    extraPrincipal: money(repayment.extraPrincipalMinor),
    postingInstructionId: repayment.postingInstructionId,
    createdAt: repayment.createdAt,
  }
}

/** A line of the schedule with what is paid of it. One that became due without a payment is paid. */
export function loanInstalmentOut(
  line: Line,
  { currency, billedInstalments, state }: Facility,
  due: DueInstalment | undefined,
): LoanInstalment {
  // What is left in the schedule of a loan that is paid off is the payment that paid it off.
  if (state === 'paid-off' && line.number > billedInstalments) {
    return {
      ...instalmentOut(line, currency),
      status: 'paid',
      paid: formatAmount(line.paymentMinor, currency),
      paidOn: line.dueDate,
    }
  }
  const paid = due ? due.interestPaidMinor + due.principalPaidMinor : 0n
  return {
    ...instalmentOut(line, currency),
    status: statusOf(line.number <= billedInstalments, due, paid),
    paid: formatAmount(paid, currency),
    paidOn: due?.paidOn ?? null,
  }
}

function statusOf(isBilled: boolean, due: DueInstalment | undefined, paid: bigint) {
  if (!isBilled) return 'upcoming'
  if (!due || openMinor(due) === 0n) return 'paid'
  return paid > 0n ? 'partly-paid' : 'due'
}

export function delinquencyOut(
  dues: readonly DueInstalment[],
  { currency, state }: Facility,
  today: string,
): Delinquency {
  // What was charged off is not late any more: it is lost.
  const isOwed = state === 'active' || state === 'in-arrears'
  const late = latenessOf({ dues: isOwed ? dues : [] }, today)
  return { ...late, arrears: moneyOut({ amountMinor: late.arrearsMinor, currency }) }
}

export function payoffOut(figure: PayoffFigure, currency: string): PayoffQuote {
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    on: figure.on,
    principal: money(figure.principalMinor),
    interest: money(figure.interestMinor),
    due: money(figure.dueMinor),
    total: money(figure.totalMinor),
  }
}
