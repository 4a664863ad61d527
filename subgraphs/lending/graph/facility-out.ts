import { formatAmount } from '../../_kernel/domain/money.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import { costOfCredit } from '../domain/cost-of-credit.ts'
import type { Drawdown as DrawdownRecord } from '../domain/drawdown.ts'
import type { Facility as FacilityRecord } from '../domain/facility.ts'
import type { Instalment as Line } from '../domain/loan.ts'
import type { ScheduleFigures as Figures } from '../domain/version.ts'
import type { DrawdownPlan } from '../drawdowns.ts'
import type { KeptVersion } from '../store/schedule-version.ts'
import type { Drawdown, DrawdownPreview } from './drawdown.types.ts'
import type {
  CostOfCredit,
  NextInstalment,
  ScheduleFigures,
  ScheduleVersion,
} from './facility-schedule.types.ts'

/** A facility under its other id. */
export function loanOut(facility: FacilityRecord) {
  return { ...facility, loanId: facility.facilityId }
}

export function instalmentOut(line: Line, currency: string) {
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
    instalment: moneyOut({ amountMinor: figures.instalmentMinor, currency }),
    maturityDate: figures.maturityDate,
    totalInterest: moneyOut({ amountMinor: figures.totalInterestMinor, currency }),
  }
}

export function versionOut(kept: KeptVersion): ScheduleVersion {
  const { version, cause, figures, schedule, currency, createdAt } = kept
  return {
    version,
    cause: cause?.kind ?? null,
    figures: figuresOut(figures, currency),
    instalments: schedule.instalments.map((line) => instalmentOut(line, currency)),
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

interface Next {
  nextDueDate: string | null
  nextDueMinor: bigint | null
  currency: string
}

export function nextOut({ nextDueDate, nextDueMinor, currency }: Next): NextInstalment | null {
  if (nextDueDate === null) return null
  return {
    dueDate: nextDueDate,
    payment: moneyOut({ amountMinor: nextDueMinor ?? 0n, currency }),
  }
}

export function drawdownOut(drawdown: DrawdownRecord): Drawdown {
  const { currency, destinationArrangementId } = drawdown
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    ...drawdown,
    isSimulated: destinationArrangementId === null,
    amount: money(drawdown.amountMinor),
    fee: money(drawdown.feeMinor),
    status: drawdown.state,
    destination:
      destinationArrangementId === null ? null : { arrangementId: destinationArrangementId },
    availableLimitBefore: money(drawdown.availableBeforeMinor),
    availableLimitAfter: money(drawdown.availableAfterMinor),
    outstandingPrincipal: money(drawdown.outstandingMinor),
    nextInstalment: nextOut(drawdown),
  }
}

export function previewOut({ drawdown, change, facility: before }: DrawdownPlan): DrawdownPreview {
  const { facility, version, effect } = change
  const { currency } = facility
  const { instalments, totalInterestMinor } = version.schedule
  const after = effect?.after ?? {
    instalmentMinor: facility.nextDueMinor,
    maturityDate: facility.maturityDate!,
    totalInterestMinor,
  }
  const { amount, availableLimitBefore, availableLimitAfter, outstandingPrincipal } =
    drawdownOut(drawdown)
  return {
    amount,
    fee: moneyOut({
      amountMinor: facility.upfrontFeesChargedMinor - before.upfrontFeesChargedMinor,
      currency,
    }),
    valueDate: drawdown.valueDate,
    availableLimitBefore,
    availableLimitAfter,
    outstandingPrincipal,
    scheduleVersion: version.version,
    nextInstalment: nextOut(facility),
    before: effect && figuresOut(effect.before, currency),
    after: figuresOut(after, currency),
    instalments: instalments.map((line) => instalmentOut(line, currency)),
  }
}
