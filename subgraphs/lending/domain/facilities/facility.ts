import { FacilityState, type FacilityKind } from '../../model/facilities/enumerations.ts'
import type { DelinquencyStage } from '../../model/schedules/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { type ProblemCode } from '../../../../kernel/domain/problem.ts'
import { Problem } from '../problems.ts'
import {
  assertTransition,
  isTerminal,
  type Lifecycle,
  type Transitions,
} from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import type { LateChargePause } from '../late-charges/pause.ts'
import type { LateChargeTerms } from '../late-charges/terms.ts'
import type { FloatingRate } from '../rate-resets/terms.ts'
import type { Loan } from '../schedules/loan.ts'

export const facilityTransitions: Transitions<FacilityState> = {
  approved: ['active', 'cancelled'],
  active: ['in-arrears', 'matured', 'paid-off', 'charged-off'],
  'in-arrears': ['active', 'charged-off'],
  matured: [],
  'paid-off': [],
  'charged-off': ['recovered', 'written-off'],
  recovered: [],
  'written-off': [],
  cancelled: [],
}

/** The rules for each state. A new state does not compile until each rule is defined for it. */
const stateRules: Record<FacilityState, Record<'drawable' | 'serviced' | 'lost', boolean>> = {
  approved: { drawable: true, serviced: false, lost: false },
  active: { drawable: true, serviced: true, lost: false },
  'in-arrears': { drawable: false, serviced: true, lost: false },
  matured: { drawable: false, serviced: false, lost: false },
  'paid-off': { drawable: false, serviced: false, lost: false },
  'charged-off': { drawable: false, serviced: false, lost: true },
  recovered: { drawable: false, serviced: false, lost: true },
  'written-off': { drawable: false, serviced: false, lost: true },
  cancelled: { drawable: false, serviced: false, lost: false },
}

type StateRule = (facility: Pick<Facility, 'state'>) => boolean

/** Whether the state of the facility allows drawdowns. */
export const isDrawable: StateRule = ({ state }) => stateRules[state].drawable

/**
 * Whether the facility is being repaid: interest accrues, and installments become due and are
 * collected.
 */
export const isServiced: StateRule = ({ state }) => stateRules[state].serviced

/** Whether the outstanding amount has been charged off. */
export const isLost: StateRule = ({ state }) => stateRules[state].lost

/** Whether the facility can still pay out to its settlement account or collect from it. */
export const isOpen: StateRule = (facility) => isDrawable(facility) || isServiced(facility)

/**
 * Returns the lifecycle of a facility for other areas. A charged-off facility is `ending`, and
 * `ended` once it is recovered or written off.
 */
export function lifecycleOf(facility: Pick<Facility, 'state'>): Lifecycle {
  if (isOpen(facility)) return 'open'
  return isTerminal(facilityTransitions, facility.state) ? 'ended' : 'ending'
}

/** Returns the states for which a rule is true. */
export function statesWhere(rule: StateRule): FacilityState[] {
  return FacilityState.values.filter((state) => rule({ state }))
}

/** A fee of the product that is charged once. It is deducted from the first drawdown. */
export interface UpfrontFee {
  code: string
  amountMinor: bigint
}

/**
 * A credit line or a loan. `facilityId` and `loanId` identify the same record. Amounts are in minor
 * units of the currency. `principalMinor`, `accruedMinor`, `interestDueMinor`, `feesDueMinor` and
 * `penaltiesDueMinor` equal the balances of the facility's ledger account.
 */
export interface Facility extends Versioned {
  facilityId: string
  customerId: string
  partyId: string
  /**
   * The parties besides the borrower that may read the facility and repay it: its co-borrowers, and
   * guarantors whose guarantee was called.
   */
  readerIds: readonly string[]
  kind: FacilityKind
  state: FacilityState
  currency: string
  limitMinor: bigint
  ratePct: string
  productId: string | null
  productVersion: string | null
  applicationId: string | null
  agreementId: string | null
  /** The default account for payouts and collections. */
  settlementArrangementId: string | null
  openedOn: LocalDate
  availableFrom: LocalDate
  availableTo: LocalDate | null
  requiredCoveragePct: string | null
  minimumDrawdownMinor: bigint
  isApprovalRequired: boolean
  /** The fees as agreed at opening. */
  upfrontFees: readonly UpfrontFee[]
  /** The part of the upfront fees that has been charged. */
  upfrontFeesChargedMinor: bigint
  /** What late payment costs, as agreed at opening; null if it costs nothing. */
  lateCharges: LateChargeTerms | null
  /** The periods without late charges, in the order in which they were agreed. */
  lateChargePauses: readonly LateChargePause[]
  /** How the rate follows a reference rate, as agreed at opening; null if it does not. */
  floatingRate: FloatingRate | null
  /** The terms and events from which the schedule is computed. */
  loan: Loan
  /** The version of the current schedule; 0 before the first one. */
  scheduleVersion: number
  maturityDate: LocalDate | null
  /** The due date of the next installment that is not due yet; null if there is none. */
  nextDueDate: LocalDate | null
  nextDueMinor: bigint
  /** The number of installments that have become due. These installments are immutable. */
  billedInstallments: number
  disbursedMinor: bigint
  /** The total of drawdowns that wait for approval or for their value date. */
  reservedMinor: bigint
  /** The outstanding principal, including the principal that is due. */
  principalMinor: bigint
  /** The accrued interest that is not due yet. */
  accruedMinor: bigint
  /** The unpaid interest of installments that are due. */
  interestDueMinor: bigint
  /** The unpaid principal of installments that are due. */
  principalDueMinor: bigint
  /** The unpaid fees for late installments. */
  feesDueMinor: bigint
  /** The unpaid default interest. */
  penaltiesDueMinor: bigint
  /** The total interest booked through the end of `accruedThrough`. */
  accruedTotalMinor: bigint
  accruedThrough: LocalDate
  /** The last closed business date. */
  closedThrough: LocalDate
  delinquencyStage: DelinquencyStage
  /** The first days of the delinquency buckets as agreed at opening, such as `1,30,60,90`; or empty. */
  delinquencyBuckets: string
  /** The label of the bucket that the facility is in, such as `30-59`; null if it is in none. */
  delinquencyBucket: string | null
  /** The amount charged off that has not been recovered. */
  chargedOffMinor: bigint
}

/** Returns the amounts of installments that are due and unpaid, with their late charges. */
export function dueMinorOf(facility: Facility): bigint {
  const { principalDueMinor, interestDueMinor, feesDueMinor, penaltiesDueMinor } = facility
  return principalDueMinor + interestDueMinor + feesDueMinor + penaltiesDueMinor
}

/** Returns everything that is owed, whether due or not. */
export function owedMinorOf(facility: Facility): bigint {
  const { principalMinor, principalDueMinor, accruedMinor } = facility
  return principalMinor - principalDueMinor + accruedMinor + dueMinorOf(facility)
}

/** Returns the parties that may see a record of a facility, such as a drawdown, and change it. */
export function ownersOf({ partyId }: Pick<Facility, 'partyId'>): string[] {
  return [partyId]
}

/** Returns the parties that may see a facility and repay it, and that receive its events. */
export function readersOf({
  partyId,
  readerIds,
}: Pick<Facility, 'partyId' | 'readerIds'>): string[] {
  return [partyId, ...readerIds]
}

/** Whether the facility is a loan, which is repaid in installments. */
export function isAmortizing({ kind }: Pick<Facility, 'kind'>): boolean {
  return kind !== 'revolving'
}

/**
 * Returns the amount that can still be drawn; zero if the state of the facility does not allow
 * drawdowns. Repaid principal can be drawn again from a revolving limit, but not from a loan.
 */
export function availableOf(facility: Facility): bigint {
  const { limitMinor, principalMinor, disbursedMinor, reservedMinor } = facility
  if (!isDrawable(facility)) return 0n
  const used = isAmortizing(facility) ? disbursedMinor : principalMinor
  const left = limitMinor - used - reservedMinor
  return left > 0n ? left : 0n
}

/** Checks that a facility can be repaid. Throws FACILITY_NOT_ACTIVE. */
export function requireServiced(facility: Facility): void {
  if (!isServiced(facility)) throw stateProblem(facility, 'FACILITY_NOT_ACTIVE', isServiced)
}

/** Creates a problem about the state of a facility. It lists the states that the rule allows. */
export function stateProblem(
  { facilityId, state }: Facility,
  code: ProblemCode,
  isAllowed: StateRule,
  detail = `${facilityId} is ${state}.`,
): Problem {
  const allowedStates = statesWhere(isAllowed)
  return new Problem(code, { detail, resourceId: facilityId, currentState: state, allowedStates })
}

/** Changes the state of a facility. Throws INVALID_STATE_TRANSITION. */
export function transitionFacility(facility: Facility, state: FacilityState): Facility {
  assertTransition(facilityTransitions, facility.state, state, facility.facilityId)
  return { ...facility, state }
}
