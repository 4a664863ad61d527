import { Decimal } from 'decimal.js'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type {
  CreateReferenceRateInput,
  RecordReferenceRateFixingsInput,
  ReferenceRate,
  ReferenceRateFixing,
} from '../model/reference-rate.ts'
import { isRate } from './rate.ts'
import { Problem } from './problems.ts'

export const maxFixingsPerRequest = 1000
const maxValidDays = 366
const maxDaysAhead = 366

/** Returns a new reference rate without fixings. Throws VALIDATION_FAILED. */
export function newReferenceRate(input: CreateReferenceRateInput, head: Versioned): ReferenceRate {
  const { referenceRateId, name, description = null, validDays = null } = input
  if (validDays !== null && (validDays < 1 || validDays > maxValidDays)) {
    throw invalid(fault('/validDays', `The value must be from 1 to ${maxValidDays}.`))
  }
  return { ...head, referenceRateId, name, description, validDays }
}

/** A fixing that is recorded or corrected. `before` is null for a day without a fixing. */
export interface FixingChange {
  before: ReferenceRateFixing | null
  after: ReferenceRateFixing
}

/**
 * Decides which fixings a request records and which it corrects. A fixing that is recorded already
 * with the same rate is left as it is. Throws VALIDATION_FAILED, and REFERENCE_RATE_FIXING_EXISTS
 * for another rate without a reason for the correction.
 */
export function fixingChanges(
  { referenceRateId, fixings, correctionReason = null }: RecordReferenceRateFixingsInput,
  recorded: readonly ReferenceRateFixing[],
  stamp: { recordedBy: string; recordedAt: Date; today: LocalDate },
): FixingChange[] {
  requireValid(fixings, stamp.today)
  const byDay = new Map(recorded.map((each) => [each.fixedOn, each]))
  const { recordedBy, recordedAt } = stamp
  return fixings.flatMap(({ fixedOn, ratePct }, index) => {
    const before = byDay.get(fixedOn) ?? null
    if (before && new Decimal(before.ratePct).eq(ratePct)) return []
    if (before && correctionReason === null) throw conflict(before, index)
    const after = {
      referenceRateId,
      fixedOn,
      ratePct: new Decimal(ratePct).toFixed(),
      correctionReason: before && correctionReason,
      recordedBy,
      recordedAt,
    }
    return [{ before, after }]
  })
}

function requireValid(fixings: RecordReferenceRateFixingsInput['fixings'], today: LocalDate): void {
  if (fixings.length === 0 || fixings.length > maxFixingsPerRequest) {
    throw invalid(fault('/fixings', `Send from 1 to ${maxFixingsPerRequest} fixings.`))
  }
  const lastDay = addDays(today, maxDaysAhead)
  const days = fixings.map(({ fixedOn }) => fixedOn)
  const faults = fixings.flatMap(({ fixedOn, ratePct }, index) => [
    ...(days.indexOf(fixedOn) < index
      ? [fault(`/fixings/${index}/fixedOn`, 'There must be only one fixing for each day.')]
      : []),
    ...(fixedOn > lastDay
      ? [fault(`/fixings/${index}/fixedOn`, `The day must not be after ${lastDay}.`)]
      : []),
    ...(isRate(ratePct)
      ? []
      : [
          fault(
            `/fixings/${index}/ratePct`,
            'The rate must be from -100 to 100 with at most 6 decimals.',
          ),
        ]),
  ])
  if (faults.length > 0) throw invalid(...faults)
}

function conflict({ referenceRateId, fixedOn, ratePct }: ReferenceRateFixing, index: number) {
  const code: ProblemCode = 'REFERENCE_RATE_FIXING_EXISTS'
  const detail = `The fixing of ${fixedOn} is ${ratePct} %. To correct it, send correctionReason.`
  const errors = [{ pointer: `/fixings/${index}/ratePct`, code, detail }]
  return new Problem(code, { detail, resourceId: referenceRateId, errors })
}

function fault(pointer: string, detail: string): ValidationError {
  return { pointer, code: 'VALUE_INVALID', detail }
}

function invalid(...errors: ValidationError[]): Problem {
  return new Problem('VALIDATION_FAILED', { errors })
}
