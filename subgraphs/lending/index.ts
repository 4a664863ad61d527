import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import './promise-events.ts'
import './rate-reset-events.ts'
import './obligor-events.ts'
import './relief-events.ts'
import { CalculatorsResolver } from './graph/schedules/calculators.resolver.ts'
import { DrawdownOperations } from './graph/drawdowns/drawdown.resolver.ts'
import {
  FacilityFiguresResolver,
  FacilityScheduleResolver,
  LoanFiguresResolver,
  LoanScheduleResolver,
} from './graph/facilities/facility-figures.resolver.ts'
import {
  FacilityRelationsResolver,
  LoanRelationsResolver,
} from './graph/facilities/facility-relations.resolver.ts'
import {
  FacilityMovementsResolver,
  LoanMovementsResolver,
} from './graph/facilities/facility-movements.resolver.ts'
import {
  CustomerFacilitiesResolver,
  FacilityOperations,
  LoanResolver,
} from './graph/facilities/facility.resolver.ts'
import {
  FacilityLateChargesResolver,
  LateChargeOperations,
  LoanLateChargesResolver,
} from './graph/late-charges/late-charges.resolver.ts'
import {
  FacilityRateResetsResolver,
  FloatingRateResolver,
  LoanRateResetsResolver,
  RateResetOperations,
} from './graph/rate-resets/rate-reset.resolver.ts'
import {
  RateResetLetterOperations,
  RateResetLetterResolver,
  RateResetLettersResolver,
} from './graph/rate-resets/rate-reset-letter.resolver.ts'
import { EndOfDayOperations } from './graph/servicing/end-of-day.resolver.ts'
import { ExtraPaymentOperations } from './graph/repayments/extra-payment.resolver.ts'
import {
  HardshipRequestOperations,
  HardshipRequestResolver,
} from './graph/relief/hardship-request.resolver.ts'
import { LossOperations, LossProposalResolver } from './graph/losses/loss.resolver.ts'
import { PaymentHolidayOperations } from './graph/relief/payment-holiday.resolver.ts'
import {
  FacilityPromisesResolver,
  LoanPromisesResolver,
  PromiseToPayOperations,
  PromiseToPayResolver,
} from './graph/promises/promise-to-pay.resolver.ts'
import {
  GuaranteeCallOperations,
  GuaranteeCallResolver,
  ObligorCallsResolver,
} from './graph/obligors/guarantee-call.resolver.ts'
import {
  FacilityObligorsResolver,
  LoanObligorsResolver,
  ObligorOperations,
  ObligorResolver,
  PartyObligationsResolver,
} from './graph/obligors/obligor.resolver.ts'
import {
  FacilityReliefResolver,
  LoanReliefResolver,
} from './graph/relief/relief-relations.resolver.ts'
import {
  FacilityCertificateResolver,
  FacilityStatementResolver,
  FacilityStatementsResolver,
  LoanStatementsResolver,
} from './graph/statements/statement.resolver.ts'
import { RepaymentOperations } from './graph/repayments/repayment.resolver.ts'
import { isAmortizing } from './domain/facilities/facility.ts'
import { drawdownOut } from './graph/drawdowns/drawdown-out.ts'
import { loanOut } from './graph/facilities/facility-out.ts'
import { extraPaymentOut, paymentHolidayOut } from './graph/relief/relief-out.ts'
import { repaymentOut } from './graph/repayments/repayment-out.ts'
import { loadDrawdown } from './store/drawdowns/drawdown.ts'
import { loadFacility } from './store/facilities/facility.ts'
import { loadHardshipRequest } from './store/relief/hardship-request.ts'
import { loadGuaranteeCall } from './store/obligors/guarantee-call.ts'
import { loadObligor } from './store/obligors/obligor.ts'
import { loadPromiseToPay } from './store/promises/promise-to-pay.ts'
import { loadRateResetLetter } from './store/rate-resets/rate-reset-letter.ts'
import { loadPaymentHoliday } from './store/relief/payment-holiday.ts'
import { loadExtraPayment } from './store/repayments/extra-payment.ts'
import { loadRepayment } from './store/repayments/repayment.ts'
import { executeDrawdowns } from './workers/drawdowns/execute-drawdowns.ts'
import { endObligors } from './workers/obligors/end-obligors.ts'
import { settlePromises } from './workers/promises/settle-promises.ts'
import {
  sendRateResetLetters,
  storeRateResetLetters,
  storeRemainingRateResetLetters,
} from './workers/rate-resets/letters.ts'
import {
  escalateHardshipRequests,
  openHardshipCases,
  startAndEndPaymentHolidays,
} from './workers/relief/relief.ts'
import { executeExtraPayments } from './workers/repayments/extra-payments.ts'
import { checkLendingBooks } from './workers/servicing/check-books.ts'
import { closeEndOfDay } from './workers/servicing/end-of-day.ts'

/**
 * The lending subgraph: facilities and loans, their schedules, repayments, relief and losses, and
 * the calculators for schedules and rates.
 */
export const lending: Subgraph = {
  name: 'lending',
  resolvers: [
    CalculatorsResolver,
    FacilityOperations,
    FacilityFiguresResolver,
    FacilityScheduleResolver,
    FacilityRelationsResolver,
    FacilityMovementsResolver,
    LoanResolver,
    LoanFiguresResolver,
    LoanScheduleResolver,
    LoanRelationsResolver,
    LoanMovementsResolver,
    CustomerFacilitiesResolver,
    DrawdownOperations,
    RepaymentOperations,
    LateChargeOperations,
    FacilityLateChargesResolver,
    LoanLateChargesResolver,
    RateResetOperations,
    FloatingRateResolver,
    FacilityRateResetsResolver,
    LoanRateResetsResolver,
    RateResetLetterOperations,
    RateResetLetterResolver,
    RateResetLettersResolver,
    PromiseToPayOperations,
    PromiseToPayResolver,
    FacilityPromisesResolver,
    LoanPromisesResolver,
    ObligorOperations,
    ObligorResolver,
    FacilityObligorsResolver,
    LoanObligorsResolver,
    PartyObligationsResolver,
    GuaranteeCallOperations,
    GuaranteeCallResolver,
    ObligorCallsResolver,
    LossOperations,
    LossProposalResolver,
    EndOfDayOperations,
    ExtraPaymentOperations,
    PaymentHolidayOperations,
    HardshipRequestOperations,
    HardshipRequestResolver,
    FacilityReliefResolver,
    LoanReliefResolver,
    FacilityStatementsResolver,
    LoanStatementsResolver,
    FacilityStatementResolver,
    FacilityCertificateResolver,
  ],
  types: [],
  references: {
    Customer: referenceByKey('customerId'),
    Party: referenceByKey('partyId'),
    Facility: referenceTo('lending:read', 'facilityId', loadFacility),
    Loan: referenceTo('lending:read', 'loanId', loadFacility, (facility) =>
      isAmortizing(facility) ? loanOut(facility) : null,
    ),
    Drawdown: referenceTo('lending:read', 'drawdownId', loadDrawdown, drawdownOut),
    Repayment: referenceTo('lending:read', 'repaymentId', loadRepayment, repaymentOut),
    ExtraPayment: referenceTo('lending:read', 'extraPaymentId', loadExtraPayment, extraPaymentOut),
    PaymentHoliday: referenceTo(
      'lending:read',
      'paymentHolidayId',
      loadPaymentHoliday,
      paymentHolidayOut,
    ),
    HardshipRequest: referenceTo('lending:read', 'hardshipRequestId', loadHardshipRequest),
    PromiseToPay: referenceTo('lending:read', 'promiseToPayId', loadPromiseToPay),
    FacilityObligor: referenceTo('lending:read', 'obligorId', loadObligor),
    RateResetLetter: referenceTo('lending:read', 'rateResetLetterId', loadRateResetLetter),
    GuaranteeCall: referenceTo('lending:read', 'guaranteeCallId', loadGuaranteeCall),
  },
  workers: [
    executeDrawdowns,
    closeEndOfDay,
    checkLendingBooks,
    settlePromises,
    endObligors,
    sendRateResetLetters,
    storeRateResetLetters,
    storeRemainingRateResetLetters,
    executeExtraPayments,
    startAndEndPaymentHolidays,
    openHardshipCases,
    escalateHardshipRequests,
  ],
}
