import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { maxRateDecimals } from '../../../kernel/domain/deposit-interest.ts'
import { Problem } from './problems.ts'

/**
 * Checks that a period does not end before it begins and, if `earliest` is given, does not begin
 * before that day. Throws INVALID_DATE_RANGE.
 */
export function requireValidity(
  { validFrom, validTo }: { validFrom: LocalDate; validTo: LocalDate | null },
  earliest?: LocalDate,
): void {
  if (validTo !== null && validTo < validFrom) {
    throw invalidRange('validTo', `validTo, ${validTo}, must not be before ${validFrom}.`)
  }
  if (earliest === undefined || validFrom >= earliest) return
  throw invalidRange('validFrom', `validFrom, ${validFrom}, must not be before ${earliest}.`)
}

function invalidRange(member: string, detail: string): Problem {
  const errors = [{ pointer: `/${member}`, code: 'INVALID_DATE_RANGE', detail }]
  return new Problem('INVALID_DATE_RANGE', { detail, errors })
}

/** Checks a rate in percent per year: from -100 to 100. Throws VALIDATION_FAILED. */
export function requireRate(annualRatePct: string): void {
  const [integerPart, decimals = ''] = annualRatePct.split('.')
  const isInRange = Math.abs(Number(integerPart)) < 100 || /^-?0*100(\.0*)?$/.test(annualRatePct)
  if (isInRange && decimals.replace(/0+$/, '').length <= maxRateDecimals) return
  const detail = `The rate must be from -100 to 100 with at most ${maxRateDecimals} decimals.`
  const errors = [{ pointer: '/annualRatePct', code: 'VALUE_INVALID', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}
