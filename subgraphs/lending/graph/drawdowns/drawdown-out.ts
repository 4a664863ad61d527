import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import type { Drawdown as DrawdownRecord, DrawdownPlan } from '../../domain/drawdowns/drawdown.ts'
import { figuresOut, installmentOut, nextInstallmentOut } from '../facilities/facility-out.ts'
import type { Drawdown, DrawdownPreview } from '../../model/drawdowns/drawdown.ts'

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
    nextInstallment: nextInstallmentOut(drawdown),
  }
}

export function previewOut({ drawdown, change, facility: before }: DrawdownPlan): DrawdownPreview {
  const { facility, version, effect } = change
  const { currency } = facility
  const { installments, totalInterestMinor } = version.schedule
  const after = effect?.after ?? {
    installmentMinor: facility.nextDueMinor,
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
    nextInstallment: nextInstallmentOut(facility),
    before: effect && figuresOut(effect.before, currency),
    after: figuresOut(after, currency),
    installments: installments.map((line) => installmentOut(line, currency)),
  }
}
