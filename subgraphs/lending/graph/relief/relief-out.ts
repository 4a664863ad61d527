import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import {
  paidParts,
  type ExtraPaymentFigures,
  type ExtraPaymentRequest,
} from '../../domain/repayments/extra-payment-request.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import type {
  HolidayPlan,
  PaymentHoliday as HolidayRecord,
} from '../../domain/relief/payment-holiday.ts'
import { currentVersion, type ScheduleChange } from '../../domain/facilities/schedule-change.ts'
import type { AmendmentEffect } from '../../domain/schedules/version.ts'
import type { previewExtraPayment } from '../../commands/repayments/extra-payment-order.ts'
import type { previewRelief } from '../../commands/relief/hardship-request.ts'
import type { previewPaymentHoliday } from '../../commands/relief/payment-holiday.ts'
import type { ExtraPayment, ExtraPaymentPreview } from '../../model/repayments/extra-payment.ts'
import { figuresOut, installmentOut } from '../facilities/facility-out.ts'
import type { HardshipReliefPreview } from '../../model/relief/hardship-request.ts'
import type { PaymentHoliday, PaymentHolidayPreview } from '../../model/relief/payment-holiday.ts'

function effectOut(effect: AmendmentEffect | null, currency: string) {
  return {
    before: effect && figuresOut(effect.before, currency),
    after: effect && figuresOut(effect.after, currency),
  }
}

function linesOut(facility: Facility, change: ScheduleChange | null) {
  const version = change?.version ?? currentVersion(facility)!
  return version.schedule.installments.map((line) => installmentOut(line, facility.currency))
}

function figuresOfPayment(figures: ExtraPaymentFigures, currency: string) {
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  const { overdueMinor, lateChargesMinor, interestMinor, principalMinor } = paidParts(figures)
  return {
    amount: money(figures.amountMinor),
    strategy: figures.strategy,
    allocation: {
      overdue: money(overdueMinor),
      lateCharges: money(lateChargesMinor),
      interest: money(interestMinor),
      principal: money(principalMinor),
    },
    prepaymentFee: money(figures.feeMinor),
    ...effectOut(figures.effect, currency),
    interestSaved: money(-(figures.effect?.additionalInterestMinor ?? 0n)),
  }
}

export function extraPaymentOut(payment: ExtraPaymentRequest): ExtraPayment {
  const { sourceArrangementId: arrangementId, currency } = payment
  return {
    ...payment,
    ...figuresOfPayment(payment, currency),
    status: payment.state,
    source: arrangementId === null ? null : { arrangementId },
  }
}

export function extraPaymentPreviewOut({
  facility,
  terms,
  plan,
}: Awaited<ReturnType<typeof previewExtraPayment>>): ExtraPaymentPreview {
  return {
    facilityId: facility.facilityId,
    paymentDate: terms.on,
    ...figuresOfPayment(plan.figures, facility.currency),
    installments: linesOut(plan.serviced.facility, plan.change),
  }
}

type DisplayedHoliday = Pick<HolidayPlan, 'startDate' | 'endDate' | 'holiday' | 'affected'>

function holidayFigures(
  { startDate, endDate, holiday, affected }: DisplayedHoliday,
  effect: AmendmentEffect | null,
  currency: string,
) {
  return {
    startDate,
    endDate,
    affectedInstallments: affected,
    type: holiday.type,
    interestTreatment: holiday.interest,
    termTreatment: holiday.term,
    ...effectOut(effect, currency),
    additionalCost: effect && moneyOut({ amountMinor: effect.additionalInterestMinor, currency }),
  }
}

export function paymentHolidayOut(record: HolidayRecord): PaymentHoliday {
  const { effect, currency } = record
  return { ...record, ...holidayFigures(record, effect, currency), status: record.state }
}

export function paymentHolidayPreviewOut({
  facility,
  plan,
}: Awaited<ReturnType<typeof previewPaymentHoliday>>): PaymentHolidayPreview {
  const { facilityId, currency } = facility
  return {
    facilityId,
    ...holidayFigures(plan, plan.change.effect, currency),
    installments: linesOut(facility, plan.change),
  }
}

export function reliefPreviewOut({
  loan,
  plan,
}: Awaited<ReturnType<typeof previewRelief>>): HardshipReliefPreview {
  const { currency } = loan
  const effect = plan.change.effect!
  return {
    before: figuresOut(effect.before, currency),
    after: figuresOut(effect.after, currency),
    additionalCost: moneyOut({ amountMinor: effect.additionalInterestMinor, currency }),
    installments: linesOut(loan, plan.change),
  }
}
