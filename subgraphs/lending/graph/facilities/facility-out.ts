import { formatAmount } from '../../../../kernel/domain/money.ts'
import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import { costOfCredit } from '../../domain/pricing/cost-of-credit.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import type { Installment as Line } from '../../domain/schedules/loan.ts'
import type { ScheduleFigures as Figures } from '../../domain/schedules/version.ts'
import type { StoredVersion } from '../../store/schedules/schedule-version.ts'
import type {
  CostOfCredit,
  NextInstallment,
  ScheduleFigures,
  ScheduleVersion,
} from '../../model/schedules/facility-schedule.ts'

/** Converts a facility to the GraphQL type `Loan`. */
export function loanOut(facility: FacilityRecord) {
  return { ...facility, loanId: facility.facilityId }
}

export function installmentOut(line: Line, currency: string) {
  return {
    number: line.number,
    dueDate: line.dueDate,
    payment: formatAmount(line.paymentMinor, currency),
    interest: formatAmount(line.interestMinor, currency),
    principal: formatAmount(line.principalMinor, currency),
    balance: formatAmount(line.balanceMinor, currency),
  }
}

export function figuresOut(figures: Figures, currency: string): ScheduleFigures {
  return {
    installment: moneyOut({ amountMinor: figures.installmentMinor, currency }),
    maturityDate: figures.maturityDate,
    totalInterest: moneyOut({ amountMinor: figures.totalInterestMinor, currency }),
  }
}

export function versionOut(storedVersion: StoredVersion): ScheduleVersion {
  const { version, cause, figures, schedule, currency, createdAt } = storedVersion
  return {
    version,
    cause: cause?.kind ?? null,
    figures: figuresOut(figures, currency),
    installments: schedule.installments.map((line) => installmentOut(line, currency)),
    createdAt,
  }
}

export function costOut(facility: FacilityRecord): CostOfCredit | null {
  const cost = costOfCredit(facility)
  if (!cost) return null
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency: facility.currency })
  return {
    upfrontFees: cost.upfrontFees.map(({ code, amountMinor }) => ({
      code,
      amount: money(amountMinor),
    })),
    upfrontFeesCharged: money(facility.upfrontFeesChargedMinor),
    totalInterest: money(cost.totalInterestMinor),
    totalPayable: money(cost.totalPayableMinor),
    annualPercentageRate: cost.aprcPct,
  }
}

interface NextDue {
  nextDueDate: string | null
  nextDueMinor: bigint | null
  currency: string
}

export function nextInstallmentOut({
  nextDueDate,
  nextDueMinor,
  currency,
}: NextDue): NextInstallment | null {
  if (nextDueDate === null) return null
  return {
    dueDate: nextDueDate,
    payment: moneyOut({ amountMinor: nextDueMinor ?? 0n, currency }),
  }
}
