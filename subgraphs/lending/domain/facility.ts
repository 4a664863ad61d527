import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { DelinquencyStage } from './delinquency.ts'
import type { Loan } from './loan.ts'

export const facilityKinds = ['consumer-loan', 'mortgage', 'sme-facility', 'revolving'] as const
export type FacilityKind = (typeof facilityKinds)[number]

export const facilityStates = [
  'approved',
  'active',
  'in-arrears',
  'matured',
  'paid-off',
  'charged-off',
  'recovered',
  'written-off',
  'cancelled',
] as const
export type FacilityState = (typeof facilityStates)[number]

export const facilityMoves: Transitions<FacilityState> = {
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

/** A fee of the product that is charged once, deducted from the first drawdown. */
export interface UpfrontFee {
  code: string
  amountMinor: bigint
}

/**
 * What a customer may borrow, and owes. A consumer loan is one of these: both ids name one record.
 * Amounts are minor units of its currency. The figures are those of its accounts in the ledger.
 */
export interface Facility extends Versioned {
  facilityId: string
  customerId: string
  partyId: string
  kind: FacilityKind
  state: FacilityState
  currency: string
  limitMinor: bigint
  ratePct: string
  productId: string | null
  productVersion: string | null
  applicationId: string | null
  agreementId: string | null
  /** Where money is paid to and instalments are collected from, unless somebody says otherwise. */
  settlementArrangementId: string | null
  openedOn: LocalDate
  availableFrom: LocalDate
  availableTo: LocalDate | null
  requiredCoveragePct: string | null
  minimumDrawdownMinor: bigint
  isApprovalRequired: boolean
  /** As agreed when the facility was opened. */
  upfrontFees: readonly UpfrontFee[]
  /** The part of the upfront fees that has been charged. */
  upfrontFeesChargedMinor: bigint
  /** All that its schedule follows from. */
  loan: Loan
  /** That of the schedule in force; 0 before there is one. */
  scheduleVersion: number
  maturityDate: LocalDate | null
  /** The next instalment that is not due yet. */
  nextDueDate: LocalDate | null
  nextDueMinor: bigint
  /** Instalments that became due: they do not change any more. */
  billedInstalments: number
  disbursedMinor: bigint
  /** Drawdowns that were asked for and are not paid out yet. */
  reservedMinor: bigint
  principalMinor: bigint
  /** Interest that accrued and is not due yet. */
  accruedMinor: bigint
  /** Of the instalments that became due, what is not paid. */
  interestDueMinor: bigint
  principalDueMinor: bigint
  /** Interest that was ever booked, up to the end of `accruedThrough`. */
  accruedTotalMinor: bigint
  accruedThrough: LocalDate
  /** The last business day whose end was worked through. */
  closedThrough: LocalDate
  delinquencyStage: DelinquencyStage
  /** The amount charged off that has not been recovered. */
  chargedOffMinor: bigint
}

/** The parties that may know of a facility. */
export function ownersOf({ partyId }: Pick<Facility, 'partyId'>): string[] {
  return [partyId]
}

/** Whether it is repaid in instalments, so that it is a loan. */
export function isAmortising({ kind }: Pick<Facility, 'kind'>): boolean {
  return kind !== 'revolving'
}

/** What may still be drawn: of a revolving limit what is not owed, of a loan what was not paid out. */
export function availableOf(facility: Facility): bigint {
  const { limitMinor, principalMinor, disbursedMinor, reservedMinor } = facility
  if (facility.state !== 'approved' && facility.state !== 'active') return 0n
  const used = isAmortising(facility) ? disbursedMinor : principalMinor
  const left = limitMinor - used - reservedMinor
  return left > 0n ? left : 0n
}

/** Moves a facility to another state. Refuses with INVALID_STATE_TRANSITION. */
export function moveFacility(facility: Facility, state: FacilityState): Facility {
  requireMove(facilityMoves, facility.state, state, facility.facilityId)
  return { ...facility, state }
}
