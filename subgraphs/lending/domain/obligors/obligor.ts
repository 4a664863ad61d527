import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { ofPercent } from '../../../../kernel/domain/rational.ts'
import type { Lifecycle } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import type { ValidationError } from '../../../../kernel/domain/problem-members.ts'
import type { ObligorStatus } from '../../model/obligors/enumerations.ts'
import type { FacilityObligor } from '../../model/obligors/obligor.ts'
import { lifecycleOf, owedMinorOf, stateProblem, type Facility } from '../facilities/facility.ts'
import { Problem } from '../problems.ts'
import { inputProblem, validationError, validationFailed } from '../schedules/refusals.ts'

/** The terms of a new obligor. */
export type ObligorTerms = Pick<
  FacilityObligor,
  'partyId' | 'role' | 'amountMinor' | 'percentage' | 'validUntil' | 'documentId'
>

/** Whether the status still makes the obligor liable. */
export const isLiable = ({ status }: { status: ObligorStatus }): boolean =>
  status === 'active' || status === 'release-proposed'

/** Whether a facility can get obligors and lose them. */
export const canChangeObligors = (facility: Pick<Facility, 'state'>): boolean =>
  lifecycleOf(facility) !== 'ended'

/** Returns the parties that may see an obligor. */
export function concernedBy({
  partyId,
  borrowerPartyId,
}: Pick<FacilityObligor, 'partyId' | 'borrowerPartyId'>): string[] {
  return [partyId, borrowerPartyId]
}

/**
 * Returns the parties that receive the events of an obligor: none while a release is considered, and
 * after it was rejected, because that is the bank's own deliberation.
 */
export function informedOf(
  obligor: Pick<FacilityObligor, 'partyId' | 'borrowerPartyId' | 'status' | 'releaseProposedBy'>,
): string[] {
  return isLiable(obligor) && obligor.releaseProposedBy !== null ? [] : concernedBy(obligor)
}

/** Returns an obligor as a party sees it, without a release that the bank considers. */
export function shownToParty(obligor: FacilityObligor): FacilityObligor {
  return obligor.status === 'release-proposed' ? { ...obligor, status: 'active' } : obligor
}

/** Returns the lifecycle of an obligor for other areas. */
export const obligorLifecycle = (obligor: Pick<FacilityObligor, 'status'>): Lifecycle =>
  isLiable(obligor) ? 'open' : 'ended'

/** Checks that the obligors of a facility can change. Throws STATE_CONFLICT for one that has ended. */
export function requireChangeable(facility: Facility): void {
  if (canChangeObligors(facility)) return
  const detail = `${facility.facilityId} is ${facility.state}; nobody is liable for it any more.`
  throw stateProblem(facility, 'STATE_CONFLICT', canChangeObligors, detail)
}

/**
 * Creates an obligor. `liable` are the obligors that the facility has. Throws STATE_CONFLICT for a
 * facility that has ended, OBLIGOR_IS_BORROWER, RESOURCE_EXISTS for a party that is liable already,
 * and VALIDATION_FAILED for terms that do not fit the role.
 */
export function newObligor(
  facility: Facility,
  terms: ObligorTerms,
  liable: readonly Pick<FacilityObligor, 'obligorId' | 'partyId'>[],
  base: Versioned & Pick<FacilityObligor, 'obligorId' | 'addedBy'>,
): FacilityObligor {
  const { facilityId, partyId: borrowerPartyId, currency } = facility
  const { partyId, role, amountMinor, percentage, validUntil, documentId } = terms
  requireChangeable(facility)
  if (partyId === borrowerPartyId) {
    const detail = `${partyId} is the borrower of ${facilityId} and is liable for it anyway.`
    throw inputProblem('OBLIGOR_IS_BORROWER', '/partyId', detail, { resourceId: partyId })
  }
  const existing = liable.find((each) => each.partyId === partyId)
  if (existing) throw new Problem('RESOURCE_EXISTS', { resourceId: existing.obligorId })
  const errors = errorsOf(terms, dateOf(base.createdAt))
  if (errors.length > 0) throw validationFailed(...errors)
  return {
    ...base,
    facilityId,
    partyId,
    borrowerPartyId,
    currency,
    role,
    status: 'active',
    amountMinor,
    percentage,
    validUntil,
    documentId,
    endedAt: null,
    releaseReason: null,
    releaseProposedBy: null,
    releaseDecidedBy: null,
  }
}

function errorsOf(terms: ObligorTerms, today: LocalDate): ValidationError[] {
  const { role, amountMinor, percentage, validUntil, documentId } = terms
  if (role === 'co-borrower') {
    const limits = { amount: amountMinor, percentage, validUntil }
    return Object.entries(limits).flatMap(([name, value]) => {
      if (value === null) return []
      const detail = 'A co-borrower is liable for everything. Omit the limits.'
      return [validationError(`/${name}`, 'NOT_ALLOWED', detail)]
    })
  }
  const errors: ValidationError[] = []
  const add = (pointer: string, code: string, detail: string) =>
    errors.push(validationError(pointer, code, detail))
  if (amountMinor === null && percentage === null) {
    add('/amount', 'REQUIRED', 'A guarantor needs an amount or a percentage.')
  }
  if (amountMinor !== null && amountMinor <= 0n) {
    add('/amount', 'OUT_OF_RANGE', 'The amount must be greater than zero.')
  }
  if (percentage !== null && !isPercentage(percentage)) {
    const rule = 'greater than 0 and at most 100, with at most 4 decimals'
    add('/percentage', 'OUT_OF_RANGE', `The percentage is ${percentage}; it must be ${rule}.`)
  }
  if (validUntil !== null && validUntil < today) {
    add('/validUntil', 'OUT_OF_RANGE', `The last day is ${validUntil}, which is before ${today}.`)
  }
  if (documentId === null) {
    add('/documentId', 'REQUIRED', 'A guarantee needs the signed document on which it is based.')
  }
  return errors
}

const percentagePattern = /^\d{1,3}(\.\d{1,4})?$/

function isPercentage(text: string): boolean {
  if (!percentagePattern.test(text)) return false
  const { num, den } = ofPercent(text)
  return num > 0n && num <= den
}

/**
 * Returns everything that can be required from obligors. What was charged off does not count: it is
 * recovered without calls, and a recovery does not say who paid.
 */
export function claimMinorOf(facility: Facility): bigint {
  return canChangeObligors(facility) ? owedMinorOf(facility) : 0n
}

/**
 * Returns the amount for which an obligor is liable, in minor units. `claimMinor` is what is owed, and
 * `receivedMinor` what the guarantor paid when its guarantee was called. These payments reduced both
 * what is owed and the guarantee: a guarantor of 50 % who paid half of the debt owes nothing of the
 * other half. Fractions of a minor unit are dropped. Zero for an obligor who is not liable, and for a
 * guarantee after its last day.
 */
export function guaranteedMinorOf(
  obligor: Pick<FacilityObligor, 'role' | 'status' | 'amountMinor' | 'percentage' | 'validUntil'>,
  claimMinor: bigint,
  receivedMinor: bigint,
  today: LocalDate,
): bigint {
  if (!isLiable(obligor)) return 0n
  if (obligor.role === 'co-borrower') return claimMinor
  const { amountMinor, percentage, validUntil } = obligor
  if (validUntil !== null && validUntil < today) return 0n
  const debtMinor = claimMinor + receivedMinor
  const { num, den } = ofPercent(percentage ?? '100')
  const shareMinor = (debtMinor * num) / den
  const limitMinor = amountMinor !== null && amountMinor < shareMinor ? amountMinor : shareMinor
  const leftMinor = limitMinor - receivedMinor
  if (leftMinor <= 0n) return 0n
  return leftMinor < claimMinor ? leftMinor : claimMinor
}

/** Returns an obligor that is not liable any more, because the facility or the guarantee ended. */
export function ended(obligor: FacilityObligor, endedAt: Date): FacilityObligor {
  return { ...obligor, status: 'ended', endedAt }
}

/** Returns a facility that a party may read, in addition to those that may read it already. */
export function withReader(facility: Facility, partyId: string): Facility {
  const { readerIds } = facility
  if (readerIds.includes(partyId)) return facility
  return { ...facility, readerIds: [...readerIds, partyId] }
}

/** Returns a facility that a party may no longer read. */
export function withoutReader(facility: Facility, partyId: string): Facility {
  return { ...facility, readerIds: facility.readerIds.filter((each) => each !== partyId) }
}
