import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { isAmortising } from './domain/facility.ts'
import { executeDrawdowns } from './drawdown-worker.ts'
import './events.ts'
import { CalculatorsResolver } from './graph/calculators.resolver.ts'
import { DrawdownResolver } from './graph/drawdown.resolver.ts'
import { FacilityFiguresResolver, LoanFiguresResolver } from './graph/facility-figures.resolver.ts'
import {
  FacilityRelationsResolver,
  LoanRelationsResolver,
} from './graph/facility-relations.resolver.ts'
import {
  FacilityMovementsResolver,
  LoanMovementsResolver,
} from './graph/facility-movements.resolver.ts'
import { drawdownOut, loanOut } from './graph/facility-out.ts'
import {
  CustomerFacilitiesResolver,
  FacilityResolver,
  LoanResolver,
} from './graph/facility.resolver.ts'
import { checkLendingBooks } from './check.ts'
import { closeEndOfDay } from './end-of-day.ts'
import { EndOfDayResolver } from './graph/end-of-day.resolver.ts'
import { ExtraPaymentResolver } from './graph/extra-payment.resolver.ts'
import { HardshipRequestResolver } from './graph/hardship-request.resolver.ts'
import { LossResolver } from './graph/loss.resolver.ts'
import { PaymentHolidayResolver } from './graph/payment-holiday.resolver.ts'
import { extraPaymentOut, hardshipRequestOut, paymentHolidayOut } from './graph/relief-out.ts'
import { FacilityReliefResolver, LoanReliefResolver } from './graph/relief-relations.resolver.ts'
import { repaymentOut } from './graph/repayment-out.ts'
import { RepaymentResolver } from './graph/repayment.resolver.ts'
import './relief-events.ts'
import {
  escalateHardshipRequests,
  executeExtraPayments,
  openHardshipCases,
  turnPaymentHolidays,
} from './relief-workers.ts'
import { loadExtraPayment } from './store/extra-payment.ts'
import { loadHardshipRequest } from './store/hardship-request.ts'
import { loadPaymentHoliday } from './store/payment-holiday.ts'
import { loadRepayment } from './store/repayment.ts'
import { loadDrawdown } from './store/drawdown.ts'
import { loadFacility } from './store/facility.ts'

/** Lending: facilities and loans, their schedules, and the arithmetic behind them. */
export const lending: Subgraph = {
  name: 'lending',
  resolvers: [
    CalculatorsResolver,
    FacilityResolver,
    FacilityFiguresResolver,
    FacilityRelationsResolver,
    FacilityMovementsResolver,
    LoanResolver,
    LoanFiguresResolver,
    LoanRelationsResolver,
    LoanMovementsResolver,
    CustomerFacilitiesResolver,
    DrawdownResolver,
    RepaymentResolver,
    LossResolver,
    EndOfDayResolver,
    ExtraPaymentResolver,
    PaymentHolidayResolver,
    HardshipRequestResolver,
    FacilityReliefResolver,
    LoanReliefResolver,
  ],
  types: [],
  references: {
    Customer: ({ customerId }: { customerId: string }) => ({ customerId }),
    async Facility({ facilityId }: { facilityId: string }, context) {
      requireScope(context.caller, 'lending:read')
      return loadFacility(context, facilityId)
    },
    async Loan({ loanId }: { loanId: string }, context) {
      requireScope(context.caller, 'lending:read')
      const facility = await loadFacility(context, loanId)
      return facility && isAmortising(facility) ? loanOut(facility) : null
    },
    async Drawdown({ drawdownId }: { drawdownId: string }, context) {
      requireScope(context.caller, 'lending:read')
      const drawdown = await loadDrawdown(context, drawdownId)
      return drawdown && drawdownOut(drawdown)
    },
    async Repayment({ repaymentId }: { repaymentId: string }, context) {
      requireScope(context.caller, 'lending:read')
      const repayment = await loadRepayment(context, repaymentId)
      return repayment && repaymentOut(repayment)
    },
    async ExtraPayment({ extraPaymentId }: { extraPaymentId: string }, context) {
      requireScope(context.caller, 'lending:read')
      const payment = await loadExtraPayment(context, extraPaymentId)
      return payment && extraPaymentOut(payment)
    },
    async PaymentHoliday({ paymentHolidayId }: { paymentHolidayId: string }, context) {
      requireScope(context.caller, 'lending:read')
      const holiday = await loadPaymentHoliday(context, paymentHolidayId)
      return holiday && paymentHolidayOut(holiday)
    },
    async HardshipRequest({ hardshipRequestId }: { hardshipRequestId: string }, context) {
      requireScope(context.caller, 'lending:read')
      const request = await loadHardshipRequest(context, hardshipRequestId)
      return request && hardshipRequestOut(request)
    },
  },
  workers: [
    executeDrawdowns,
    closeEndOfDay,
    checkLendingBooks,
    executeExtraPayments,
    turnPaymentHolidays,
    openHardshipCases,
    escalateHardshipRequests,
  ],
}
